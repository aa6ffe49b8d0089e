"""What the house does after a step, each in one place, in this order.

A consequence looks at the facts and at what has become true, and does nothing when it is not
meant.  What games and services add stands in ``games.matches.processing.reactions``.

Source: docs/concurrency.md "A batch"; docs/architecture.md "Reactions".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from economy.ledger import Plan
from games.engine.facts import Told
from games.engine.table import OVER
from games.matches.processing import awards, bots, settlement
from games.matches.processing.accepted_action import AcceptedAction
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.participants import Participants


class House(Protocol):
    """Who acts in the house's name, with what a batch knows of points and people."""

    plan: Plan
    participants: Participants

    def by_house(self, locked: LockedMatch, action: Mapping[str, Any]) -> None:
        """Do something in the house's name, with all that follows."""


#: Returns whether all that follows has been done, with a step of its own.
Consequence = Callable[[House, LockedMatch, Sequence[Told]], bool]


def start(house: House, locked: LockedMatch, facts: Sequence[Told]) -> bool:
    """Collect all purses as one group and start, or make those who are short unready."""
    if not locked.state.starting:
        return False
    participants, plan = house.participants, house.plan
    seats, reason = participants.unwelcome(locked)
    if seats:
        house.by_house(locked, {"kind": "free", "seats": seats, "reason": reason})
        return True
    participants.fund_bots(locked, plan)
    missing = participants.missing_purses(locked, plan)
    if missing:
        house.by_house(locked, {"kind": "short", "seats": missing})
        return True
    purses = [(s.no, locked.users[s.no], s.purse) for s in locked.state.taken]
    for move in settlement.purse_moves(locked.match.pk, purses):
        plan.move(move)
    participants.begun(locked)
    house.by_house(locked, {"kind": "start"})
    awards.rate(locked)
    return True


def pay_bonuses(house: House, locked: LockedMatch, facts: Sequence[Told]) -> bool:
    """Pay the win bonuses that were earned, as far as the day's limits leave room."""
    earned = [fact for fact in facts if fact.kind == "bonus_earned" and fact.data["amount"]]
    if not earned or locked.state.stage != OVER:
        return False
    # A day's limits count what was paid, so nobody may be paid elsewhere meanwhile.
    house.plan.lock_all()
    paid = []
    for fact in earned:
        seat, amount = fact.data["seat"], fact.data["amount"]
        others = [s.user for no, s in locked.seats.items() if no != seat]
        user_id = locked.users[seat]
        key = settlement.bonus_key(user_id, [other.pk for other in others], locked.now)
        everyone_is_a_bot = all(other.is_bot for other in others)
        if everyone_is_a_bot or not house.participants.may_pay_bonus(user_id, key, locked.now):
            continue
        house.plan.move(settlement.bonus_move(locked.match.pk, user_id, key, amount))
        locked.change_seat(seat, bonus=amount)
        paid.append([seat, amount])
    if paid:
        action = {"kind": "bonus", "seats": paid}
        locked.keep(
            locked.table.apply_house(locked.state, action, locked.at), AcceptedAction(action)
        )
    return False


def pay_awards(house: House, locked: LockedMatch, facts: Sequence[Told]) -> bool:
    """Pay the awards that were earned if the game is rated, as far as the day's limits allow."""
    earned = [fact for fact in facts if fact.kind == "award_earned"]
    if earned and locked.state.stage == OVER:
        action = awards.pay(house.plan, locked, earned)
        locked.keep(
            locked.table.apply_house(locked.state, action, locked.at), AcceptedAction(action)
        )
    return False


def close_books(house: House, locked: LockedMatch, facts: Sequence[Told]) -> bool:
    """Note what a game was for each seat once it has ended, and see that nothing is left in it."""
    if not locked.is_ending:
        return False
    if locked.state.play is not None:
        locked.note_results()
        left = settlement.held_in_escrow(house.plan, locked.match.pk)
        if left:
            raise AssertionError(f"{locked.match!r} would end with {left} in escrow")
    for reaction in house.participants.reactions:
        reaction.closed(locked)
    return False


def wake_bots(house: House, locked: LockedMatch, facts: Sequence[Told]) -> bool:
    """Say when the next bot has thought long enough."""
    bots.wake(locked)
    return False


CONSEQUENCES: Final[Sequence[Consequence]] = (
    start,
    pay_bonuses,
    pay_awards,
    close_books,
    wake_bots,
)
