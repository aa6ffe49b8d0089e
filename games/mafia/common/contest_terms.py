"""The contest terms of all Mafia games; each game adds its own settings.
Source: docs/rules/agora.md "The contest".
"""

from collections.abc import Mapping
from typing import Any, Final

from economy.tunables import Tunable
from games.mafia.common import words
from games.mafia.common.rules.roster import MOST_IDLE
from games.mafia.common.rules.state import TownState

#: The options of every game of a contest, besides its settings.
OPTIONS: Final[Mapping[str, Any]] = {"contest": True}
#: The labels of settings that both games have.
PHASE: Final = words.OPTIONS["phase_seconds"]
SUBSTITUTES: Final = "Substitutes allowed"


def phase_numbers(slug: str) -> tuple[Tunable, Tunable]:
    """Return the site's numbers that limit the length of a phase in a game's contests."""
    return (
        Tunable(f"{slug}.contest_phase_least", 60, 60, 604_800, "shortest phase of a contest", "s"),
        Tunable(
            f"{slug}.contest_phase_most", 604_800, 60, 604_800, "longest phase of a contest", "s"
        ),
    )


def phase_limits(slug: str) -> tuple[str, str]:
    """Return the names of those numbers: least, most."""
    least, most = phase_numbers(slug)
    return least.name, most.name


def living(state: TownState[Any]) -> list[int]:
    """Return the seats of the living."""
    return [member.no for member in state.living]


def absent(state: TownState[Any]) -> list[int]:
    """Return those who made no choice in two phases running, alive or dead since."""
    return [member.no for member in state.members if member.unchosen_phases >= MOST_IDLE]
