"""Showdown behind the contract every game keeps.

Source: docs/rules/showdown.md; docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.kernel.draws import draw_one
from games.kernel.errors import IsOut, NotInPhase, NotSeated, StaleAction, TooEarly
from games.kernel.facts import (
    Action,
    Event,
    Instant,
    Points,
    SeatNo,
    SeatSetup,
    Step,
    Viewer,
    replace,
)
from games.kernel.pots import clockwise
from games.showdown.rules import (
    actions,
    betting,
    choices,
    codec,
    legal,
    options,
    rounds,
    settling,
    view,
    weapons,
)
from games.showdown.rules.state import SeatState, Stage, TableState

Handler = Callable[[TableState, SeatState, Any, Instant], Step[TableState]]

#: The whole game at a glance: what may be asked when.  What is absent is refused.
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


class Showdown:
    """The rules of Showdown; holds nothing, every method is a function of its arguments."""

    slug: str = "showdown"
    version: int = 1
    title: str = "Showdown"
    min_seats: int = 2
    max_seats: int = options.MOST_SEATS
    chosen_options: frozenset[str] = options.CHOSEN

    def clean_options(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the full options, defaults filled in; raises BadOption."""
        return options.clean_options(raw)

    def purse_limits(self, options_: Mapping[str, Any]) -> tuple[int, int]:
        """Return the ante and the largest purse."""
        return options_["ante"], options_["largest_purse"]

    def setup(
        self,
        options_: Mapping[str, Any],
        seats: Sequence[SeatSetup],
        seed: str,
        at: Instant,
    ) -> Step[TableState]:
        """Deal, post the antes and begin the betting.

        Raises:
            BadOption: an option is wrong.
            ValueError: fewer than two seats or more than the table has, a seat
                twice, or a purse outside the table's limits.
        """
        cleaned = options.clean_options(options_)
        _require_seats(cleaned, seats)
        state, dealt = _dealt(cleaned, seats, seed)
        data = {
            "dealer": state.dealer,
            "seats": [seat.no for seat in state.seats],
            "dealt": dict.fromkeys((weapon.value for weapon in weapons.BASIC), dealt),
        }
        started = Step(state, (Event("game_started", data),))
        return started.then(lambda s: betting.open_betting(s, at))

    def legal_actions(self, state: TableState, seat: SeatNo) -> list[Action]:
        """List what the seat may do now, in a stable order; see legal.py about raises."""
        own = state.seat(seat)
        return [] if own is None else list(legal.legal_actions(state, own))

    def apply(
        self, state: TableState, seat: SeatNo, action: Action, at: Instant
    ) -> Step[TableState]:
        """Return what follows from a seat's action.

        Raises:
            IllegalAction: one of its kinds, as the handlers name them; also
                NotSeated, IsOut, NotInPhase, and StaleAction past the deadline.
        """
        own = state.seat(seat)
        if own is None:
            raise NotSeated("only a seat that takes part may act")
        if state.stage is Stage.OVER:
            raise NotInPhase("the game is over", stage=state.stage.value)
        if not legal.may_act(state, own):
            raise IsOut("you are out of this game")
        handler = HANDLERS.get((state.stage, type(action)))
        if handler is None:
            raise NotInPhase("not now", stage=state.stage.value)
        if state.due_at is not None and at >= state.due_at:
            raise StaleAction("the clock has run out")
        return handler(state, own, action, at)

    def on_deadline(self, state: TableState, at: Instant) -> Step[TableState]:
        """Fold for a late bettor, or resolve the round with what has been chosen.

        Raises:
            NotInPhase: no clock runs.
            TooEarly: it has not run out.
        """
        if state.due_at is None:
            raise NotInPhase("no clock runs", stage=state.stage.value)
        if at < state.due_at:
            raise TooEarly("the clock has not run out", due_at=state.due_at)
        if state.stage is Stage.BETTING:
            return betting.fold_late(state, at)
        resolved = rounds.resolve_round(state, at)
        return resolved.then(lambda s: rounds.run_rounds(s, at))

    def deadline(self, state: TableState) -> Instant | None:
        """Return when the running clock ends, None when none runs."""
        return state.due_at

    def clock_limit(self, state: TableState) -> int | None:
        """Return the betting's or the round's clock in milliseconds, None when the game is over."""
        return view.clock_limit(state)

    def postpone(self, state: TableState, due_at: Instant) -> Step[TableState]:
        """Repay an outage: the later deadline counts, and nobody is absent in this round."""
        if state.due_at is None:
            return Step(state)
        later = max(state.due_at, due_at)
        moved = replace(state, due_at=later, is_excused=state.stage is Stage.ROUND)
        return Step(moved, (Event("clock_postponed", {"due_at": later}),))

    def void(self, state: TableState) -> Step[TableState]:
        """End the game and give everything back, untaxed; raises NotInPhase when it is over."""
        if state.stage is Stage.OVER:
            raise NotInPhase("the game is over", stage=state.stage.value)
        return settling.void_game(state)

    def phase(self, state: TableState) -> int:
        """Return the public counter of betting turns, rounds and the end, from 1 upwards."""
        return state.phase

    def view(self, state: TableState, viewer: Viewer) -> dict[str, Any]:
        """Build what the viewer may see; view.GameView names every field."""
        return dict(view.build_view(state, viewer))

    def is_over(self, state: TableState) -> bool:
        """Tell whether the game has ended, by play or by voiding."""
        return state.stage is Stage.OVER

    def outcome(self, state: TableState) -> dict[SeatNo, dict[str, Any]]:
        """Return each seat's result, amounts in points; empty while the game runs."""
        if state.result is None:
            return {}
        return {seat.no: _seat_outcome(state, seat) for seat in state.seats}

    def carry_over(self, state: TableState) -> dict[str, Any]:
        """Return the options that this game sets for the table's next one: who dealt."""
        return {options.PREVIOUS_DEALER: state.dealer}

    def pending_seats(self, state: TableState) -> tuple[SeatNo, ...]:
        """Return the seats the game waits for: whose turn it is, or who still chooses."""
        return tuple(seat.no for seat in state.seats if legal.is_pending(state, seat))

    def encode_state(self, state: TableState) -> str:
        """Write a state as canonical text, secrets included."""
        return codec.encode_state(state)

    def decode_state(self, text: str) -> TableState:
        """Read what encode_state wrote; raises ValueError."""
        return codec.decode_state(text)

    def encode_action(self, action: Any) -> dict[str, Any]:
        """Write an action as it goes over the wire."""
        return actions.encode_action(action)

    def decode_action(self, raw: Mapping[str, Any]) -> Action:
        """Read an action from the wire; raises BadField."""
        return actions.decode_action(raw)


def _require_seats(cleaned: Mapping[str, Any], seats: Sequence[SeatSetup]) -> None:
    numbers = {seat.no for seat in seats}
    if not 2 <= len(seats) <= cleaned["seats"] or len(numbers) != len(seats):
        raise ValueError("a game takes two or more different seats, as many as the table has")
    if min(numbers) < 0 or max(numbers) >= cleaned["seats"]:
        raise ValueError(f"there is no such seat among {sorted(numbers)}")
    if any(not cleaned["ante"] <= seat.purse <= cleaned["largest_purse"] for seat in seats):
        raise ValueError("a purse holds at least the ante and at most the largest purse")


def _dealt(
    cleaned: Mapping[str, Any], seats: Sequence[SeatSetup], seed: str
) -> tuple[TableState, int]:
    """Return the state before the antes, and how many of each basic weapon were dealt."""
    dealt = options.dealt_of_each(cleaned, len(seats))
    stock = (dealt,) * len(weapons.BASIC) + weapons.EMPTY_STOCK[len(weapons.BASIC) :]
    placed = sorted(seats, key=lambda seat: seat.no)
    state = TableState(
        options=options.kept_options(cleaned),
        seed=seed,
        dealer=_dealer([seat.no for seat in placed], cleaned[options.PREVIOUS_DEALER], seed),
        seats=tuple(
            SeatState(seat.no, seat.purse, Points(seat.purse), stock=stock) for seat in placed
        ),
    )
    return state, dealt


def _dealer(seats: Sequence[SeatNo], previous: SeatNo | None, seed: str) -> SeatNo:
    """Draw the dealer of a table's first game; later the deal moves to the next seat clockwise."""
    return draw_one(seed, "dealer", seats) if previous is None else clockwise(seats, previous)[0]


def _seat_outcome(state: TableState, seat: SeatState) -> dict[str, Any]:
    assert state.result is not None
    back = settling.paid_out(state, seat)
    return {
        "won": seat.no in state.result.winners,
        "status": seat.status.value,
        "points": seat.points,
        "paid_in": seat.brought,
        "paid_out": back,
        "net": back - seat.brought,
    }
