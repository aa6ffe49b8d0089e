from datetime import timedelta

import pytest

from economy.ledger import escrow
from economy.models import Account, Transfer
from economy.selectors import balance_of
from economy.units import Unit
from games.engine.facts import instant
from games.matches.journal.replay import replay_match
from games.matches.models import Seat
from games.matches.processing import writing
from games.matches.queries import selectors
from games.showdown import shopping
from games.standings import rewards
from games.standings.boards import standings
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def started(**options: object) -> DuelKit:
    kit = DuelKit(new_user("ann"), new_user("bob"), **options)
    kit.start()
    return kit


def balances(kit: DuelKit) -> tuple[int, int]:
    return balance_of(kit.ann.pk), balance_of(kit.bob.pk)


def held(kit: DuelKit) -> int:
    ref = escrow(kit.match.pk, Unit.POINT)
    rows = Account.objects.filter(owner=ref.owner, kind=ref.kind, unit=ref.unit)
    return sum(row.balance or 0 for row in rows)


#: How a duel ends -> the stake, what both have afterwards, how their seats are noted.
ENDS: dict[str, tuple[int, tuple[int, int], list[tuple[int, str]]]] = {
    "wins": (50, (145, 50), [(45, "won"), (-50, "lost")]),
    "wins without a stake": (0, (100, 100), [(0, "won"), (0, "lost")]),
    "resigned": (10, (109, 90), [(9, "won"), (-10, "lost")]),
    "suspension": (20, (118, 80), [(18, "won"), (-20, "lost")]),
    "draw": (30, (100, 100), [(0, "drawn")] * 2),
    "abandoned": (30, (100, 100), [(0, "")] * 2),
    "suspended for good": (20, (100, 100), [(0, "")] * 2),
    "void": (40, (100, 100), [(0, "")] * 2),
}


@pytest.mark.parametrize("end", ENDS)
def test_duel_pays_its_stakes_once_and_notes_the_results(end: str) -> None:
    stake, left, noted = ENDS[end]
    kit = started(stake=stake)
    assert (balances(kit), held(kit)) == ((100 - stake, 100 - stake), 2 * stake)
    if end.startswith("wins"):
        kit.win(kit.ann)
    else:
        kit.end(end)
    assert kit.row.status == ("void" if end == "void" else "over")
    reason = {"suspended for good": "abandoned", "void": "void"}.get(end, end.split(maxsplit=1)[0])
    assert (kit.duel["result"]["reason"], balances(kit), held(kit)) == (reason, left, 0)
    seats = Seat.objects.filter(match=kit.match).order_by("no")
    assert list(seats.values_list("net", "result")) == noted
    assert replay_match(kit.row).is_same


def test_duel_moves_points_for_the_stakes_the_pot_and_the_tax_alone() -> None:
    kit = started()
    before = Transfer.objects.count()
    kit.win(kit.bob)
    assert Transfer.objects.count() == before
    kit = started(stake=50)
    kit.win(kit.ann)
    moved = Transfer.objects.filter(cause=f"match:{kit.match.pk}").values_list("code", "amount")
    assert sorted(moved) == [("POT_AWARD", 95), ("PURSE", 50), ("PURSE", 50), ("TAX", 5)]


def test_duel_replays_to_the_same_bytes_with_every_kind_of_action() -> None:
    kit = started(best_of=5, no_ties=True, stake=3)
    kit.throw("rock", "rock")
    kit.throw("rock", None)
    kit.pass_time(30)
    kit.pass_time(30)
    kit.act(kit.bob, kind="suspend")
    kit.act(kit.bob, kind="withdraw_suspend")
    kit.suspend()
    kit.act(kit.ann, kind="resume")
    kit.act(kit.ann, kind="withdraw_resume")
    kit.resume()
    # The house resumes too, after an outage; that is not what a player does.
    for kind, seconds in (("stall", 90), ("resume", 95)):
        due_at = instant(kit.now + timedelta(seconds=seconds))
        writing.submit(writing.house(kit.match.pk, kind, f"{kind}-1", due_at=due_at), kit.now)
    kit.win(kit.bob)
    assert replay_match(kit.row).is_same
    assert facts_of(kit.match, "hand_chosen")
    assert {"clock_stalled", "clock_resumed"} <= set(kit.kinds)


def test_duel_lists_are_apart_from_the_tables_and_show_the_score() -> None:
    kit = started(best_of=5, stake=5, no_ties=True)
    kit.throw("rock", "paper")
    (row,) = selectors.lobby()["duel"]
    own = selectors.matches_of(kit.ann)
    assert selectors.lobby()["showdown"] == own["showdown"] == []
    assert own["duel"] == [{**row, "watching": 0, "is_dead": False}]
    shown = {"game": "duel", "best_of": 5, "no_ties": True, "stake": 5, "rated": False}
    shown |= {"wins": [0, 1], "throw": 2, "suspended": False}
    assert shown.items() <= row.items()
    assert row["url"] == f"/duels/{kit.match.public_id}/"


def test_duel_does_not_close_the_shop_and_does_not_count_for_the_standings_of_showdown() -> None:
    kit = started(stake=5)
    assert shopping.running_match(kit.ann.pk) is None
    shopping.buy_weapon(user_id=kit.ann.pk, unit=Unit.ROCK, quantity=1, action_id="shopping-2")
    assert balance_of(kit.ann.pk) == 90
    kit.win(kit.ann)
    assert standings(None) == []


@pytest.mark.plain
@pytest.mark.parametrize(
    ("stake", "best_of", "throws", "games"),
    [
        pytest.param(10, 5, 3, 1, id="three throws for points"),
        pytest.param(10, 3, 2, 0, id="two throws and a suspension"),
        pytest.param(0, 5, 3, 0, id="no stake"),
        pytest.param(10, 5, 0, 0, id="resigned"),
    ],
)
def test_hostile_60_duels_without_a_stake_or_of_two_throws_count_for_no_inviter(
    stake: int, best_of: int, throws: int, games: int
) -> None:
    kit = started(stake=stake, best_of=best_of)
    if throws == 2:
        kit.suspend()
        kit.resume()
    for _ in range(throws):
        kit.throw("rock", "paper")
    if not throws:
        kit.act(kit.bob, kind="resign")
    assert (kit.row.status, rewards.games_played(kit.bob.pk)) == ("over", games)
