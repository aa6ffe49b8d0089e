"""How a bot duels: each hand as likely as the others, whatever was thrown before.

Nobody can beat that for long, and nobody can lose to it for long either.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from games.duel.rules.hands import Hand


def duel(game: Mapping[str, Any], rng: Random) -> list[dict[str, Any]]:
    """Return what a bot does now: throw, or go on with a suspended duel; it agrees to none."""
    legal = game["you"]["legal"]
    if "throw" in legal:
        return [{"kind": "throw", "hand": rng.choice(list(Hand)).value}]
    return [{"kind": "resume"}] if "resume" in legal else []


def has_decision(game: Mapping[str, Any]) -> bool:
    """Whether a bot would do something now; who only asks it to suspend waits in vain."""
    return not {"throw", "resume"}.isdisjoint(game["you"]["legal"])
