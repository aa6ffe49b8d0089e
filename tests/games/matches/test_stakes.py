import pytest

from accounts.models import User
from economy.ledger import wallet
from economy.models import Setting, Transfer
from economy.selectors import balance_of
from economy.transfers import TransferCode
from games.matches.models import Match, Seat
from games.matches.processing import writing
from games.matches.processing.bots import BotRoom, won_from_bots
from games.matches.queries import selectors
from games.matches.queries.losses import purses_in_play
from tests.economy.kit import give
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import begun_at_once, move_clocks
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db

LIMIT, PAIR = 50, 300


@pytest.fixture(autouse=True)
def _large_stakes() -> None:
    Setting.objects.filter(name="duel.largest_stake").update(value=1_000)


def rich(points: int = 1_000):
    user = new_user()
    give(wallet(user.pk), points - balance_of(user.pk))
    return user


def table_with_bots(user, purse: int) -> TableKit:
    kit = TableKit(user, seats=2, largest_purse=500)
    kit.seat_everybody(purse)
    kit.act(user, kind="add_bot")
    return kit


@pytest.mark.parametrize(("stake", "games"), [(190, 2), (300, 1), (299, 2), (100, 3)])
def test_hostile_58_stakes_of_running_duels_count_as_lost(stake: int, games: int) -> None:
    Setting.objects.filter(name="tables.live_seats").update(value=10)
    ann, bob = rich(), rich()
    for _ in range(games):
        DuelKit(ann, bob, stake=stake).start()
    kit = DuelKit(ann, bob, stake=stake)
    kit.act(ann, kind="sit", seat=0)
    error = kit.answer(bob, kind="sit", seat=1).error
    assert (error.code, error.detail) == (
        "limit",
        {"most": PAIR, "name": ann.username, "at_stake": stake * games},
    )
    assert "let those end first" in str(error)


def test_hostile_58_a_stake_that_came_back_does_not_count() -> None:
    ann, bob = rich(), rich()
    kit = DuelKit(ann, bob, stake=300)
    kit.start()
    kit.win(ann)
    kit = DuelKit(bob, ann, stake=300)
    kit.act(bob, kind="sit", seat=0)
    assert kit.code(ann, kind="sit", seat=1) == "limit"
    Seat.objects.filter(user__in=[ann, bob]).update(net=0)
    assert kit.code(ann, kind="sit", seat=1) is None


@pytest.mark.both_databases
def test_hostile_58_two_may_lose_no_more_than_both_have_brought() -> None:
    ann, bob = rich(5_000), rich(5_000)
    kit = TableKit(ann, bob, seats=2, largest_purse=1_000)
    for seat, (user, purse) in enumerate(((ann, 900), (bob, 40))):
        kit.act(user, kind="sit", seat=seat, purse=purse)
    kit.make_ready()
    kit.pass_time(5)
    assert purses_in_play([ann.pk]) == [{ann.pk: 900, bob.pk: 40}]
    DuelKit(ann, bob, stake=200).start()
    DuelKit(ann, bob, stake=100).seat_everybody()


@pytest.mark.both_databases
@pytest.mark.parametrize("waits", [False, True], ids=["ready", "countdown"])
def test_hostile_58_duels_that_begin_in_one_batch_count_for_each_other(waits: bool) -> None:
    ann, bob = rich(), rich()
    kits = [DuelKit(ann, bob, stake=190) for _ in range(3)]
    for kit in kits:
        kit.seat_everybody()
        kit.make_ready(ann)
    now = move_clocks(kits, 0 if waits else 6)
    ready = [kit.submission(bob, kind="ready", configuration=1) for kit in kits]
    writing.apply_batch(ready, now)
    kits[0].pass_time(6)
    assert sorted(kit.row.status for kit in kits) == ["open", "running", "running"]
    assert [sum(purses.values()) for purses in purses_in_play([ann.pk])] == [380, 380]


@pytest.mark.plain
def test_a_purse_among_bots_is_at_most_what_may_be_won_of_them_today_and_all_are_told() -> None:
    ann, bob = rich(), rich()
    kit = table_with_bots(ann, 50)
    error = kit.answer(ann, kind="bring", purse=51).error
    assert (error.code, error.detail) == ("action/bot_limit", {"most": LIMIT})
    assert "50 points at most" in str(error)
    assert kit.code(ann, kind="ready", configuration=1, purse=51) == "action/bot_limit"
    kit = TableKit(ann, bob, seats=3, largest_purse=500)
    kit.act(ann, kind="sit", seat=0, purse=51)
    assert kit.code(ann, kind="add_bot") == "action/bot_limit"
    kit.act(ann, kind="bring", purse=50)
    kit.act(bob, kind="sit", seat=1, purse=200)
    error = kit.answer(ann, kind="add_bot").error
    assert error.code == "action/bot_limit"
    assert bob.username in str(error), "whose purse is too large"
    kit.act(bob, kind="stand")
    kit.act(ann, kind="add_bot")
    # Who comes to a table with bots brings no more either.
    assert kit.code(bob, kind="sit", seat=2, purse=51) == "action/bot_limit"
    kit.act(bob, kind="sit", seat=2)
    assert kit.view()["seats"][2]["purse"] == LIMIT, "the purse on offer is cut to it"


def test_what_is_at_stake_with_bots_counts_as_won() -> None:
    ann = rich()
    first = table_with_bots(ann, 30)
    first.act(ann, kind="ready", configuration=1)
    assert (first.row.status, BotRoom().left(ann.pk, first.now)) == ("running", LIMIT - 30)
    second = table_with_bots(ann, 20)
    assert second.code(ann, kind="bring", purse=21) == "action/bot_limit"
    second.act(ann, kind="ready", configuration=1)
    assert second.row.status == "running"
    third = TableKit(ann, seats=2)
    third.seat_everybody(1)
    assert third.code(ann, kind="add_bot") == "action/no_bot_willing"


def test_three_tables_with_bots_that_were_filled_before_hold_the_limit_too() -> None:
    ann = rich()
    kits = [table_with_bots(ann, LIMIT) for _ in range(3)]
    codes = [kit.code(ann, kind="ready", configuration=1) for kit in kits]
    assert codes == [None, "action/bot_limit", "action/bot_limit"]
    assert [kit.row.status for kit in kits] == ["running", "open", "open"]
    assert BotRoom().left(ann.pk, kits[0].now) == 0


@pytest.mark.both_databases
def test_three_tables_with_bots_that_begin_in_one_batch_hold_the_limit_too() -> None:
    ann, bob = rich(), rich()
    kits = [TableKit(ann, bob, seats=3, largest_purse=500) for _ in range(3)]
    for kit in kits:
        kit.seat_everybody(LIMIT)
        kit.act(ann, kind="add_bot")
        kit.make_ready()
    move_clocks(kits, 0)
    kits[0].pass_time(5)
    assert sorted(kit.row.status for kit in kits) == ["open", "open", "running"]
    for kit in kits:
        if kit.row.status == "open":
            told = " ".join(line["text"] for line in kit.view()["log"])
            assert "has won the day's limit from bots" in told


@pytest.mark.plain
def test_the_next_game_keeps_no_larger_purse_than_bots_may_lose() -> None:
    ann = rich()
    kit = table_with_bots(ann, 40)
    kit.make_ready(ann)
    kit.act(ann, kind="leave")
    Seat.objects.filter(match=kit.match, user=ann).update(net=35)
    Seat.objects.filter(match=kit.match).exclude(user=ann).update(net=-35)
    kit.act(ann, kind="rematch")
    kit.match = Match.objects.get(pk=kit.row.successor_id)
    assert (kit.view(ann)["seats"][0]["purse"], kit.view(ann)["you"]["purse_cut"]) == (15, 25)


def test_games_without_points_among_bots_have_no_limit() -> None:
    Setting.objects.filter(name="bots.daily_win_limit").update(value=0)
    kit = DuelKit(new_user())
    kit.seat_everybody()
    kit.act(kit.ann, kind="add_bot")
    kit.make_ready()
    assert kit.row.status == "running"


@pytest.mark.plain
def test_one_press_for_a_game_with_a_bot_brings_what_bots_may_lose(client) -> None:
    ann = rich(2_000)
    client.force_login(ann)
    client.post("/tables/with-a-bot/")
    match = Match.objects.get(seats__user=ann)
    seats = selectors.match_view(selectors.snapshot_of(match), None)["seats"]
    assert [(seat["purse"], bool(seat["player"])) for seat in seats] == [(LIMIT, True)] * 2


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(4))
def test_hostile_58_duels_begun_at_once_count_for_each_other(_round: int) -> None:
    """Each of three may begin alone, and by one the day's most is at stake."""
    ann, bob = rich(), rich()
    kits = [DuelKit(ann, bob, stake=300) for _ in range(3)]
    for kit in kits:
        kit.seat_everybody()
        kit.make_ready(ann)
    assert begun_at_once(kits, bob) == [None, "limit", "limit"]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(4))
def test_games_with_bots_begun_at_once_hold_the_limit(_round: int) -> None:
    ann = rich()
    kits = [table_with_bots(ann, LIMIT) for _ in range(3)]
    assert begun_at_once(kits, ann) == [None, "action/bot_limit", "action/bot_limit"]


def finished_game_with_bot(kit: TableKit, net: int) -> None:
    """Pretend that the kit's first person won this much from its bot."""
    kit.seat_everybody()
    kit.act(kit.people[0], kind="add_bot")
    seats = Seat.objects.filter(match=kit.match)
    seats.filter(user__is_bot=False).update(net=net)
    seats.filter(user__is_bot=True).update(net=-net)
    Match.objects.filter(pk=kit.match.pk).update(status="over", ended_at=kit.now, due_at=None)


def raise_limit(points: int = 5_000) -> None:
    Setting.objects.filter(name="bots.daily_win_limit").update(value=points)


@pytest.mark.plain
def test_bot_sits_down_with_an_ordinary_wallet_that_is_filled_from_the_mint_when_short() -> None:
    raise_limit()
    rich = new_user()
    kit = TableKit(rich, seats=3, largest_purse=5_000)
    kit.seat_everybody(purse=90)
    kit.act(rich, kind="add_bot")
    bot = Seat.objects.get(match=kit.match, user__is_bot=True)
    seat = kit.view()["seats"][bot.no]
    assert (seat["player"]["bot"], seat["ready"], seat["purse"]) == (True, True, 90)
    assert balance_of(bot.user_id) >= 90
    assert not bot.user.has_usable_password()
    bots = Transfer.objects.filter(code=TransferCode.BOT_FUNDING)
    kit.act(rich, kind="remove_bot", seat=bot.no)
    before = bots.count()
    kit.act(rich, kind="configure", ante=400)
    kit.act(rich, kind="add_bot")
    bot = Seat.objects.get(match=kit.match, user__is_bot=True)
    assert balance_of(bot.user_id) >= 400
    assert bots.count() == before + 1


@pytest.mark.plain
def test_bots_only_come_when_a_sitter_asks_and_a_seat_is_free() -> None:
    kit = TableKit(new_user(), seats=2)
    assert kit.code(new_user(), kind="add_bot") == "action/not_seated"
    kit.seat_everybody()
    kit.act(kit.people[0], kind="add_bot")
    assert kit.code(kit.people[0], kind="add_bot") == "action/table_full"
    kit.act(kit.people[0], kind="remove_bot", seat=1)
    assert kit.view()["seats"][1]["player"] is None


def test_bots_do_not_sit_with_somebody_who_won_enough_from_them_today() -> None:
    ann = new_user()
    raise_limit()
    for net in (30, -40, 21):
        finished_game_with_bot(TableKit(ann, seats=2), net)
    raise_limit(50)
    kit = TableKit(ann, seats=2)
    assert won_from_bots(ann.pk, kit.now) == 51
    kit.seat_everybody()
    assert kit.answer(ann, kind="add_bot").error.code == "action/no_bot_willing"


def test_bots_leave_when_such_a_player_sits_down_with_them() -> None:
    lucky, host = new_user(), new_user()
    finished_game_with_bot(TableKit(lucky, seats=2), 60)
    kit = TableKit(host, seats=3)
    kit.seat_everybody()
    kit.act(host, kind="add_bot")
    kit.act(lucky, kind="sit", seat=2, purse=20)
    kit.make_ready(host, lucky)
    kit.pass_time(5)
    view = kit.view()
    assert view["match"]["status"] == "open"
    assert [bool(seat["player"]) for seat in view["seats"]] == [True, False, True]


def ready_with_bots(user: User, bots: int) -> TableKit:
    kit = TableKit(user, seats=bots + 1, target=3)
    kit.seat_everybody(purse=20)
    for _ in range(bots):
        kit.act(user, kind="add_bot")
    kit.make_ready()
    return kit


def test_bots_play_whole_games_with_a_person_and_bring_no_win_bonus() -> None:
    ann = new_user()
    for bots in (1, 3, 1):
        kit = ready_with_bots(ann, bots)
        assert kit.play_to_the_end().state.stage == "over"
        assert sum(seat.net for seat in kit.row.seats.all()) <= 0
    bonuses = Transfer.objects.filter(code=TransferCode.WIN_BONUS)
    assert not bonuses.filter(credit__owner=f"user:{ann.pk}").exists()
