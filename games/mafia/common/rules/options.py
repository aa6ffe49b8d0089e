"""The limits of a phase in all Mafia games, in seconds.
Source: docs/rules/agora.md "The contest".
"""

from collections.abc import Mapping
from typing import Final

SECOND: Final = 1_000  # milliseconds
SHORTEST_PHASE: Final = 60
LONGEST_PHASE: Final = 7 * 86_400

#: The length of a phase in a game of one sitting.
QUICK_PHASE: Final[Mapping[str, int | bool]] = {"phase_seconds": 120}
