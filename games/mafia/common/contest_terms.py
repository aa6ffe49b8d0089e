"""What every Mafia game offers to contests alike; each adds its own settings.

Source: docs/rules/agora.md "The contest".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from economy.tunables import Tunable
from games.mafia.common.rules.gathering import Gathering
from games.mafia.common.rules.roster import MOST_IDLE

#: What every game of a contest has besides its settings.
OPTIONS: Final[Mapping[str, Any]] = {"contest": True}
#: How the settings that both games have are called.
PHASE: Final = "A night or a day lasts"
SUBSTITUTES: Final = "Others may take over seats of the absent"


def phase_numbers(slug: str) -> tuple[Tunable, Tunable]:
    """Return the site's numbers that narrow the length of a phase in a game's contests."""
    return (
        Tunable(f"{slug}.contest_phase_least", 60, 60, 604_800, "shortest phase of a contest, s"),
        Tunable(f"{slug}.contest_phase_most", 604_800, 60, 604_800, "longest phase of one, s"),
    )


def phase_limits(slug: str) -> tuple[str, str]:
    """Return the names of those numbers, in the order in which a setting has them."""
    least, most = phase_numbers(slug)
    return least.name, most.name


def living(state: Gathering) -> list[int]:
    """Return the seats of those who live."""
    return [member.no for member in state.living]


def absent(state: Gathering) -> list[int]:
    """Return those who made no choice in two phases running, alive or dead since."""
    return [member.no for member in state.members if member.unchosen_phases >= MOST_IDLE]
