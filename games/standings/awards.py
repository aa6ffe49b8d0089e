"""Awards of the rules, in points of both axes: the rated games and the amounts paid."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, Final

from economy.ledger import Plan
from economy.payouts import awarded_on_the_day
from economy.selectors import settings_starting
from economy.units import Unit
from games.engine.facts import Told
from games.matches.models import Seat
from games.matches.models.matches import match_of
from games.matches.processing import settlement
from games.matches.processing.locked_match import AcceptedAction, LockedMatch
from games.matches.processing.reactions import Reaction

MINUTE: Final = 60_000  # milliseconds

#: Reasons why nothing is paid.
UNRATED, SHORT, COMPANY, BOT = "unrated", "short", "company", "bot"
#: How many games a day pay the same company: the first in full, the second by half.
PAID_GAMES: Final = 2


class Awards(Reaction):
    """Marks the games that are rated, and pays what was earned, within the daily limits."""

    def started(self, locked: LockedMatch) -> None:
        if locked.game.counts.ratio and _has_people_and_time(locked):
            locked.match.is_rated = True

    def over(self, locked: LockedMatch, facts: Sequence[Told], plan: Plan) -> None:
        earned = [fact for fact in facts if fact.kind == "award_earned"]
        if earned:
            action = pay(plan, locked, earned)
            locked.keep(
                locked.table.apply_house(locked.state, action, locked.at), AcceptedAction(action)
            )


def pay(plan: Plan, locked: LockedMatch, earned: Sequence[Told]) -> dict[str, Any]:
    """Plan the payment of the awards that a game has just stated; return the house's action. The
    seat's holder is paid: no bot, and nobody in an unrated or too short game, or where the same
    company has been paid for two games on this UTC day. Raises LedgerError.
    """
    numbers = settings_starting("awards.")
    limit = numbers["awards.daily"]
    action = {"kind": "award", "daily_limit": limit, "paid": [], "is_halved": False}
    by_seat = {fact.data["seat"]: fact.data for fact in earned}
    people = {
        no: pk for no, pk in locked.seating.users.items() if not locked.seats[no].user.is_machine
    }
    lasting = timedelta(minutes=numbers["awards.lasting"])
    reason, before, earlier = "", None, 0
    if not locked.match.is_rated:
        reason = UNRATED
    elif plan.at - (locked.match.started_at or plan.at) < lasting:
        reason = SHORT
    else:
        before = awarded_on_the_day(plan, people.values())
        company = frozenset(people.values())
        paid_games = companies_of({match_of(cause) for cause in before.causes})
        earlier = sum(is_same_company(company, other) for other in paid_games.values())
        reason = COMPANY if earlier >= PAID_GAMES else ""
    if before is None or reason:
        return {**action, "withheld": sorted(by_seat), "reason": reason}
    paid = []
    for no in sorted(by_seat.keys() & people):
        award = (by_seat[no]["points"], by_seat[no]["y_points"])
        x, y = (points // (earlier + 1) for points in award)
        room = [limit - before.sums[people[no], unit] for unit in (Unit.POINT, Unit.Y_POINT)]
        paid_x, paid_y = (max(0, min(pair)) for pair in zip((x, y), room, strict=True))
        for move in settlement.award_moves(locked.match.pk, no, people[no], paid_x, paid_y):
            plan.move(move)
        locked.change_seat(no, award=paid_x, y_award=paid_y)
        paid.append([no, paid_x, paid_y, x - paid_x, y - paid_y])
    bots = sorted(by_seat.keys() - people)
    return {
        **action,
        "paid": paid,
        "is_halved": bool(earlier),
        "withheld": bots,
        "reason": BOT if bots else "",
    }


def _has_people_and_time(locked: LockedMatch) -> bool:
    numbers = settings_starting("awards.")
    people = sum(not seat.user.is_machine for seat in locked.seats.values())
    limit = locked.table.rules.clock_limit(locked.state.play) or 0
    return people >= numbers["awards.people"] and limit >= numbers["awards.minutes"] * MINUTE


def companies_of(match_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """Return match -> the users at its seats, bots left out."""
    found: dict[int, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(match__in=match_ids, user__is_bot=False)
    for match_id, user_id in seats.values_list("match", "user"):
        found[match_id].add(user_id)
    return {match_id: frozenset(users) for match_id, users in found.items()}


def is_same_company(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether at least four fifths of the people of the larger game also play the other one."""
    return 5 * len(one & other) >= 4 * max(len(one), len(other))
