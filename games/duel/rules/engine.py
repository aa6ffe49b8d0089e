"""Duel behind the contract every game keeps.

Source: docs/rules/duel.md; docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.duel.rules import actions, codec, legal, options, settling, suspending, throws, view
from games.duel.rules.state import DuelState, Reason, SeatState, Stage
from games.kernel.errors import NotInPhase, NotSeated, StaleAction, TooEarly
from games.kernel.facts import Action, Event, Instant, SeatNo, SeatSetup, Step, Viewer, replace

Handler = Callable[[DuelState, SeatState, Any, Instant], Step[DuelState]]


def resign(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Lose the duel at once, whatever stage it is in."""
    return settling.award(state, state.opponent(seat), Reason.RESIGNED)


#: The whole game at a glance: what may be asked when.  What is absent is refused.
HANDLERS: Final[Mapping[tuple[Stage, type[Any]], Handler]] = {
    (Stage.THROWING, actions.Throw): throws.throw,
    (Stage.THROWING, actions.Suspend): suspending.suspend,
    (Stage.THROWING, actions.WithdrawSuspend): suspending.withdraw_suspend,
    (Stage.THROWING, actions.Resign): resign,
    (Stage.THROWING, actions.Leave): resign,
    (Stage.SUSPENDED, actions.Resume): suspending.resume,
    (Stage.SUSPENDED, actions.WithdrawResume): suspending.withdraw_resume,
    (Stage.SUSPENDED, actions.Resign): resign,
    (Stage.SUSPENDED, actions.Leave): resign,
}


class Duel:
    """The rules of Duel; holds nothing, every method is a function of its arguments."""

    slug: str = "duel"
    version: int = 1
    title: str = "Duel"
    min_seats: int = options.SEATS
    max_seats: int = options.SEATS
    chosen_options: frozenset[str] = options.CHOSEN

    def clean_options(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the full options, defaults filled in; raises BadOption."""
        return options.clean_options(raw)

    def purse_limits(self, options_: Mapping[str, Any]) -> tuple[int, int]:
        """Return the stake twice: one sits down with exactly that, which may be 0."""
        return options_["stake"], options_["stake"]

    def setup(
        self, options_: Mapping[str, Any], seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[DuelState]:
        """Begin the first throw.  Nothing is drawn from the seed.

        Raises:
            BadOption: an option is wrong.
            ValueError: not seats 0 and 1, or a purse that is not the stake.
        """
        cleaned = options.clean_options(options_)
        if sorted(seat.no for seat in seats) != list(range(options.SEATS)):
            raise ValueError("a duel is between seats 0 and 1")
        if any(seat.purse != cleaned["stake"] for seat in seats):
            raise ValueError("a purse here is the stake, no more and no less")
        kept = options.kept_options(cleaned)
        state = DuelState(kept, (SeatState(SeatNo(0)), SeatState(SeatNo(1))))
        named = ("best_of", "no_ties", "clock_seconds", "stake")
        data = {"seats": [0, 1], **{name: cleaned[name] for name in named}}
        started = Step(state, (Event("game_started", data),))
        return started.then(lambda first: throws.start_throw(first, at))

    def legal_actions(self, state: DuelState, seat: SeatNo) -> list[Action]:
        """List what the seat may do now, in a stable order."""
        own = state.seat(seat)
        return [] if own is None else list(legal.legal_actions(state, own))

    def apply(self, state: DuelState, seat: SeatNo, action: Action, at: Instant) -> Step[DuelState]:
        """Return what follows from a seat's action.

        Raises:
            IllegalAction: one of its kinds, as the handlers name them; also
                NotSeated, NotInPhase, and StaleAction past the deadline.
        """
        own = state.seat(seat)
        if own is None:
            raise NotSeated("only a seat that takes part may act")
        handler = HANDLERS.get((state.stage, type(action)))
        if handler is None:
            raise NotInPhase(_not_now(state.stage), stage=state.stage.value)
        if state.due_at is not None and at >= state.due_at:
            raise StaleAction("the clock has run out")
        return handler(state, own, action, at)

    def on_deadline(self, state: DuelState, at: Instant) -> Step[DuelState]:
        """Decide the throw with the hands that are in, or end a suspension.

        Raises:
            NotInPhase: no clock runs.
            TooEarly: it has not run out.
        """
        if state.due_at is None:
            raise NotInPhase("no clock runs", stage=state.stage.value)
        if at < state.due_at:
            raise TooEarly("the clock has not run out", due_at=state.due_at)
        if state.stage is Stage.SUSPENDED:
            return suspending.run_out(state)
        return throws.resolve(state, at)

    def deadline(self, state: DuelState) -> Instant | None:
        """Return when the running clock ends, None when none runs."""
        return state.due_at

    def clock_limit(self, state: DuelState) -> int | None:
        """Return the throw's or the suspension's clock in milliseconds, None when over."""
        return state.clock_limit

    def postpone(self, state: DuelState, due_at: Instant) -> Step[DuelState]:
        """Repay an outage: the later deadline counts, of a throw and of a suspension."""
        if state.due_at is None:
            return Step(state)
        later = max(state.due_at, due_at)
        return Step(replace(state, due_at=later), (Event("clock_postponed", {"due_at": later}),))

    def void(self, state: DuelState) -> Step[DuelState]:
        """End the duel and give the stakes back, untaxed; raises NotInPhase when it is over."""
        if state.stage is Stage.OVER:
            raise NotInPhase(_not_now(state.stage), stage=state.stage.value)
        return settling.void_game(state)

    def phase(self, state: DuelState) -> int:
        """Return the public counter of throws, suspensions, resumptions and the end."""
        return state.phase

    def view(self, state: DuelState, viewer: Viewer) -> dict[str, Any]:
        """Build what the viewer may see; view.GameView names every field."""
        return dict(view.build_view(state, viewer))

    def is_over(self, state: DuelState) -> bool:
        """Tell whether the duel has ended, by play or by voiding."""
        return state.stage is Stage.OVER

    def outcome(self, state: DuelState) -> dict[SeatNo, dict[str, Any]]:
        """Return each seat's result, ``net`` in points; empty while the duel runs."""
        result = state.result
        if result is None:
            return {}
        return {
            seat.no: {
                "won": seat.no in result.winners,
                "drawn": result.reason is Reason.DRAW,
                "net": result.awards[seat.no] - state.options.stake,
            }
            for seat in state.seats
        }

    def carry_over(self, state: DuelState) -> dict[str, Any]:
        """Return nothing: the next duel has the table's options as they stand."""
        return {}

    def pending_seats(self, state: DuelState) -> tuple[SeatNo, ...]:
        """Return the seats the duel waits for: a hand, an answer, a coming back."""
        return tuple(seat.no for seat in state.seats if legal.is_pending(state, seat))

    def encode_state(self, state: DuelState) -> str:
        """Write a state as canonical text, hands included."""
        return codec.encode_state(state)

    def decode_state(self, text: str) -> DuelState:
        """Read what encode_state wrote; raises ValueError."""
        return codec.decode_state(text)

    def encode_action(self, action: Any) -> dict[str, Any]:
        """Write an action as it goes over the wire."""
        return actions.encode_action(action)

    def decode_action(self, raw: Mapping[str, Any]) -> Action:
        """Read an action from the wire; raises BadField."""
        return actions.decode_action(raw)


def _not_now(stage: Stage) -> str:
    return "the duel is over" if stage is Stage.OVER else f"not while {stage.value}"
