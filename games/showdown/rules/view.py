"""The view of a game, built field by field, so that a new field of the state stays hidden. Instants
are ISO 8601 in UTC, spans milliseconds, amounts points.
Source: docs/rules/showdown.md, "What each viewer sees"; docs/reference/protocol.md, "The view".
"""

from typing import Final, TypedDict

from msgspec import UNSET

from games.engine.facts import IdentityCache, SeatNo, iso
from games.showdown.rules.betting import call_amount, may_raise, raise_bounds
from games.showdown.rules.choices import free_stock, targets_of
from games.showdown.rules.legal import legal_kinds
from games.showdown.rules.settling import paid_out, planted_mines
from games.showdown.rules.state import Battle, RoundRecord, SeatState, Stage, TableState
from games.showdown.rules.weapons import stock_by_name


class PotView(TypedDict):
    """A pot and its claimants."""

    amount: int
    claimants: list[int]


class BetView(TypedDict):
    """The state of the betting; the bounds of a raise are in ``you``."""

    to_match: int
    smallest_raise: int
    raises_left: int


class KnownView(TypedDict):
    """The most that a seat can have of each weapon, as all can count it: an unused combination is
    not seen. ``added``: weapons from its permanent stock, of a kind not seen yet.
    """

    rock: int
    paper: int
    scissors: int
    added: int


class SeatView(TypedDict):
    """The public part of a seat."""

    no: int
    purse: int
    stake: int
    status: str  # in, all_in, folded, gave_up
    points: int  # victory points
    locked: bool
    leaving: bool  # has given up; out at the end of this round
    fresh: bool  # scored in the last round
    arsenal_added: int
    known: KnownView | None  # None: by version 1 of the rules


class YouView(TypedDict):
    """The private part of the viewer's own seat."""

    seat: int
    stock: dict[str, int]  # free to choose, all nine names
    attacks: dict[str, str]  # target -> weapon
    mines: dict[str, int]  # target -> own mines that can still go off
    locked: bool
    warned: bool  # missed the last round and has done nothing yet: else it gives up
    may: list[str]
    call_amount: int | None
    raise_min: int | None
    raise_max: int | None
    targets: list[int]


class MineView(TypedDict):
    """The seat and its mines; 0: none was planted and the seat was drawn."""

    seat: int
    count: int


class BattleView(TypedDict):
    """A pair's battle, ``a`` is the lower seat; None: no weapon, no winner, nothing taken."""

    a: int
    b: int
    a_weapon: str | None
    b_weapon: str | None
    winner: int | None
    taken: str | None
    taken_by: int | None


class RoundView(TypedDict):
    """A resolved round."""

    round: int
    battles: list[BattleView]
    wins: dict[str, int]
    points: dict[str, int]
    mine: MineView | None


class PotResultView(TypedDict):
    """The payout of a pot; tax and shares add up to the amount."""

    amount: int
    tax: int
    shares: dict[str, int]


class SeatResultView(TypedDict):
    """The points that a seat paid in and got back, without bonuses."""

    paid_in: int
    paid_out: int
    net: int


class ResultView(TypedDict):
    """The result of the game."""

    winners: list[int]
    reason: str  # target, folds, last_left, all_gave_up, void
    pots: list[PotResultView]
    seats: dict[str, SeatResultView]
    mines: list[dict[str, int]]


class PublicView(TypedDict):
    """The part of the view that all viewers get."""

    stage: str  # betting, round, over
    phase: int
    round: int
    target: int
    ante: int
    tax_bp: int
    dealer: int
    turn: int | None
    due_at: str | None
    clock_limit: int | None
    pot: int
    pots: list[PotView]
    bet: BetView
    seats: list[SeatView]
    last_round: RoundView | None
    result: ResultView | None


def _public_view(state: TableState) -> PublicView:
    return {
        "stage": state.stage,
        "phase": state.phase,
        "round": state.round,
        "target": state.options.target,
        "ante": state.options.ante,
        "tax_bp": state.options.tax_bp,
        "dealer": state.dealer,
        "turn": state.turn,
        "due_at": None if state.due_at is None else iso(state.due_at),
        "clock_limit": state.clock_limit,
        "pot": sum([seat.stake for seat in state.seats]),
        "pots": [{"amount": pot.amount, "claimants": list(pot.claimants)} for pot in state.pots],
        "bet": {
            "to_match": state.to_match,
            "smallest_raise": state.smallest_raise,
            "raises_left": state.options.full_raises - state.full_raises,
        },
        "seats": [_seat(state, seat) for seat in state.seats],
        "last_round": None if state.last_round is None else _ROUNDS.of(state.last_round),
        "result": _result(state),
    }


#: The public view, built once per state.
PUBLIC: Final = IdentityCache(_public_view)


def _seat(state: TableState, seat: SeatState) -> SeatView:
    scored = () if state.last_round is None else dict(state.last_round.points)
    return {
        "no": seat.no,
        "purse": seat.purse,
        "stake": seat.stake,
        "status": seat.status,
        "points": seat.points,
        "locked": seat.is_locked,
        "leaving": seat.is_leaving,
        "fresh": seat.no in scored,
        "arsenal_added": sum(seat.added),
        "known": _known(seat),
    }


def _known(seat: SeatState) -> KnownView | None:
    if seat.known is UNSET:
        return None
    rock, paper, scissors, seen = seat.known
    left = sum(seat.added) - seen
    return {"rock": rock, "paper": paper, "scissors": scissors, "added": left}


def own_view(state: TableState, no: SeatNo) -> YouView | None:
    """Build the part that only the seat gets; None if the seat does not play."""
    seat = state.seat(no)
    if seat is None:
        return None
    is_choosing = state.stage == Stage.ROUND and seat.is_in
    has_turn = state.turn == seat.no
    bounds = raise_bounds(state, seat) if has_turn and may_raise(state, seat) else None
    return {
        "seat": seat.no,
        "stock": stock_by_name(free_stock(seat)),
        "attacks": {str(target): weapon for target, weapon in seat.attacks},
        "mines": {str(target): count for target, count in seat.mines},
        "locked": seat.is_locked,
        "warned": bool(seat.absences) and not seat.is_active,
        "may": legal_kinds(state, seat),
        "call_amount": call_amount(state, seat) if has_turn else None,
        "raise_min": bounds[0] if bounds else None,
        "raise_max": bounds[1] if bounds else None,
        "targets": list(targets_of(state, seat)) if is_choosing else [],
    }


def own_sources(state: TableState) -> dict[SeatNo, object]:
    """Return what each own view is made from; on its turn a seat's follows from the whole state."""
    live = [seat.no for seat in state.live]
    return {seat.no: (seat, state.stage, live) for seat in state.seats if seat.no != state.turn}


def _battle(battle: Battle) -> BattleView:
    return {
        "a": battle.a,
        "b": battle.b,
        "a_weapon": battle.a_weapon,
        "b_weapon": battle.b_weapon,
        "winner": battle.winner,
        "taken": battle.taken,
        "taken_by": battle.taken_by,
    }


def _round(record: RoundRecord) -> RoundView:
    mine = record.mine
    return {
        "round": record.round,
        "battles": [_battle(battle) for battle in record.battles],
        "wins": {str(seat): wins for seat, wins in record.wins},
        "points": {str(seat): points for seat, points in record.points},
        "mine": None if mine is None else {"seat": mine[0], "count": mine[1]},
    }


#: The last round's result is in all views of the next round, so it is cached.
_ROUNDS: Final = IdentityCache(_round)


def _result(state: TableState) -> ResultView | None:
    if state.result is None:
        return None
    back = {seat.no: paid_out(state, seat) for seat in state.seats}
    return {
        "winners": list(state.result.winners),
        "reason": state.result.reason,
        "pots": [
            {
                "amount": payout.amount,
                "tax": payout.tax,
                "shares": {str(seat): points for seat, points in payout.shares},
            }
            for payout in state.result.payouts
        ],
        "seats": {
            str(seat.no): {
                "paid_in": seat.brought,
                "paid_out": back[seat.no],
                "net": back[seat.no] - seat.brought,
            }
            for seat in state.seats
        },
        "mines": [
            {"owner": mine.owner, "target": mine.target, "count": mine.count}
            for mine in planted_mines(state)
        ],
    }
