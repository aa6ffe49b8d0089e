"""The whole arena as an engine: players are seats, rounds follow one another without end.

The referee plays this, and it is fuzzed.  The site keeps its players in tables; it calls the same
functions for each rule, and a test plays the same rounds through both.

Source: docs/rules/arena.md; docs/how-to/add-a-game.md.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.arena.rules import actions
from games.arena.rules.moves import CHOICES
from games.arena.rules.options import OPTIONS, Preference
from games.arena.rules.resolve import Figures
from games.arena.rules.scores import sits_out
from games.engine.errors import AlreadySeated, NotInPhase, StaleAction, refuse
from games.engine.facts import Fact, Instant, SeatNo, SeatSetup, Step, Told, Viewer
from games.engine.structs import replace
from tools.referee.arena import facts, rounds
from tools.referee.arena.state import ArenaState, PlayerState, with_players, with_reset
from tools.referee.arena.state import Options as ArenaOptions
from tools.referee.arena.view import build_view

Handler = Callable[[ArenaState, PlayerState, Any, Instant], Step[ArenaState]]


def choose(
    state: ArenaState, player: PlayerState, action: actions.Choose, at: Instant
) -> Step[ArenaState]:
    """Choose for this round, or take the choice back; raises action/not_seated, action/out."""
    if not player.is_in:
        refuse("action/not_seated", "only those who are in choose")
    if sits_out(state.current, player.health):
        refuse("action/out", "without health one sits the round out")
    changed = replace(player, choice=action.move)
    return _own(state, changed, facts.ChoiceMade(player.no, action.move))


def join(
    state: ArenaState, player: PlayerState, action: actions.Join, at: Instant
) -> Step[ArenaState]:
    """Admit a player, also to the round in progress; raises AlreadySeated."""
    if player.is_in and not player.leaves_after:
        raise AlreadySeated("you are in")
    if player.is_in:
        stays = replace(player, leaves_after=False)
        return _own(state, stays, facts.LeavingWithdrawn(player.no))
    joined = with_players(state, {player.no: replace(player, is_in=True, idle_rounds=0)})
    step = Step(joined, (Told(facts.PlayerJoined(player.no)),))
    if state.due_at is not None:
        return step
    return step.then(lambda new: rounds.begin(new, at, shows_result=False))


def leave(
    state: ArenaState, player: PlayerState, action: actions.Leave, at: Instant
) -> Step[ArenaState]:
    """Mark a player to leave after the round in progress; raises action/not_seated, NotInPhase."""
    if not player.is_in:
        refuse("action/not_seated", "you are not in")
    if player.leaves_after:
        raise NotInPhase("you leave after this round")
    return _own(state, replace(player, leaves_after=True), facts.LeavingAsked(player.no))


def prefer(
    state: ArenaState, player: PlayerState, action: actions.Prefer, at: Instant
) -> Step[ArenaState]:
    """Set a preference for an option (on, off or any), used from the next lottery on."""
    wished = replace(player.preferences, **{action.option: action.value})
    told = facts.PreferenceSet(player.no, action.option, action.value)
    return _own(state, replace(player, preferences=wished), told)


def reset(
    state: ArenaState, player: PlayerState, action: actions.Reset, at: Instant
) -> Step[ArenaState]:
    """Reset figures to 0: after this round, or now if out; raises action/nothing_to_reset."""
    if player.resets_after or (not player.is_in and player.figures == Figures()):
        refuse("action/nothing_to_reset", "there is nothing to reset")
    if player.is_in:
        return _own(state, replace(player, resets_after=True), facts.ResetAsked(player.no))
    return _own(state, with_reset(player), facts.FiguresReset(player.no))


def _own(state: ArenaState, changed: PlayerState, fact: Fact) -> Step[ArenaState]:
    return Step(with_players(state, {changed.no: changed}), (Told(fact, {changed.no}),))


#: The handler of each action.
HANDLERS: Final[Mapping[type[Any], Handler]] = {
    actions.Choose: choose,
    actions.Join: join,
    actions.Leave: leave,
    actions.Prefer: prefer,
    actions.Reset: reset,
}
_PREFERENCES: Final = tuple(
    actions.Prefer(option, value)  # type: ignore[arg-type]
    for option in OPTIONS
    for value in Preference
)


class Arena:
    """The rules of the arena; stateless, every method is a function of its arguments."""

    version: int = 1
    Options: Any = ArenaOptions
    State: Any = ArenaState
    Action: Any = actions.ArenaAction
    Fact: Any = facts.ArenaFact

    def setup(
        self, options: ArenaOptions, seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[ArenaState]:
        """Open the arena with these seats in; with none it rests. Raises ValueError: a seat is
        given twice, or with points, which are not played for here.
        """
        if len({seat.no for seat in seats}) != len(seats):
            raise ValueError("each seat comes once")
        if any(seat.purse for seat in seats):
            raise ValueError("nobody brings points to the arena")
        players = sorted(seat.no for seat in seats)
        state = ArenaState(options, seed, tuple(map(PlayerState, players)))
        return rounds.begin(state, at, shows_result=False)

    def legal_actions(self, state: ArenaState, seat: SeatNo) -> list[actions.ArenaAction]:
        """List the seat's legal actions, in a stable order; any seat may join."""
        player = _player(state, seat)
        may_choose = player.is_in and not sits_out(state.current, player.health)
        may_reset = not player.resets_after and (player.is_in or player.figures != Figures())
        return [
            *(actions.Choose(move) for move in CHOICES if may_choose),
            *([actions.Join()] if not player.is_in or player.leaves_after else []),
            *([actions.Leave()] if player.is_in and not player.leaves_after else []),
            *_PREFERENCES,
            *([actions.Reset()] if may_reset else []),
        ]

    def apply(
        self, state: ArenaState, seat: SeatNo, action: actions.ArenaAction, at: Instant
    ) -> Step[ArenaState]:
        """Return the step of a player's action. Raises IllegalAction: one of its subclasses, as the
        handlers name them; also StaleAction when the selection has ended.
        """
        if state.due_at is not None and at >= state.due_at:
            raise StaleAction("the selection has ended")
        return HANDLERS[type(action)](state, _player(state, seat), action, at)

    def on_deadline(self, state: ArenaState, at: Instant) -> Step[ArenaState]:
        """End the selection: fight the round and begin the next one. Raises NotInPhase: the arena
        rests; action/too_early: the selection has not ended.
        """
        if state.due_at is None:
            raise NotInPhase("the arena rests")
        if at < state.due_at:
            refuse("action/too_early", "the selection has not ended", due_at=state.due_at)
        return rounds.fight(state, at)

    def deadline(self, state: ArenaState) -> Instant | None:
        """Return the end of the selection, None while the arena rests."""
        return state.due_at

    def view(self, state: ArenaState, viewer: Viewer) -> dict[str, Any]:
        """Build the viewer's view, field by field."""
        return build_view(state, viewer)


def _player(state: ArenaState, no: SeatNo) -> PlayerState:
    """Return the player with this number; an unknown one is out, with no figures."""
    return state.player(no) or PlayerState(no, is_in=False)
