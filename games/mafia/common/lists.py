"""List rows of matches, common to all Mafia games."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import MOST_IDLE
from games.mafia.common.rules.state import TownState
from games.text.telling import shortest_span

#: The outcome without a winner; between the sides of one with several; the reason of no outcome.
DRAW: Final = "draw"
SIDES: Final = "+"
VOID: Final = "void"


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Mafia fields of a row in the lobby."""
    return {
        "phase_seconds": options["phase_seconds"],
        "stage": summary.get("stage"),
        "round": summary.get("round", 0),
        "living": summary.get("living", 0),
        "terms": f"{options['seats']} players · {shortest_span(options['phase_seconds'])} a phase",
        "news": f"{str(summary.get('stage', '')).capitalize()} {summary.get('round', 0)}"
        f" · {summary.get('living', 0)} alive",
    }


def phase_word(phase: int, first: str) -> str:
    """Return a phase in words; a round is two phases, the first of them a ``first``.

    >>> phase_word(1, "night"), phase_word(4, "night"), phase_word(1, "day")
    ('night 1', 'day 2', 'day 1')
    """
    is_night = (phase % 2 == 1) == (first == Stage.NIGHT)
    return f"{'night' if is_night else 'day'} {(phase + 1) // 2}"


def summary_with(
    sides: Callable[[Mapping[str, Any]], Sequence[str]],
) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return the function that makes the summary of a spectator's view that lists store. ``sides``:
    the sides that won, of a result; none in a draw.
    """

    def summary(view: Mapping[str, Any]) -> dict[str, Any]:
        told = {
            "stage": view["stage"],
            "round": view["round"],
            "living": view["living"],
            "dead": [seat["no"] for seat in view["seats"] if not seat["is_alive"]],
        }
        result = view["result"]
        if result is None or result["reason"] == VOID:
            return told
        return {**told, "outcome": SIDES.join(sides(result)) or DRAW}

    return summary


def wanted(state: TownState[Any], seat: int) -> str | None:
    """Return the pending action, the same for every role; None after a vote or a check-in."""
    own = state.member(seat)
    if own is None or not own.may_act:
        return None
    if state.stage == Stage.DAY:
        return "Vote" if own.vote is None else None
    return None if own.is_done else "Check in for the night"


def need(state: TownState[Any], seat: int) -> str | None:
    """Return the same with a warning if the idle seat will be, or is, open to substitutes.
    Source: docs/rules/agora.md "Substitutes".
    """
    what, own = wanted(state, seat), state.member(seat)
    if what is None or own is None or not state.has_substitutes:
        return what
    if own.idle_phases >= MOST_IDLE:
        return f"{what}: your seat is open to others"
    is_near = own.idle_phases == MOST_IDLE - 1
    return f"{what}, or your seat is offered to others" if is_near else what
