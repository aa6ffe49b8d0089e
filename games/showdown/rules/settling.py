"""The end of a game: pots, tax, weapons, bonuses, what is revealed; or everything back.

Source: docs/rules/showdown.md, "Settling".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from games.kernel.facts import Event, Points, SeatNo, Step, replace
from games.kernel.pots import Pot, clockwise, keep_claims, split_pot, tax_on
from games.showdown.rules.state import (
    LANDMINE,
    Payout,
    Reason,
    Result,
    SeatState,
    Stage,
    TableState,
)
from games.showdown.rules.weapons import BASIC, stock_by_name

#: Rounds in which everybody still in must have acted before a bonus is paid.
ROUNDS_FOR_BONUS: Final = 3


def settle(state: TableState, live: Sequence[SeatNo], reason: Reason) -> Step[TableState]:
    """End the game: every pot to the best of its claimants, less tax.

    Args:
        state: the game after its last round, or after the betting.
        live: the seats that are settled among; those of the last round when
            the last ones have all given up in it.
        reason: why the game ends.
    """
    winners = _best(state, live)
    payouts = tuple(_pay_out(state, pot) for pot in keep_claims(state.pots, live))
    result = Result(tuple(sorted(winners)), reason, payouts)
    over = _close(state, result)
    data = {"winners": list(result.winners), "reason": reason.value}
    events = [Event("game_ended", data)]
    for index, payout in enumerate(payouts):
        events += _payout_events(index, payout)
    events += _weapon_events(state, "weapons_used")
    events += _bonus_events(state, live, winners)
    return Step(over, (*events, _revealed(state)))


def void_game(state: TableState) -> Step[TableState]:
    """End the game and give everything back: points untaxed, added weapons and mines too."""
    refunds = [
        Event("stake_refunded", {"seat": seat.no, "amount": seat.purse + seat.stake})
        for seat in state.seats
        if seat.purse + seat.stake
    ]
    weapons = _weapon_events(state, "weapon_refunded")
    over = _close(state, Result((), Reason.VOID))
    return Step(over, (Event("game_voided", {}), *refunds, *weapons, _revealed(state)))


def paid_out(state: TableState, seat: SeatState) -> Points:
    """Return what an ended game gave back to the seat, of what it brought, in points."""
    assert state.result is not None
    if state.result.reason is Reason.VOID:
        return seat.brought
    shares = (dict(payout.shares).get(seat.no, 0) for payout in state.result.payouts)
    return Points(seat.brought - seat.stake + sum(shares))


def planted_mines(state: TableState) -> list[dict[str, int]]:
    """Return every mine planted in the game, gone off or not, by owner and target."""
    return [
        {"owner": seat.no, "target": target, "count": count}
        for seat in state.seats
        for target, count in seat.planted
    ]


def _close(state: TableState, result: Result) -> TableState:
    return replace(
        state,
        stage=Stage.OVER,
        phase=state.phase + 1,
        turn=None,
        due_at=None,
        is_excused=False,
        result=result,
    )


def _best(state: TableState, among: Collection[SeatNo]) -> tuple[SeatNo, ...]:
    """Return who has the most victory points, clockwise from left of the dealer."""
    points = {seat.no: seat.points for seat in state.seats if seat.no in among}
    most = max(points.values())
    return clockwise([no for no in points if points[no] == most], state.dealer)


def _pay_out(state: TableState, pot: Pot) -> Payout:
    tax = tax_on(pot.amount, state.options.tax_bp)
    shares = split_pot(Points(pot.amount - tax), _best(state, pot.claimants))
    return Payout(pot.amount, tax, tuple(sorted(shares.items())))


def _payout_events(index: int, payout: Payout) -> list[Event]:
    awards = [
        Event("pot_awarded", {"pot": index, "seat": seat, "amount": amount})
        for seat, amount in payout.shares
        if amount
    ]
    if payout.tax:
        awards.append(Event("tax_taken", {"pot": index, "amount": payout.tax}))
    return awards


def _weapon_events(state: TableState, kind: str) -> list[Event]:
    """Name every weapon and mine that came from a permanent stock."""
    return [
        Event(kind, {"seat": seat.no, "weapon": weapon, "count": count})
        for seat in state.seats
        for weapon, count in _from_permanent_stock(seat).items()
        if count
    ]


def _from_permanent_stock(seat: SeatState) -> dict[str, int]:
    added = {weapon.value: count for weapon, count in zip(BASIC, seat.added, strict=True)}
    return {**added, LANDMINE: sum(count for _, count in seat.planted)}


def _bonus_events(
    state: TableState, live: Sequence[SeatNo], winners: Collection[SeatNo]
) -> list[Event]:
    """Award bonuses by the engine's part of the rule; daily limits are the site's part.

    A loser is somebody who was still in at the end: folding earns nothing.
    """
    last = [seat for seat in state.seats if seat.no in live]
    if state.round == 0 or any(seat.rounds_active < ROUNDS_FOR_BONUS for seat in last):
        return []
    earned = {
        seat.no: state.options.win_bonus if seat.no in winners else state.options.loser_bonus
        for seat in last
    }
    return [
        Event("bonus_earned", {"seat": no, "amount": amount})
        for no, amount in earned.items()
        if amount
    ]


def _revealed(state: TableState) -> Event:
    stocks: dict[str, Any] = {str(seat.no): stock_by_name(seat.stock) for seat in state.seats}
    return Event("revealed", {"mines": planted_mines(state), "stocks": stocks})
