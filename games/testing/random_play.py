"""Many random legal games of one kind, with everything that is wrong with any of them.

Source: docs/adding-a-game.md, "The referee".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from games.engine.errors import IllegalAction

#: As many violations are named; a broken rule breaks most games.
MOST_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class Finished:
    """A random game that was played to its end, in figures."""

    inputs: int
    rounds: int
    reason: str
    violations: list[str]


def play_many(game: str, play: Callable[[str], Finished], number: int, seed: str) -> dict[str, Any]:
    """Play random legal games and sum them up; ``violations`` is empty when all is well.

    Args:
        game: what the summary calls it.
        play: plays one game from a seed; each game has one in its ``testing``.
    """
    violations = list[str]()
    reasons: Counter[str] = Counter()
    inputs = rounds = ended = 0
    for index in range(number):
        name = f"{seed}/{index}"
        try:
            finished = play(name)
        except (IllegalAction, ValueError, RuntimeError, AssertionError) as error:
            violations.append(f"{name}: {type(error).__name__}: {error}")
            continue
        ended += 1
        inputs += finished.inputs
        rounds += finished.rounds
        reasons[finished.reason] += 1
        violations += [f"{name}: {violation}" for violation in finished.violations]
    return {
        "game": game,
        "games": number,
        "ended": ended,
        "inputs": inputs,
        "rounds": rounds,
        "reasons": dict(sorted(reasons.items())),
        "violations": violations[:MOST_NAMED],
    }
