"""The options of a Showdown table: their ranges and defaults.

Clocks are in seconds, amounts in points, the tax in basis points.

Source: docs/rules/showdown.md, "Seats, stakes, setup" and the numbers marked A.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.kernel.errors import BadOption
from games.kernel.facts import Points, SeatNo
from games.kernel.options import NumberOption, clean_plain

MOST_SEATS: Final = 4

#: Option -> what it may be.  Values marked A in the rule book come from the
#: site's settings when a table is opened; the defaults here are the rule book's.
NUMBERS: Final[Mapping[str, NumberOption]] = {
    "seats": NumberOption(4, 2, MOST_SEATS),
    "ante": NumberOption(1, 1, 1000),
    "target": NumberOption(5, 3, 15),
    "betting_clock": NumberOption(20, 5, 120),
    "round_clock": NumberOption(30, 5, 120),
    "largest_purse": NumberOption(100, 1, 100_000),
    "tax_bp": NumberOption(500, 0, 10_000),
    "win_bonus": NumberOption(1, 0, 1000),
    "loser_bonus": NumberOption(0, 0, 1000),
    "full_raises": NumberOption(4, 0, 100),
    "dealt_percent": NumberOption(60, 0, 1000),
    "dealt_least": NumberOption(3, 1, 100),
}

#: Switches that matter to the table around the game, not to its rules.
SWITCHES: Final[Mapping[str, bool]] = {"listed": True, "spectators": True}

PREVIOUS_DEALER: Final = "previous_dealer"

#: What the people at a table choose; all else is the site's, or follows from the game before.
CHOSEN: Final = frozenset(
    {"seats", "ante", "target", "betting_clock", "round_clock", "largest_purse", *SWITCHES}
)


@dataclass(frozen=True, slots=True)
class Options:
    """What a running game keeps of its options: the values it started with."""

    ante: Points
    target: int
    betting_clock: int  # seconds
    round_clock: int  # seconds
    tax_bp: int
    win_bonus: Points
    loser_bonus: Points
    full_raises: int


def clean_options(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a table, defaults filled in, in a canonical form.

    Raises:
        BadOption: an option is unknown, has the wrong type or is out of range;
            ``detail`` names it.
    """
    options = clean_plain(raw, NUMBERS, SWITCHES, {PREVIOUS_DEALER})
    options[PREVIOUS_DEALER] = _previous_dealer(raw.get(PREVIOUS_DEALER))
    if options["largest_purse"] < options["ante"]:
        raise BadOption("the largest purse covers the ante", option="largest_purse")
    return options


def _previous_dealer(value: object) -> SeatNo | None:
    if value is None or (type(value) is int and 0 <= value < MOST_SEATS):
        return value if value is None else SeatNo(value)
    raise BadOption("previous_dealer is a seat or null", option=PREVIOUS_DEALER)


def kept_options(options: Mapping[str, Any]) -> Options:
    """Return what the game itself needs of cleaned options."""
    return Options(**{name: options[name] for name in Options.__dataclass_fields__})


def dealt_of_each(options: Mapping[str, Any], players: int) -> int:
    """Return how many of each basic weapon a player is dealt.

    Source: docs/rules/showdown.md: "Each player is dealt".
    """
    share = -(-options["dealt_percent"] * options["target"] // 100)  # rounded up
    return int(max(options["dealt_least"], share) * (players - 1))
