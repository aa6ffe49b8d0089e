"""The rules of Showdown, an implementation of the contract of a game.
Source: docs/rules/showdown.md.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from games.engine import protocols
from games.engine.draws import draw_one
from games.engine.errors import NotInPhase, StaleAction, refuse
from games.engine.facts import Instant, Points, SeatNo, SeatSetup, Step, Told
from games.engine.stakes import clockwise
from games.engine.structs import replace
from games.showdown.rules import (
    actions,
    betting,
    choices,
    facts,
    legal,
    rounds,
    settling,
    view,
    weapons,
)
from games.showdown.rules.state import (
    MOST_SEATS,
    PREVIOUS_DEALER,
    SeatState,
    Stage,
    Status,
    TableState,
    dealt_of_each,
)
from games.showdown.rules.state import Options as ShowdownOptions

Handler = Callable[[TableState, SeatState, Any, Instant], Step[TableState]]

#: (stage, action type) -> its handler.  Any other action is refused.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.BETTING, actions.Call): betting.call,
    (Stage.BETTING, actions.RaiseBy): betting.raise_by,
    (Stage.BETTING, actions.Fold): betting.fold,
    (Stage.BETTING, actions.Leave): betting.leave_betting,
    (Stage.ROUND, actions.Attack): choices.attack,
    (Stage.ROUND, actions.Reset): choices.reset,
    (Stage.ROUND, actions.Combine): choices.combine,
    (Stage.ROUND, actions.Add): choices.add,
    (Stage.ROUND, actions.Mine): choices.mine,
    (Stage.ROUND, actions.Lock): choices.lock,
    (Stage.ROUND, actions.Unlock): choices.unlock,
    (Stage.ROUND, actions.Leave): choices.leave_round,
}


#: The refusal of an action that belongs to the other stage.
TOO_SOON: Final[Mapping[Stage, str]] = {
    Stage.BETTING: "the betting comes first: call, raise or fold",
    Stage.ROUND: "the betting is over: choose your weapons",
}


class SeatOutcome(protocols.Outcome, frozen=True):
    """The outcome for one seat, in points; the site pays bonuses."""

    status: Status
    points: int  # victory points
    paid_in: Points
    paid_out: Points


class Showdown(protocols.TableRules):
    """The rules of Showdown; every method is a function of its arguments."""

    version: int = 2
    #: Whether the weapons that all can count are kept.
    is_counting: ClassVar[bool] = True
    State: Any = TableState
    Action: Any = actions.ShowdownAction
    Fact: Any = facts.ShowdownFact
    public_view: Any = staticmethod(view.PUBLIC.of)
    own_view: Any = staticmethod(view.own_view)
    own_sources: Any = staticmethod(view.own_sources)
    Options: Any = ShowdownOptions
    min_seats: int = 2
    max_seats: int = MOST_SEATS

    def purse_limits(self, chosen: ShowdownOptions) -> tuple[int, int]:
        return chosen.ante, chosen.largest_purse

    def setup(
        self, chosen: ShowdownOptions, seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[TableState]:
        _require_seats(chosen, seats)
        dealt = dealt_of_each(chosen, len(seats))
        state = _dealt(chosen, seats, seed, dealt)
        if self.is_counting:
            known = (dealt, dealt, dealt, 0)
            state = replace(state, seats=tuple([replace(s, known=known) for s in state.seats]))
        named = dict.fromkeys((weapon.value for weapon in weapons.BASIC), dealt)
        fact = facts.GameStarted(state.dealer, tuple(seat.no for seat in state.seats), named)
        return Step(state, (Told(fact),)).then(lambda s: betting.open_betting(s, at))

    def legal_actions(self, state: TableState, seat: SeatNo) -> list[actions.ShowdownAction]:
        own = state.seat(seat)
        return [] if own is None else legal.legal_actions(state, own)

    def apply(
        self, state: TableState, seat: SeatNo, action: actions.ShowdownAction, at: Instant
    ) -> Step[TableState]:
        own = state.seat(seat)
        if own is None:
            refuse("action/not_seated", "only a seat that takes part may act")
        if state.stage == Stage.OVER:
            raise NotInPhase("the game is over", stage=state.stage.value)
        if not legal.may_act(state, own):
            refuse("action/out", "you are out of this game")
        handler = HANDLERS.get((state.stage, type(action)))
        if handler is None:
            raise NotInPhase(TOO_SOON[state.stage], stage=state.stage.value)
        if state.due_at is not None and at >= state.due_at:
            raise StaleAction("the clock has run out")
        return handler(state, own, action, at)

    def on_deadline(self, state: TableState, at: Instant) -> Step[TableState]:
        protocols.require_run_out(state.due_at, at)
        if state.stage == Stage.BETTING:
            return betting.fold_late(state, at)
        resolved = rounds.resolve_round(state, at)
        return resolved.then(lambda s: rounds.run_rounds(s, at))

    def clock_limit(self, state: TableState) -> int | None:
        return state.clock_limit

    def postpone(self, state: TableState, due_at: Instant) -> Step[TableState]:
        """Repay an outage; no seat is absent in this round."""
        step = super().postpone(state, due_at)
        return Step(replace(step.state, is_excused=state.stage == Stage.ROUND), step.events)

    def void(self, state: TableState) -> Step[TableState]:
        if state.stage == Stage.OVER:
            raise NotInPhase("the game is over", stage=state.stage.value)
        return settling.void_game(state)

    def leave(self, state: TableState, seat: SeatNo, at: Instant) -> Step[TableState]:
        return self.apply(state, seat, actions.Leave(), at)

    def is_over(self, state: TableState) -> bool:
        return state.stage == Stage.OVER

    def outcome(self, state: TableState) -> Mapping[SeatNo, SeatOutcome]:
        if state.result is None:
            return {}
        return {seat.no: _seat_outcome(state, seat) for seat in state.seats}

    def places(self, state: TableState) -> protocols.Places:
        return settling.places(state)

    def carry_over(self, state: TableState) -> dict[str, Any]:
        return {PREVIOUS_DEALER: state.dealer}

    def pending_seats(self, state: TableState) -> tuple[SeatNo, ...]:
        return tuple(seat.no for seat in state.seats if legal.is_pending(state, seat))


class FirstShowdown(Showdown):
    """The rules of version 1, for matches opened with them."""

    version: int = 1
    is_counting: ClassVar[bool] = False


def _require_seats(chosen: ShowdownOptions, seats: Sequence[SeatSetup]) -> None:
    numbers = {seat.no for seat in seats}
    if not 2 <= len(seats) <= chosen.seats or len(numbers) != len(seats):
        raise ValueError("a game takes two or more different seats, as many as the table has")
    if min(numbers) < 0 or max(numbers) >= chosen.seats:
        raise ValueError(f"there is no such seat among {sorted(numbers)}")
    if any(not chosen.ante <= seat.purse <= chosen.largest_purse for seat in seats):
        raise ValueError("a purse holds at least the ante and at most the largest purse")


def _dealt(
    chosen: ShowdownOptions, seats: Sequence[SeatSetup], seed: str, dealt: int
) -> TableState:
    """Return the state before the antes, with ``dealt`` of each basic weapon for each seat."""
    stock = (dealt,) * len(weapons.BASIC) + weapons.EMPTY_STOCK[len(weapons.BASIC) :]
    placed = sorted(seats, key=lambda seat: seat.no)
    numbers, previous = [seat.no for seat in placed], chosen.previous_dealer
    # Drawn for a table's first game; later the deal moves to the next seat clockwise.
    dealer = (
        draw_one(seed, "dealer", numbers) if previous is None else clockwise(numbers, previous)[0]
    )
    return TableState(
        options=chosen,
        seed=seed,
        dealer=dealer,
        seats=tuple(
            SeatState(seat.no, seat.purse, Points(seat.purse), stock=stock) for seat in placed
        ),
    )


def _seat_outcome(state: TableState, seat: SeatState) -> SeatOutcome:
    assert state.result is not None
    back = settling.paid_out(state, seat)
    # A void game, without winners, has no result.
    lost = protocols.Result.LOST if state.result.winners else protocols.Result.NONE
    return SeatOutcome(
        result=protocols.Result.WON if seat.no in state.result.winners else lost,
        net=back - seat.brought,
        status=seat.status,
        points=seat.points,
        paid_in=seat.brought,
        paid_out=back,
    )
