from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import devices
from accounts.models import User
from economy.ledger import wallet
from economy.models import Setting
from economy.selectors import balance_of
from games.duel.challenges import challenge
from games.matches.models import Flag
from games.matches.queries.losses import losses_of
from games.moderation import fair_play, flags
from games.moderation.outflow import losses_ever
from tests.economy.kit import give
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import begun_at_once, old_user
from tests.games.table_kit import TableKit, finished, new_user

pytestmark = pytest.mark.django_db

DAY = 86_400
LIMIT = 100


@pytest.fixture(autouse=True)
def _numbers() -> None:
    numbers = {"fair.pair_ever": LIMIT, "fair.pair_ever_daily": 2, "fair.grant_points": 300}
    for name, value in numbers.items():
        Setting.objects.filter(name=name).update(value=value)


def old_and_rich(days: int = 2, points: int = 1_000) -> User:
    user = old_user(days)
    give(wallet(user.pk), points - balance_of(user.pk))
    return user


def duel_of(loser: User, winner: User, stake: int) -> str | None:
    """Play a duel of one throw; return the code of the refusal to sit down."""
    kit = DuelKit(loser, winner, stake=stake, best_of=1)
    kit.act(loser, kind="sit", seat=0)
    if code := kit.code(winner, kind="sit", seat=1):
        return code
    kit.make_ready()
    kit.win(winner)
    return None


def table_of(loser: User, winner: User, purse: int) -> str | None:
    """Play Showdown until the loser, who has called everything, gives up."""
    kit = TableKit(loser, winner, seats=2, ante=purse, largest_purse=purse)
    kit.act(loser, kind="sit", seat=0, purse=purse)
    if code := kit.code(winner, kind="sit", seat=1, purse=purse):
        return code
    kit.make_ready()
    kit.pass_time(5)
    kit.act(loser, kind="leave")
    assert kit.row.status == "over"
    return None


def room(loser: User, winner: User) -> int:
    return fair_play.FairPlayBatch().outflow(loser, winner.pk, timezone.now()).room


@pytest.mark.both_databases
@pytest.mark.parametrize("lose", [duel_of, table_of], ids=["duel", "showdown"])
def test_hostile_93_four_accounts_of_two_days_lose_no_more_than_the_limit_to_a_fifth(
    lose: Callable[[User, User, int], str | None], django_capture_on_commit_callbacks
) -> None:
    rich, losers = old_and_rich(), [old_and_rich() for _ in range(4)]
    for loser in losers:
        with django_capture_on_commit_callbacks(execute=True):
            assert [lose(loser, rich, 100) for _ in range(2)] == [None, "action/pair_limit"]
        assert balance_of(loser.pk) == 900
        chips = Flag.objects.get(kind="chips", users=loser)
        assert set(chips.users.all()) == {loser, rich}
    assert balance_of(rich.pk) <= 1_400
    assert flags.look_for_abuse() == 2
    assert flags.look_for_abuse() == 0
    for flag in Flag.objects.filter(kind="grants"):
        assert set(flag.users.all()) == {rich, *losers}


@pytest.mark.plain
@pytest.mark.parametrize("weeks", [1, 30])
def test_hostile_93_what_is_lost_slowly_is_counted_for_ever(
    weeks: int, django_capture_on_commit_callbacks
) -> None:
    rich, loser = old_and_rich(300), old_and_rich(weeks * 7)
    for no in range(10):
        finished({loser: -10 - weeks, rich: 9}, ended_ago=no * weeks / 2 * DAY)
    # 100 points, and 14 a week.
    assert room(loser, rich) == LIMIT + 14 * weeks - 10 * (10 + weeks)
    with django_capture_on_commit_callbacks(execute=True):
        assert duel_of(loser, rich, 100) == ("action/pair_limit" if weeks == 1 else None)
    assert Flag.objects.filter(kind="chips").count() == (weeks == 1)


@pytest.mark.parametrize(
    ("shared", "left"), [("nothing", 50), ("device", 10), ("address", 30), ("feeder", 30)]
)
def test_hostile_93_a_winners_other_accounts_count_too(shared: str, left: int) -> None:
    rich, other, loser = old_and_rich(), old_and_rich(), old_and_rich(0)
    finished({loser: -50, rich: 45})
    finished({loser: -40, other: 36})
    for user, token in ((rich, "r" * 43), (other, ("r" if shared == "device" else "o") * 43)):
        address = "" if shared != "address" else "198.51.100.7"
        devices.note(user_id=user.pk, token=token, address=address, at=timezone.now())
    if shared == "feeder":
        finished({other: -50, rich: 45})
    assert room(loser, rich) == left


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(3))
def test_hostile_93_duels_begun_at_once_count_for_each_other(_round: int) -> None:
    ann, winners = old_and_rich(0), [old_and_rich() for _ in range(3)]
    for user in winners:
        devices.note(user_id=user.pk, token="w" * 43, address="", at=timezone.now())
    kits = [DuelKit(user, ann, stake=60) for user in winners]
    for kit in kits:
        kit.seat_everybody()
        kit.act(kit.ann, kind="ready", configuration=1)
    assert begun_at_once(kits, ann) == [None, "action/pair_limit", "action/pair_limit"]


def test_hostile_93_a_table_where_all_are_ready_does_not_start() -> None:
    ann, bob = old_and_rich(0), old_and_rich()
    kit = TableKit(ann, bob, seats=2, largest_purse=60)
    kit.seat_everybody(60)
    kit.make_ready()
    finished({ann: -50, bob: 45})
    kit.pass_time(5)
    assert [seat.user for seat in kit.row.seats.all()] == [bob]


def test_hostile_93_no_game_without_points_moves_any() -> None:
    """Arena, contests and duels without a stake stay open to both."""
    ann, bob = old_and_rich(0), old_and_rich()
    finished({ann: -LIMIT, bob: 95})
    assert duel_of(ann, bob, 0) is None
    assert duel_of(ann, bob, 1) == "action/pair_limit"
    fair_play.require_fair_company(ann, [bob], timezone.now(), fair_play.FairPlayBatch())


@pytest.mark.plain
def test_pair_limit_says_how_much_one_may_still_play_for_and_cuts_the_purse_on_offer_to_it():
    Setting.objects.filter(name="tables.live_seats").update(value=10)
    ann, bob = old_and_rich(0), old_and_rich()
    finished({ann: -60, bob: 57})
    kit = TableKit(bob, ann, seats=2)
    kit.act(bob, kind="sit", seat=0, purse=80)
    error = kit.answer(ann, kind="sit", seat=1, purse=50).error
    assert error.detail == {"most": 40, "name": bob.username, "limit": LIMIT}
    assert "play for 40 at most" in str(error)
    kit.act(ann, kind="sit", seat=1, purse=40)
    kit.make_ready(ann)
    for first, second in ((ann, bob), (bob, ann)):
        kit = TableKit(first, second, seats=2)
        kit.act(first, kind="sit", seat=0, purse=90)
        kit.act(second, kind="sit", seat=1)
        assert [seat["purse"] for seat in kit.view()["seats"]] == [90, 40]
    with pytest.raises(fair_play.PairLimit):
        challenge(challenger=bob, name=ann.username, options={"stake": 41})
    challenge(challenger=bob, name=ann.username, options={"stake": 40})


def test_pair_limit_cuts_the_purse_of_the_next_game() -> None:
    ann, bob = old_and_rich(0), old_and_rich()
    kit = TableKit(ann, bob, seats=2, ante=70, largest_purse=100, target=3)
    kit.start(purse=100)
    kit.act(ann, kind="leave")
    assert (kit.row.status, room(ann, bob)) == ("over", 30)
    assert kit.code(ann, kind="rematch") == "action/pair_limit"


@pytest.mark.plain
@pytest.mark.both_databases
def test_pair_limit_counts_net_losses_of_people_by_their_share() -> None:
    ann, bob, cleo = new_user(), new_user(), new_user()
    bot = User.objects.filter(is_bot=True).first()
    games = [
        {ann: -100, bob: 60, cleo: 35},
        {bob: -20, ann: 19},
        {ann: -50, bot: 45},
        {ann: 0, bob: 0},
        {cleo: -7, bob: 3, ann: 3},
    ]
    for nets in games:
        finished(nets, ended_ago=900 * DAY)
    finished({ann: -500, bob: 500}, status="void")
    told = losses_of([(1, -100), (2, 60), (3, 35)])
    expected = {(ann, bob): told[1, 2] - 20, (ann, cleo): told[1, 3] - 4, (cleo, bob): 4}
    ever = losses_ever([ann.pk, bob.pk, cleo.pk])
    assert {pair: ever[pair[0].pk, pair[1].pk] for pair in expected} == expected
    assert all(ever[other, one] == -lost for (one, other), lost in ever.items())
    assert bot.pk not in {user for pair in ever for user in pair}


@pytest.mark.plain
def test_pair_limit_lets_one_win_back_and_grows_by_the_day() -> None:
    ann, bob = old_and_rich(10), old_and_rich(0)
    finished({ann: -LIMIT, bob: 95})
    assert (room(ann, bob), room(bob, ann)) == (20, 2 * LIMIT)


def test_pair_limit_asks_one_statement_more_of_a_seating_and_none_with_bots() -> None:
    def asked(kit: TableKit, user: User, **action: object) -> dict[str, int]:
        with CaptureQueriesContext(connection) as queries:
            kit.act(user, **action)
        texts = [query["sql"] for query in queries]
        tables = ("games_pairloss", "accounts_device")
        return {table: sum(table in text for text in texts) for table in tables}

    kit, alone = (TableKit(*(old_and_rich() for _ in range(n)), seats=2) for n in (2, 1))
    for each in (kit, alone):
        each.act(each.people[0], kind="sit", seat=0, purse=30)
    ready, one = {"kind": "ready", "configuration": 1}, {"games_pairloss": 1, "accounts_device": 1}
    assert (
        asked(kit, kit.people[1], kind="sit", seat=1) == asked(kit, kit.people[1], **ready) == one
    )
    for action in ({"kind": "add_bot"}, ready):
        assert asked(alone, alone.people[0], **action)["games_pairloss"] == 0


@pytest.mark.both_databases
@pytest.mark.parametrize("stake", [0, 30])
def test_pair_limit_counts_each_game_for_points_as_it_ends_and_no_other(stake: int) -> None:
    ann, bob, cleo = old_and_rich(0), old_and_rich(0), old_and_rich(0)
    for winner in (bob, bob, ann):
        kit = DuelKit(ann, bob, stake=stake, best_of=1)
        kit.start()
        kit.win(winner)
    called_off = DuelKit(ann, bob, stake=stake)
    called_off.start()
    called_off.void("a broken chair")
    table = TableKit(ann, cleo, seats=3, target=3)
    table.seat_everybody(20)
    table.act(ann, kind="add_bot")
    table.make_ready()
    table.pass_time(5)
    table.play_to_the_end()
    with_ann = losses_of(table.row.seats.values_list("user", "net"))
    ever = losses_ever([ann.pk, bob.pk, cleo.pk])
    # A duel costs 30 and gives 27: the tax is on the loser's side.
    assert ever[ann.pk, bob.pk] == (2 * 30 - 30 if stake else 0)
    assert ever[ann.pk, cleo.pk] == with_ann[ann.pk, cleo.pk] - with_ann[cleo.pk, ann.pk]
    assert {user for pair in ever for user in pair} <= {ann.pk, bob.pk, cleo.pk}
