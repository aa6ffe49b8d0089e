"""The bot of Duel: it throws each hand with equal probability, independent of earlier throws. In
the long run nobody can beat it, and nobody can lose to it.
"""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.contract import Character
from games.duel.rules.actions import Resume, Throw
from games.duel.rules.hands import Hand
from games.duel.rules.legal import legal_actions
from games.duel.rules.state import DuelState

#: Milliseconds between a view and an action: a person's pace, well within any clock.
LEAST_THINKING: Final = 900
USUAL_THINKING: Final = 1_700
MOST_THINKING: Final = 3_500


class DuelBot:
    """Throw, and resume a suspended duel; never agree to a suspension."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        """Return the actions in their wire form, in the order in which to send them."""
        legal = view["game"]["you"]["legal"]
        if "throw" in legal:
            return [{"kind": "throw", "hand": chance.choice(list(Hand)).value}]
        return [{"kind": "resume"}] if "resume" in legal else []

    def has_decision(self, state: DuelState, seat: int) -> bool:
        """Whether the bot would act now; it never answers a request for a suspension."""
        return any(
            type(each) in (Throw, Resume) for each in legal_actions(state, state.seats[seat])
        )

    def think_milliseconds(self, state: DuelState, seat: int, chance: Random) -> int:
        """Return the delay before an action, 0.9 to 3.5 s in milliseconds."""
        return int(chance.triangular(LEAST_THINKING, MOST_THINKING, USUAL_THINKING))
