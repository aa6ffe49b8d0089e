"""Awards of the rules, in points of both axes: the rated games and the amounts paid.

Source: docs/rules/agora.md "Winning and points"; docs/ledger.md "Payments of the house".
"""

from collections.abc import Sequence
from typing import Any, Final

from economy.awards import awarded_on
from economy.codes import TransferCode
from economy.ledger import Plan, wallet
from economy.selectors import settings_starting
from games.engine.facts import Told
from games.matches.processing import settlement
from games.matches.processing.locked_match import LockedMatch
from games.matches.queries import summaries

MINUTE: Final = 60_000  # milliseconds

#: Reasons why nothing is paid.
UNRATED, BOT = "unrated", "bot"


def rate(locked: LockedMatch) -> None:
    """Decide finally whether a game that has just begun is rated."""
    locked.match.is_rated = summaries.is_rated(locked.state) or (
        locked.game.counts.ratio and _has_people_and_time(locked)
    )


def pay(plan: Plan, locked: LockedMatch, earned: Sequence[Told]) -> dict[str, Any]:
    """Plan the payment of the awards that a game has just stated; return the house's action.

    The current holder of the seat is paid.  Bots never are; in an unrated game nobody is.

    Raises:
        LedgerError: as for ``Plan.move``.
    """
    numbers = settings_starting("awards.")
    action = {"kind": "award", "daily_limit": numbers["awards.daily"], "paid": []}
    by_seat = {fact.data["seat"]: fact.data for fact in earned}
    if not locked.match.is_rated:
        return {**action, "withheld": sorted(by_seat), "reason": UNRATED}
    users = {no: locked.users[no] for no in by_seat if not locked.seats[no].user.is_bot}
    # The daily limit counts payments, so no other transaction may pay these users meanwhile.
    plan.lock_all()
    before = awarded_on(users.values(), plan.at)
    paid = []
    for no, user_id in sorted(users.items()):
        points, y = by_seat[no]["points"], by_seat[no]["y_points"]
        here = plan.gain(wallet(user_id), TransferCode.GAME_AWARD)
        x = max(0, min(points, numbers["awards.daily"] - before[user_id] - here))
        for move in settlement.award_moves(locked.match.pk, no, user_id, x, y):
            plan.move(move)
        locked.change_seat(no, award=x, y_award=y)
        paid.append([no, x, y, points - x])
    bots = sorted(by_seat.keys() - users)
    return {**action, "paid": paid, "withheld": bots, "reason": BOT if bots else ""}


def _has_people_and_time(locked: LockedMatch) -> bool:
    """Whether enough people play, and the phases are long enough.

    Source: docs/rules/agora.md "Winning and points".
    """
    numbers = settings_starting("awards.")
    people = sum(not seat.user.is_bot for seat in locked.seats.values())
    limit = locked.table.rules.clock_limit(locked.state.play) or 0
    return people >= numbers["awards.people"] and limit >= numbers["awards.minutes"] * MINUTE
