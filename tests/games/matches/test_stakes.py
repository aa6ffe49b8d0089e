"""A day's limits hold while games run: what is at stake counts as if it were lost."""

from datetime import timedelta

import pytest

from economy.ledger import wallet
from economy.models import Setting
from economy.selectors import balance_of
from games.matches.models import Match, Seat
from games.matches.processing import writing
from games.matches.processing.bot_allowance import BotRoom
from games.matches.queries import selectors
from games.matches.queries.losses import purses_in_play
from tests.economy.kit import give
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import begun_at_once
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db

LIMIT, PAIR = 50, 300


@pytest.fixture(autouse=True)
def _large_stakes() -> None:
    Setting.objects.filter(name="duel.largest_stake").update(value=1_000)


def rich(points: int = 1_000):
    """Return a new user with this number of points."""
    user = new_user()
    give(wallet(user.pk), points - balance_of(user.pk))
    return user


def code_of(kit: TableKit | DuelKit, user, **action: object) -> str | None:
    """Return the code with which an action is refused."""
    error = kit.answer(user, **action).error
    return None if error is None else error.code


def table_with_bots(user, purse: int, bots: int = 1, seats: int = 0) -> TableKit:
    """Return an open table at which a person and bots sit."""
    kit = TableKit(user, seats=seats or bots + 1, largest_purse=500)
    kit.act(user, kind="sit", seat=0, purse=purse)
    for _ in range(bots):
        kit.act(user, kind="add_bot")
    return kit


# Two players ---------------------------------------------------------------------------------


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
    assert code_of(kit, ann, kind="sit", seat=1) == "limit"
    Seat.objects.filter(user__in=[ann, bob]).update(net=0)
    assert code_of(kit, ann, kind="sit", seat=1) is None


@pytest.mark.both_databases
def test_hostile_58_two_may_lose_no_more_than_both_have_brought() -> None:
    ann, bob = rich(5_000), rich(5_000)
    kit = TableKit(ann, bob, seats=2, largest_purse=1_000)
    for seat, (user, purse) in enumerate(((ann, 900), (bob, 40))):
        kit.act(user, kind="sit", seat=seat, purse=purse)
    for user in (ann, bob):
        kit.act(user, kind="ready", configuration=1)
    kit.pass_time(5)
    assert purses_in_play([ann.pk]) == [{ann.pk: 900, bob.pk: 40}]
    DuelKit(ann, bob, stake=200).start()
    kit = DuelKit(ann, bob, stake=100)
    kit.seat_everybody()


@pytest.mark.both_databases
@pytest.mark.parametrize("waits", [False, True], ids=["ready", "countdown"])
def test_hostile_58_duels_that_begin_in_one_batch_count_for_each_other(waits: bool) -> None:
    ann, bob = rich(), rich()
    kits = [DuelKit(ann, bob, stake=190) for _ in range(3)]
    for kit in kits:
        kit.seat_everybody()
        kit.act(ann, kind="ready", configuration=1)
    now = max(kit.now for kit in kits) + timedelta(seconds=0 if waits else 6)
    for kit in kits:
        kit.now = now
        kit.beat()
    ready = [kit.submission(bob, kind="ready", configuration=1) for kit in kits]
    writing.apply_batch(ready, now)
    kits[0].pass_time(6)
    assert sorted(kit.row.status for kit in kits) == ["open", "running", "running"]
    assert [sum(purses.values()) for purses in purses_in_play([ann.pk])] == [380, 380]


# Bots ----------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_purse_among_bots_is_at_most_what_may_be_won_of_them_today() -> None:
    ann = rich()
    kit = table_with_bots(ann, 50)
    error = kit.answer(ann, kind="bring", purse=51).error
    assert (error.code, error.detail) == ("action/bot_limit", {"most": LIMIT})
    assert "50 points at most" in str(error)
    assert code_of(kit, ann, kind="ready", configuration=1, purse=51) == "action/bot_limit"
    kit = TableKit(ann, seats=2, largest_purse=500)
    kit.act(ann, kind="sit", seat=0, purse=51)
    assert code_of(kit, ann, kind="add_bot") == "action/bot_limit"
    kit.act(ann, kind="bring", purse=50)
    kit.act(ann, kind="add_bot")


@pytest.mark.plain
def test_whoever_comes_to_a_table_with_bots_brings_no_more_either() -> None:
    ann, bob = rich(), rich()
    kit = table_with_bots(ann, 20, seats=3)
    assert code_of(kit, bob, kind="sit", seat=2, purse=51) == "action/bot_limit"
    kit.act(bob, kind="sit", seat=2)
    assert kit.view()["seats"][2]["purse"] == LIMIT, "the purse on offer is cut to it"


@pytest.mark.plain
def test_who_asks_for_a_bot_is_told_whose_purse_is_too_large() -> None:
    ann, bob = rich(), rich()
    kit = TableKit(ann, bob, seats=3, largest_purse=500)
    kit.act(ann, kind="sit", seat=0, purse=20)
    kit.act(bob, kind="sit", seat=1, purse=200)
    error = kit.answer(ann, kind="add_bot").error
    assert error.code == "action/bot_limit"
    assert bob.username in str(error)


def test_what_is_at_stake_with_bots_counts_as_won() -> None:
    ann = rich()
    first = table_with_bots(ann, 30)
    first.act(ann, kind="ready", configuration=1)
    assert first.row.status == "running"
    assert BotRoom().left(ann.pk, first.now) == LIMIT - 30
    second = table_with_bots(ann, 20)
    assert code_of(second, ann, kind="bring", purse=21) == "action/bot_limit"
    second.act(ann, kind="ready", configuration=1)
    assert second.row.status == "running"
    third = TableKit(ann, seats=2)
    third.seat_everybody(1)
    assert code_of(third, ann, kind="add_bot") == "action/no_bot_willing"


def test_three_tables_with_bots_that_were_filled_before_hold_the_limit_too() -> None:
    ann = rich()
    kits = [table_with_bots(ann, LIMIT) for _ in range(3)]
    codes = [code_of(kit, ann, kind="ready", configuration=1) for kit in kits]
    assert codes == [None, "action/bot_limit", "action/bot_limit"]
    assert [kit.row.status for kit in kits] == ["running", "open", "open"]
    assert BotRoom().left(ann.pk, kits[0].now) == 0


@pytest.mark.both_databases
def test_three_tables_with_bots_that_begin_in_one_batch_hold_the_limit_too() -> None:
    ann, bob = rich(), rich()
    kits = []
    for _ in range(3):
        kit = TableKit(ann, bob, seats=3, largest_purse=500)
        kit.seat_everybody(LIMIT)
        kit.act(ann, kind="add_bot")
        for user in (ann, bob):
            kit.act(user, kind="ready", configuration=1)
        kits.append(kit)
    now = max(kit.now for kit in kits)
    for kit in kits:
        kit.now = now
    kits[0].pass_time(5)
    assert sorted(kit.row.status for kit in kits) == ["open", "open", "running"]
    for kit in kits:
        if kit.row.status == "open":
            told = [line["text"] for line in kit.view()["log"]]
            assert any("has won the day's limit from bots" in text for text in told)


@pytest.mark.plain
def test_the_next_game_keeps_no_larger_purse_than_bots_may_lose() -> None:
    ann = rich()
    kit = table_with_bots(ann, 40)
    kit.act(ann, kind="ready", configuration=1)
    kit.act(ann, kind="leave")
    Seat.objects.filter(match=kit.match, user=ann).update(net=35)
    Seat.objects.filter(match=kit.match).exclude(user=ann).update(net=-35)
    kit.act(ann, kind="rematch")
    kit.match = Match.objects.get(pk=kit.row.successor_id)
    assert (kit.view(ann)["seats"][0]["purse"], kit.view(ann)["you"]["purse_cut"]) == (15, 25)


def test_games_without_points_among_bots_have_no_limit() -> None:
    Setting.objects.filter(name="bots.daily_win_limit").update(value=0)
    ann = new_user()
    kit = DuelKit(ann)
    kit.act(ann, kind="sit", seat=0)
    kit.act(ann, kind="add_bot")
    kit.act(ann, kind="ready", configuration=1)
    assert kit.row.status == "running"


@pytest.mark.plain
def test_one_press_for_a_game_with_a_bot_brings_what_bots_may_lose(client) -> None:
    ann = rich(2_000)
    client.force_login(ann)
    client.post("/tables/with-a-bot/")
    match = Match.objects.get(seats__user=ann)
    seats = selectors.match_view(selectors.snapshot_of(match), None)["seats"]
    assert [(seat["purse"], bool(seat["player"])) for seat in seats] == [(LIMIT, True)] * 2


# At once, in threads that commit for real -----------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(4))
def test_hostile_58_duels_begun_at_once_count_for_each_other(_round: int) -> None:
    """Each of three may begin alone, and by one the day's most is at stake."""
    ann, bob = rich(), rich()
    kits = [DuelKit(ann, bob, stake=300) for _ in range(3)]
    for kit in kits:
        kit.seat_everybody()
        kit.act(ann, kind="ready", configuration=1)
    assert begun_at_once(kits, bob) == [None, "limit", "limit"]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(4))
def test_games_with_bots_begun_at_once_hold_the_limit(_round: int) -> None:
    ann = rich()
    kits = [table_with_bots(ann, LIMIT) for _ in range(3)]
    assert begun_at_once(kits, ann) == [None, "action/bot_limit", "action/bot_limit"]
