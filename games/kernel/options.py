"""What the options of every game have in common: numbers with limits, and switches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from games.kernel.errors import BadOption


@dataclass(frozen=True, slots=True)
class NumberOption:
    """A whole number between ``least`` and ``most``."""

    default: int
    least: int
    most: int


def clean_plain(
    raw: Mapping[str, Any],
    numbers: Mapping[str, NumberOption],
    switches: Mapping[str, bool],
    others: Collection[str] = (),
) -> dict[str, Any]:
    """Return all numbers and switches, defaults filled in; a game adds what it has besides.

    Args:
        others: options that the game reads itself.

    Raises:
        BadOption: an option is unknown, has the wrong type or is out of range;
            ``detail`` names it.
    """
    known = {*numbers, *switches, *others}
    unknown = sorted(str(key) for key in raw if key not in known)
    if unknown:
        raise BadOption("there is no such option", option=unknown[0])
    options: dict[str, Any] = {
        name: _number(name, raw.get(name, limits.default), limits)
        for name, limits in numbers.items()
    }
    return options | {name: _switch(name, raw.get(name, value)) for name, value in switches.items()}


def _number(name: str, value: object, limits: NumberOption) -> int:
    if type(value) is not int or not limits.least <= value <= limits.most:
        message = f"{name} is a whole number from {limits.least} to {limits.most}"
        raise BadOption(message, option=name, least=limits.least, most=limits.most)
    return value


def _switch(name: str, value: object) -> bool:
    if type(value) is not bool:
        raise BadOption(f"{name} is true or false", option=name)
    return value
