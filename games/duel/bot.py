"""How a bot duels: each hand as likely as the others, whatever was thrown before.

Nobody can beat that for long, and nobody can lose to it for long either.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character
from games.duel.rules.hands import Hand
from games.duel.rules.legal import legal_kinds
from games.duel.rules.state import DuelState

#: Milliseconds between seeing and acting: a person's pace, well within any clock.
LEAST_THINKING: Final = 900
USUAL_THINKING: Final = 1_700
MOST_THINKING: Final = 3_500


class DuelBot:
    """Throws, and goes on with a suspended duel; it agrees to none."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        """Return the actions in their wire form, in the order in which to send them."""
        legal = view["game"]["you"]["legal"]
        if "throw" in legal:
            return [{"kind": "throw", "hand": chance.choice(list(Hand)).value}]
        return [{"kind": "resume"}] if "resume" in legal else []

    def has_decision(self, state: DuelState, seat: int) -> bool:
        """Whether a bot would do something now; who only asks it to suspend waits in vain."""
        return not {"throw", "resume"}.isdisjoint(legal_kinds(state, state.seats[seat]))

    def think_milliseconds(self, state: DuelState, seat: int, chance: Random) -> int:
        """Return how long to wait before acting, from 0.9 to 3.5 s."""
        return int(chance.triangular(LEAST_THINKING, MOST_THINKING, USUAL_THINKING))
