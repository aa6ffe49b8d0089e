"""Many random legal games of one kind, with everything that is wrong with any of them.

Source: docs/adding-a-game.md, "The referee".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.duel.rules import trial as duel_trial
from games.kernel.errors import IllegalAction

#: As many violations are named; a broken rule breaks most games.
MOST_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class Finished:
    """A random game that was played to its end, in figures."""

    inputs: int
    rounds: int
    reason: str
    violations: list[str]


def _showdown(seed: str) -> Finished:
    # Not at the top: the trial names what it returns from here.
    from games.showdown.rules.trial import random_game

    return random_game(seed)


def _duel(seed: str) -> Finished:
    played = duel_trial.play_random(seed)
    assert played.state.result is not None
    return Finished(
        inputs=len(played.inputs),
        rounds=played.state.throw,
        reason=played.state.result.reason.value,
        violations=duel_trial.violations(played),
    )


#: Game -> how to play a random one from a seed.
TRIALS: Final[Mapping[str, Callable[[str], Finished]]] = {"showdown": _showdown, "duel": _duel}


def play_many(game: str, number: int, seed: str) -> dict[str, Any]:
    """Play random legal games and sum them up; ``violations`` is empty when all is well.

    Raises:
        KeyError: there is no such game.
    """
    play, violations = TRIALS[game], list[str]()
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
