"""The end of a game: pots, tax, weapons, bonuses, revealed secrets; or a full refund.
Source: docs/rules/showdown.md, "Settling".
"""

from collections.abc import Collection, Sequence
from typing import Final

from games.engine import protocols
from games.engine.facts import Points, SeatNo, Step, Told
from games.engine.stakes import Pot, clockwise, keep_claims, split_pot, tax_on, told_points
from games.engine.structs import replace
from games.showdown.rules import facts
from games.showdown.rules.state import Ending, Payout, Reason, SeatState, Stage, Status, TableState
from games.showdown.rules.weapons import PermanentItem, stock_by_name

#: The number of rounds in which each live seat must have acted before bonuses are paid.
ROUNDS_FOR_BONUS: Final = 3


def settle(state: TableState, live: Sequence[SeatNo], reason: Reason) -> Step[TableState]:
    """End the game: pay every pot, less tax, to the best of its claimants. ``live``: the seats that
    can win; if the last ones gave up together, those.
    """
    winners = _best(state, live)
    payouts = tuple(_pay_out(state, pot) for pot in keep_claims(state.pots, live))
    result = Ending(tuple(sorted(winners)), reason, payouts)
    told = [Told(facts.GameEnded(result.winners, reason))]
    for no, payout in enumerate(payouts):
        told += [Told(facts.PotAwarded(no, seat, share)) for seat, share in payout.shares if share]
        if payout.tax:
            told.append(Told(facts.TaxTaken(no, payout.tax)))
    told += _permanent_items(state, facts.WeaponsUsed)
    told += _bonuses(state, live, winners)
    return Step(_close(state, result), (*told, _revealed(state)))


def void_game(state: TableState) -> Step[TableState]:
    """Void the game and return everything: points untaxed, added weapons, planted mines."""
    refunds = told_points(
        facts.StakeRefunded, {seat.no: Points(seat.purse + seat.stake) for seat in state.seats}
    )
    items = _permanent_items(state, facts.WeaponRefunded)
    over = _close(state, Ending((), Reason.VOID))
    return Step(over, (Told(facts.GameVoided()), *refunds, *items, _revealed(state)))


def paid_out(state: TableState, seat: SeatState) -> Points:
    """Return the points that an ended game paid back to the seat."""
    assert state.result is not None
    if state.result.reason == Reason.VOID:
        return seat.brought
    shares = (dict(payout.shares).get(seat.no, 0) for payout in state.result.payouts)
    return Points(seat.brought - seat.stake + sum(shares))


def places(state: TableState) -> protocols.Places:
    """Return the places by victory points of the seats that fought, none without a fought round.
    Who gave up comes after all who stayed; the last ones, if they gave up together, have stayed.
    Source: docs/rules/showdown.md "Ratings".
    """
    ending, last = state.result, state.last_round
    if ending is None or ending.reason == Reason.VOID or last is None:
        return protocols.Places({})
    stayed = {seat.no for seat in state.live} or {no for no, _ in last.wins}
    fought = [seat for seat in state.seats if seat.status != Status.FOLDED]
    ends = {seat.no: (seat.no not in stayed, -seat.points) for seat in fought}
    order = sorted(ends.values())
    folded = frozenset(seat.no for seat in state.seats if seat.status == Status.FOLDED)
    return protocols.Places({no: 1 + order.index(end) for no, end in ends.items()}, folded)


def planted_mines(state: TableState) -> tuple[facts.Minefield, ...]:
    """Return every mine planted in the game, exploded or not."""
    return tuple(
        facts.Minefield(seat.no, target, count)
        for seat in state.seats
        for target, count in seat.planted
    )


def _close(state: TableState, result: Ending) -> TableState:
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
    """Return the seats with the most victory points, clockwise from left of the dealer."""
    points = {seat.no: seat.points for seat in state.seats if seat.no in among}
    most = max(points.values())
    return clockwise([no for no in points if points[no] == most], state.dealer)


def _pay_out(state: TableState, pot: Pot) -> Payout:
    tax = tax_on(pot.amount, state.options.tax_bp)
    shares = split_pot(Points(pot.amount - tax), _best(state, pot.claimants))
    return Payout(pot.amount, tax, tuple(sorted(shares.items())))


def _permanent_items(
    state: TableState, kind: type[facts.WeaponsUsed | facts.WeaponRefunded]
) -> list[Told]:
    """Return a fact for every item from a permanent stock."""
    return [
        Told(kind(seat.no, item, count))
        for seat in state.seats
        for item, count in zip(
            PermanentItem, (*seat.added, sum(n for _, n in seat.planted)), strict=True
        )
        if count
    ]


def _bonuses(
    state: TableState, live: Sequence[SeatNo], winners: Collection[SeatNo]
) -> Sequence[Told]:
    """Return the bonuses by the rules; the site applies its daily limits. A loser must be live at
    the end.
    """
    last = [seat for seat in state.seats if seat.no in live]
    if state.round == 0 or any(seat.rounds_active < ROUNDS_FOR_BONUS for seat in last):
        return []
    earned = {
        seat.no: state.options.win_bonus if seat.no in winners else state.options.loser_bonus
        for seat in last
    }
    return told_points(facts.BonusEarned, earned)


def _revealed(state: TableState) -> Told:
    stocks = {str(seat.no): stock_by_name(seat.stock) for seat in state.seats}
    return Told(facts.Revealed(planted_mines(state), stocks))
