"""The options of a duel: their ranges and defaults.

The clock is in seconds, the suspension in days, the stake in points, the tax in basis points.

Source: docs/rules/duel.md, "Options".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.kernel.errors import BadOption
from games.kernel.facts import Points
from games.kernel.options import NumberOption, clean_plain

SEATS: Final = 2

#: Option -> what it may be.  What people do not choose comes from the site's settings when a
#: table is opened; the defaults here are the rule book's.
NUMBERS: Final[Mapping[str, NumberOption]] = {
    "seats": NumberOption(SEATS, SEATS, SEATS),
    "best_of": NumberOption(1, 1, 99),
    "clock_seconds": NumberOption(30, 5, 86_400),
    "stake": NumberOption(0, 0, 100_000),
    "largest_stake": NumberOption(100, 1, 100_000),
    "tax_bp": NumberOption(500, 0, 10_000),
    "void_limit": NumberOption(3, 1, 100),
    "uncounted_limit": NumberOption(20, 1, 1000),
    "suspension_days": NumberOption(7, 1, 365),
}

#: ``rated``, ``listed`` and ``spectators`` matter around the game, not to its rules.
SWITCHES: Final[Mapping[str, bool]] = {
    "no_ties": False,
    "rated": False,
    "listed": True,
    "spectators": True,
}

#: What the people at a table choose; all else is the site's.
CHOSEN: Final = frozenset({"best_of", "clock_seconds", "stake", *SWITCHES})

#: What a quick duel is played with.
QUICK: Final[Mapping[str, int | bool]] = {
    "best_of": 5,
    "no_ties": True,
    "stake": 0,
    "rated": True,
}


@dataclass(frozen=True, slots=True)
class Options:
    """What a running duel keeps of its options: the values it started with."""

    no_ties: bool
    best_of: int
    clock_seconds: int
    stake: Points
    tax_bp: int
    void_limit: int
    uncounted_limit: int
    suspension_days: int

    @property
    def wins_needed(self) -> int:
        """How many wins are more than half of ``best_of``."""
        return self.best_of // 2 + 1


def clean_options(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a table, defaults filled in, in a canonical form.

    Raises:
        BadOption: an option is unknown, has the wrong type, is out of range or does not go with
            another one; ``detail`` names it.
    """
    options = clean_plain(raw, NUMBERS, SWITCHES)
    if options["best_of"] % 2 == 0:
        raise BadOption("best_of is an odd number", option="best_of", least=1, most=99)
    largest = options["largest_stake"]
    if options["stake"] > largest:
        raise BadOption(f"the stake is at most {largest}", option="stake", least=0, most=largest)
    if options["rated"] and options["stake"]:
        raise BadOption("a rated duel is played without a stake", option="rated")
    return options


def kept_options(options: Mapping[str, Any]) -> Options:
    """Return what the game itself needs of cleaned options."""
    return Options(**{name: options[name] for name in Options.__dataclass_fields__})
