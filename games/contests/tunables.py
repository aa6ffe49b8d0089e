"""The numbers of the contests that an admin may change.

Source: docs/rules/agora.md "The contest", the numbers marked A.
"""

from typing import Final

from economy.tunables import Tunable

NUMBERS: Final = (
    Tunable("contests.open", 3, 1, 100, "open contests of one founder"),
    Tunable("contests.effect_days", 4, 1, 60, "days until a proposal takes effect"),
    Tunable("contests.proposal_days", 7, 0, 60, "days between two proposals of one party"),
    Tunable("contests.idle_days", 7, 1, 365, "days without a game, then any party may start one"),
    Tunable(
        "contests.master_days", 30, 1, 365, "days without a contestmaster, then it is the site"
    ),
    Tunable("contests.board_contests", 10, 1, 1_000, "ended contests before the site's standings"),
)
