"""The house's actions after a step, in a fixed order; ``follow`` asks for those that apply. Games
and services add theirs in ``games.matches.processing.reactions``.
Source: docs/explanation/concurrency.md "A batch"; docs/explanation/architecture.md "Reactions".
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from economy.ledger import Plan
from games.engine.facts import Told
from games.engine.table import OPEN, OVER
from games.matches.processing import bots, settlement
from games.matches.processing.locked_match import AcceptedAction, LockedMatch
from games.matches.processing.opening import AWAIT_LOG
from games.matches.processing.participants import Participants
from games.matches.processing.programs import unwanted_seats
from games.matches.queries.ratings import is_rated


class House(Protocol):
    """Applies the house's actions, with the batch's plan and participants."""

    plan: Plan
    participants: Participants

    def by_house(self, locked: LockedMatch, action: Mapping[str, Any]) -> None:
        """Apply an action of the house, with its consequences."""


def follow(house: House, locked: LockedMatch, facts: Sequence[Told]) -> None:
    """Do what follows from a step: start, pay, close the books, wake the next bot."""
    if locked.state.starting:
        # A step of the house's own, with its own consequences.
        start(house, locked)
        return
    if locked.state.stage == OPEN and (seats := unwanted_seats(locked)):
        house.by_house(locked, {"kind": "free", "seats": seats, "reason": "program"})
        return
    if locked.state.stage == OPEN and (away := house.participants.absent(locked)):
        house.by_house(locked, {"kind": "ask", "seats": away})
        return
    if locked.state.stage == OVER:
        pay_bonuses(house, locked, facts)
        for reaction in house.participants.reactions:
            reaction.over(locked, facts, house.plan)
    if locked.is_ending:
        close_books(house, locked)
    bots.wake(locked, facts)


def start(house: House, locked: LockedMatch) -> None:
    """Collect all purses as one group and start, or make seats that cannot pay unready. Nothing is
    dealt, and no salt asked for, before the opening is in the public log.
    """
    participants, plan = house.participants, house.plan
    if participants.awaits_log(locked):
        house.by_house(locked, {"kind": "await", "due_at": locked.at + AWAIT_LOG})
        return
    if away := participants.absent(locked):
        house.by_house(locked, {"kind": "ask", "seats": away})
        return
    if locked.state.needs_log:
        house.by_house(locked, {"kind": "ask_salts"})
        return
    seats, reason = participants.unwelcome(locked)
    if seats:
        house.by_house(locked, {"kind": "free", "seats": seats, "reason": reason})
        return
    participants.fund_bots(locked, plan)
    missing = participants.missing_purses(locked, plan)
    if missing:
        house.by_house(locked, {"kind": "short", "seats": missing})
        return
    purses = [(s.no, locked.seating.users[s.no], s.purse) for s in locked.state.taken]
    for move in settlement.purse_moves(locked.match.pk, purses):
        plan.move(move)
    participants.begun(locked)
    warned = participants.warned(locked)
    house.by_house(locked, {"kind": "start", **({"warned": warned} if warned else {})})
    locked.match.is_rated = is_rated(locked.game, locked.state)
    for reaction in participants.reactions:
        reaction.started(locked)


def pay_bonuses(house: House, locked: LockedMatch, facts: Sequence[Told]) -> None:
    """Pay the win bonuses that were earned, within the daily limits."""
    earned = [fact for fact in facts if fact.kind == "bonus_earned" and fact.data["amount"]]
    if not earned:
        return
    # Daily limits count payments, so no other transaction may pay these users meanwhile.
    house.plan.lock_all()
    paid = []
    for fact in earned:
        seat, amount = fact.data["seat"], fact.data["amount"]
        others = [s.user for no, s in locked.seats.items() if no != seat]
        user_id = locked.seating.users[seat]
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


def close_books(house: House, locked: LockedMatch) -> None:
    """Store each seat's result when the match ends, and require an empty escrow."""
    if locked.state.play is not None:
        locked.note_results()
        left = settlement.held_in_escrow(house.plan, locked.match.pk)
        if left:
            raise AssertionError(f"{locked.match!r} would end with {left} in escrow")
    for reaction in house.participants.reactions:
        reaction.closed(locked)
