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
from games.matches.processing.accepted_action import Deed
from games.matches.processing.locked_match import Desk
from games.matches.processing.participants import Guests


class House(Protocol):
    """Who acts in the house's name, with what a batch knows of points and people."""

    plan: Plan
    guests: Guests

    def by_house(self, desk: Desk, action: Mapping[str, Any]) -> None:
        """Do something in the house's name, with all that follows."""


#: Returns whether all that follows has been done, with a step of its own.
Consequence = Callable[[House, Desk, Sequence[Told]], bool]


def start(house: House, desk: Desk, facts: Sequence[Told]) -> bool:
    """Collect all purses as one group and start, or make those who are short unready."""
    if not desk.state.starting:
        return False
    guests, plan = house.guests, house.plan
    seats, reason = guests.unwelcome(desk)
    if seats:
        house.by_house(desk, {"kind": "free", "seats": seats, "reason": reason})
        return True
    guests.fund_bots(desk, plan)
    missing = guests.missing_purses(desk, plan)
    if missing:
        house.by_house(desk, {"kind": "short", "seats": missing})
        return True
    purses = [(s.no, desk.users[s.no], s.purse) for s in desk.state.taken]
    for move in settlement.purse_moves(desk.match.pk, purses):
        plan.move(move)
    guests.begun(desk)
    house.by_house(desk, {"kind": "start"})
    awards.rate(desk)
    return True


def pay_bonuses(house: House, desk: Desk, facts: Sequence[Told]) -> bool:
    """Pay the win bonuses that were earned, as far as the day's limits leave room."""
    earned = [fact for fact in facts if fact.kind == "bonus_earned" and fact.data["amount"]]
    if not earned or desk.state.stage != OVER:
        return False
    # A day's limits count what was paid, so nobody may be paid elsewhere meanwhile.
    house.plan.lock_all()
    paid = []
    for fact in earned:
        seat, amount = fact.data["seat"], fact.data["amount"]
        others = [s.user for no, s in desk.seats.items() if no != seat]
        user_id = desk.users[seat]
        key = settlement.bonus_key(user_id, [other.pk for other in others], desk.now)
        everyone_is_a_bot = all(other.is_bot for other in others)
        if everyone_is_a_bot or not house.guests.may_pay_bonus(user_id, key, desk.now):
            continue
        house.plan.move(settlement.bonus_move(desk.match.pk, user_id, key, amount))
        desk.change_seat(seat, bonus=amount)
        paid.append([seat, amount])
    if paid:
        action = {"kind": "bonus", "seats": paid}
        desk.keep(desk.table.apply_house(desk.state, action, desk.at), Deed(action))
    return False


def pay_awards(house: House, desk: Desk, facts: Sequence[Told]) -> bool:
    """Pay the awards that were earned if the game is rated, as far as the day's limits allow."""
    earned = [fact for fact in facts if fact.kind == "award_earned"]
    if earned and desk.state.stage == OVER:
        action = awards.pay(house.plan, desk, earned)
        desk.keep(desk.table.apply_house(desk.state, action, desk.at), Deed(action))
    return False


def close_books(house: House, desk: Desk, facts: Sequence[Told]) -> bool:
    """Note what a game was for each seat once it has ended, and see that nothing is left in it."""
    if not desk.is_ending:
        return False
    if desk.state.play is not None:
        desk.note_results()
        left = settlement.held_in_escrow(house.plan, desk.match.pk)
        if left:
            raise AssertionError(f"{desk.match!r} would end with {left} in escrow")
    for reaction in house.guests.reactions:
        reaction.closed(desk)
    return False


def wake_bots(house: House, desk: Desk, facts: Sequence[Told]) -> bool:
    """Say when the next bot has thought long enough."""
    bots.wake(desk)
    return False


CONSEQUENCES: Final[Sequence[Consequence]] = (
    start,
    pay_bonuses,
    pay_awards,
    close_books,
    wake_bots,
)
