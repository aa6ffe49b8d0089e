"""Many random legal games of one game, with all violations in them.
Source: docs/how-to/add-a-game.md, "The referee".
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from games.engine.errors import IllegalAction

#: The most violations in a summary; a broken rule breaks most games.
MOST_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class Finished:
    """The figures of a random game that was played to its end."""

    inputs: int
    rounds: int
    reason: str
    violations: list[str]


def play_many(game: str, play: Callable[[str], Finished], number: int, seed: str) -> dict[str, Any]:
    """Play random legal games and return a summary; ``violations`` is empty without errors.
    ``game``: the name of the game in the summary. ``play``: plays one game from a seed; each game
    has one in its ``testing``.
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
