"""A viewer's view of the arena, built field by field, never by copying the state.
Source: docs/rules/arena.md, "Streak bonuses (not under Classic)".
"""

from typing import Any, Final

from games.arena.rules.moves import MOVES
from games.arena.rules.resolve import told_round
from games.arena.rules.scores import MOST_NAMES, bonus_of, sees_choices, sits_out
from games.engine.draws import hash_of_seed
from games.engine.facts import IdentityCache, Instant, Viewer, iso
from games.engine.structs import plain
from tools.referee.arena.rounds import seed_of
from tools.referee.arena.state import ArenaState, PlayerState


def build_view(state: ArenaState, viewer: Viewer) -> dict[str, Any]:
    """Build the viewer's view: the public part, and under ``you`` a player's own part."""
    own = None if viewer.seat is None else state.player(viewer.seat)
    return {**_PUBLIC.of(state), "you": None if own is None else _you(state, own)}


def live_choices(state: ArenaState) -> dict[str, Any]:
    """Return everyone's current choices: how many are on each move, and who, at most fifty."""
    fighting = _those_fighting(state)
    counts = {move.value: sum(p.choice == move for p in fighting) for move in MOVES}
    named = [player for player in fighting if player.choice is not None][:MOST_NAMES]
    seats = {move.value: [p.no for p in named if p.choice == move] for move in MOVES}
    return {"counts": counts, "seats": seats}


def _public_view(state: ArenaState) -> dict[str, Any]:
    is_resting = state.due_at is None
    return {
        "state": "resting" if is_resting else "selecting",
        "round": state.round,
        "ends_at": _iso(state.due_at),
        "shows_result_until": _iso(state.shows_result_until),
        "options": plain(state.current),
        "drawn": state.drawn,
        "commitment": None if is_resting else hash_of_seed(seed_of(state.seed, state.round)),
        "people": len(_those_fighting(state)),
        "last": None if state.last is None else told_round(state.last),
    }


#: The public part is the same for all viewers of a state.
_PUBLIC: Final = IdentityCache(_public_view)


def _those_fighting(state: ArenaState) -> list[PlayerState]:
    return [each for each in state.those_in if not sits_out(state.current, each.health)]


def _you(state: ArenaState, own: PlayerState) -> dict[str, Any]:
    classic = state.current.classic
    may_look = own.is_in and sees_choices(own.figures.streak, classic=classic)
    return {
        "is_in": own.is_in,
        "choice": None if own.choice is None else own.choice.value,
        **plain(own.figures),
        "health": own.health if state.current.survivor else None,
        "is_sat_out": own.is_in and sits_out(state.current, own.health),
        "preferences": plain(own.preferences),
        "bonus": plain(bonus_of(own.figures.streak, classic=classic)),
        "live": live_choices(state) if may_look and state.due_at is not None else None,
        "last": None if own.last is None else plain(own.last),
        "leaves_after": own.leaves_after,
        "resets_after": own.resets_after,
    }


def _iso(at: Instant | None) -> str | None:
    return None if at is None else iso(at)
