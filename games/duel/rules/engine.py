"""The rules of Duel, an implementation of the contract of a game.
Source: docs/rules/duel.md.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from msgspec import UNSET

from games.duel.rules import actions, throws, view
from games.duel.rules.facts import DuelFact, GameStarted
from games.duel.rules.state import (
    SEATS,
    DuelState,
    FirstOptions,
    FirstState,
    Reason,
    SeatState,
    Stage,
)
from games.duel.rules.state import Options as DuelOptions
from games.engine.errors import NotInPhase, StaleAction, refuse
from games.engine.facts import Instant, SeatNo, SeatSetup, Step, Told
from games.engine.protocols import Outcome, Result, require_run_out
from games.engine.stakes import StakeRules, outcomes_of
from games.engine.table.state import is_quick

Handler = Callable[[DuelState, SeatState, Any, Instant], Step[DuelState]]


def resign(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Lose the duel at once."""
    return throws.settle(state, (state.opponent(seat).no,), Reason.RESIGNED)


#: (stage, action type) -> its handler.  Any other action is refused.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.THROWING, actions.Throw): throws.throw,
    (Stage.THROWING, actions.Suspend): throws.suspend,
    (Stage.THROWING, actions.WithdrawSuspend): throws.withdraw_suspend,
    (Stage.THROWING, actions.Resign): resign,
    (Stage.THROWING, actions.Leave): resign,
    (Stage.SUSPENDED, actions.Resume): throws.resume,
    (Stage.SUSPENDED, actions.WithdrawResume): throws.withdraw_resume,
    (Stage.SUSPENDED, actions.Resign): resign,
    (Stage.SUSPENDED, actions.Leave): resign,
}


class Duel(StakeRules):
    """The rules of Duel; every method is a function of its arguments."""

    version: int = 3
    holds_options: ClassVar[bool] = True
    Options: Any = DuelOptions
    State: Any = DuelState
    Action: Any = actions.DuelAction
    Fact: Any = DuelFact
    public_view: Any = staticmethod(view.PUBLIC.of)
    own_view: Any = staticmethod(view.own_view)

    def setup(
        self, options: DuelOptions, seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[DuelState]:
        """Begin the first throw; the seed is not used. Raises ValueError for seats or purses that
        cannot play.
        """
        if sorted(seat.no for seat in seats) != list(range(SEATS)):
            raise ValueError("a duel is between seats 0 and 1")
        if any(seat.purse != options.stake for seat in seats):
            raise ValueError("a purse here is the stake, no more and no less")
        placed = sorted(seats, key=lambda seat: seat.no)
        state: DuelState = self.State(
            options, tuple(SeatState(seat.no, is_warned=seat.is_warned or UNSET) for seat in placed)
        )
        began = GameStarted(
            seats=(SeatNo(0), SeatNo(1)),
            best_of=options.best_of,
            no_ties=options.no_ties,
            clock_seconds=options.clock_seconds,
            stake=options.stake,
        )
        return Step(state, (Told(began),)).then(lambda new: throws.start_throw(new, at))

    def legal_actions(self, state: DuelState, seat: SeatNo) -> list[actions.DuelAction]:
        own = state.seat(seat)
        return [] if own is None else actions.legal_actions(state, own)

    def apply(
        self, state: DuelState, seat: SeatNo, action: actions.DuelAction, at: Instant
    ) -> Step[DuelState]:
        """Return the step of a seat's action; raises an IllegalAction of its handler,
        action/not_seated, NotInPhase, or StaleAction past the deadline.
        """
        own = state.seat(seat)
        if own is None:
            refuse("action/not_seated", "only a seat that takes part may act")
        handler = HANDLERS.get((state.stage, type(action)))
        if handler is None:
            raise NotInPhase(_not_now(state.stage), stage=state.stage.value)
        if state.due_at is not None and at >= state.due_at:
            raise StaleAction("the clock has run out")
        return handler(state, own, action, at)

    def on_deadline(self, state: DuelState, at: Instant) -> Step[DuelState]:
        """Resolve the throw with the hands that are in, or end a suspension. Raises NotInPhase,
        action/too_early.
        """
        require_run_out(state.due_at, at)
        if state.stage == Stage.SUSPENDED:
            return throws.run_out(state)
        return throws.resolve(state, at)

    def clock_limit(self, state: DuelState) -> int | None:
        if state.stage == Stage.OVER:
            return None
        if state.stage == Stage.SUSPENDED:
            return state.options.suspension_milliseconds
        return state.options.clock_milliseconds

    def void(self, state: DuelState) -> Step[DuelState]:
        if state.stage == Stage.OVER:
            raise NotInPhase(_not_now(state.stage), stage=state.stage.value)
        return throws.settle(state, (), Reason.VOID)

    def leave(self, state: DuelState, seat: SeatNo, at: Instant) -> Step[DuelState]:
        return self.apply(state, seat, actions.Leave(), at)

    def is_over(self, state: DuelState) -> bool:
        return state.stage == Stage.OVER

    def outcome(self, state: DuelState) -> dict[SeatNo, Outcome]:
        result = state.result
        if result is None:
            return {}
        shares = {seat.no: result.awards[seat.no] for seat in state.seats}
        unwon = Result.DRAWN if result.reason == Reason.DRAW else Result.NONE
        return outcomes_of(state.options.stake, shares, result.winners, unwon)

    def pending_seats(self, state: DuelState) -> tuple[SeatNo, ...]:
        return tuple(seat.no for seat in state.seats if actions.is_pending(state, seat))

    def carry_over(self, state: DuelState) -> dict[str, Any]:
        """Return the options of a rematch: between two who know each other, so not quick."""
        return {"quick": False} if is_quick(state.options) else {}


class SecondDuel(Duel):
    """The rules of version 2, for matches opened with them: no quick one is long."""

    version: int = 2


class FirstDuel(Duel):
    """The rules of version 1, for matches opened with them: none is quick."""

    version: int = 1
    holds_options: ClassVar[bool] = False
    Options: Any = FirstOptions
    State: Any = FirstState


def _not_now(stage: Stage) -> str:
    return "the duel is over" if stage == Stage.OVER else f"not while {stage.value}"
