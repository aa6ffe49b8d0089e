"""The numbers of the arena that an administrator may change.

Source: docs/rules/arena.md, the numbers marked A.
"""

from typing import Final

from economy.tunables import Tunable

NUMBERS: Final = (
    Tunable("arena.selection_ms", 5_000, 50, 60_000, "milliseconds of a selection"),
    Tunable("arena.blitz_ms", 3_000, 50, 60_000, "milliseconds of a selection with Blitz"),
    Tunable("arena.result_ms", 2_000, 0, 60_000, "milliseconds a result is shown for"),
    Tunable("arena.names_shown", 50, 1, 200, "names that are shown of those who are in"),
    Tunable("arena.gone_seconds", 20, 1, 3_600, "seconds without a socket, then one is out"),
    Tunable("arena.idle_rounds", 20, 1, 1_000, "rounds without a choice, then one is out"),
    Tunable("arena.days_kept", 7, 1, 365, "days for which each player's part of a round is kept"),
)
