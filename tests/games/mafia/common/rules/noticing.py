"""Everything that a viewer can notice of a Mafia game: facts, view, phase, clocks, end, rooms."""

from typing import Any

from games.engine.errors import IllegalAction
from games.engine.facts import SPECTATOR, Instant, SeatNo, Step, Viewer
from games.engine.structs import canonical
from games.mafia.common.rules.engine import MafiaRules
from games.mafia.common.rules.state import TownState
from games.mafia.common.testing import said_to


def viewers(state: TownState) -> list[Viewer]:
    """Return everybody who could look: a spectator, and every seat."""
    return [SPECTATOR, *(Viewer(member.no) for member in state.members)]


def noticed(rules: MafiaRules[Any], step: Step[Any], viewer: Viewer) -> tuple[object, ...]:
    """Return all that a viewer can notice of a step."""
    state = step.state
    return (
        [(event.kind, canonical(event.data)) for event in said_to(step, viewer)],
        canonical(rules.view(state, viewer)),
        rules.phase(state),
        rules.shown_deadline(state),
        rules.clock_limit(state),
        rules.is_over(state),
        rules.outcome(state),  # type: ignore[attr-defined]
        {name: repr(room) for name, room in rules.rooms(state, viewer).items()},
    )


def noticed_of(
    rules: MafiaRules[Any], state: Any, seat: SeatNo, asked: Any, viewer: Viewer
) -> object:
    """Return what a viewer notices when a seat asks for something, a refusal included."""
    at = Instant(state.clock.began_at + 1)
    try:
        return noticed(rules, rules.apply(state, seat, asked, at), viewer)
    except IllegalAction as refusal:
        return refusal.code, refusal.message, refusal.detail
