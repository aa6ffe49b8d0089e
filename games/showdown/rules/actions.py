"""What a seat may ask for in Showdown, and how that looks on the wire.

Source: docs/protocol.md, "Actions"; docs/rules/showdown.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from games.kernel.errors import BadField
from games.kernel.facts import Points, SeatNo
from games.kernel.wire import Readers, read_action, write_action
from games.showdown.rules.weapons import BASIC, Weapon

#: No amount on the site is larger.  Source: docs/ledger.md.
MOST_POINTS: Final = 10**9
#: No table of any game has more seats; whether a seat is a target is for the rules.
MOST_SEAT_NO: Final = 999


@dataclass(frozen=True, slots=True)
class Call:
    """Match the bet, all in if need be; with nothing to match, check."""

    kind: ClassVar[str] = "call"


@dataclass(frozen=True, slots=True)
class RaiseBy:
    """Match the bet, then put ``amount`` more on top."""

    kind: ClassVar[str] = "raise_by"
    amount: Points


@dataclass(frozen=True, slots=True)
class Fold:
    """Go out of the game; what is in the pot stays there."""

    kind: ClassVar[str] = "fold"


@dataclass(frozen=True, slots=True)
class Attack:
    """Choose a weapon against an opponent, in place of an earlier choice."""

    kind: ClassVar[str] = "attack"
    weapon: Weapon
    target: SeatNo


@dataclass(frozen=True, slots=True)
class Reset:
    """Take all attacks of this round back."""

    kind: ClassVar[str] = "reset"


@dataclass(frozen=True, slots=True)
class Combine:
    """Spend two basic weapons on a combined one."""

    kind: ClassVar[str] = "combine"
    first: Weapon
    second: Weapon


@dataclass(frozen=True, slots=True)
class Add:
    """Move a basic weapon from the permanent stock into the temporary one."""

    kind: ClassVar[str] = "add"
    weapon: Weapon


@dataclass(frozen=True, slots=True)
class Mine:
    """Plant a landmine from the permanent stock on an opponent."""

    kind: ClassVar[str] = "mine"
    target: SeatNo


@dataclass(frozen=True, slots=True)
class Lock:
    """Be done choosing."""

    kind: ClassVar[str] = "lock"


@dataclass(frozen=True, slots=True)
class Unlock:
    """Go on choosing."""

    kind: ClassVar[str] = "unlock"


@dataclass(frozen=True, slots=True)
class Leave:
    """Fold at once during the betting, give up during a round."""

    kind: ClassVar[str] = "leave"


ShowdownAction = (
    Call | RaiseBy | Fold | Attack | Reset | Combine | Add | Mine | Lock | Unlock | Leave
)

#: Name on the wire -> action.
ACTIONS: Final[Mapping[str, type[ShowdownAction]]] = {
    action.kind: action
    for action in (Call, RaiseBy, Fold, Attack, Reset, Combine, Add, Mine, Lock, Unlock, Leave)
}


def encode_action(action: ShowdownAction) -> dict[str, Any]:
    """Write an action as it goes over the wire: its kind and its fields."""
    return write_action(action)


def decode_action(raw: Mapping[str, Any]) -> ShowdownAction:
    """Read an action from the wire; nothing is converted, nothing is ignored.

    Raises:
        BadField: the kind is unknown, a key is unknown or missing, or a value
            has the wrong type or can never be right.
    """
    return read_action(raw, ACTIONS, _READERS)


def _whole_number(name: str, value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise BadField(f"{name} is a whole number from {least} to {most}", field=name)
    return value


def _amount(name: str, value: object) -> Points:
    return Points(_whole_number(name, value, 1, MOST_POINTS))


def _seat(name: str, value: object) -> SeatNo:
    return SeatNo(_whole_number(name, value, 0, MOST_SEAT_NO))


def _weapon(name: str, value: object) -> Weapon:
    if type(value) is not str or value not in Weapon.__members__.values():
        raise BadField(f"{name} is a weapon", field=name)
    return Weapon(value)


def _basic_weapon(name: str, value: object) -> Weapon:
    weapon = _weapon(name, value)
    if weapon not in BASIC:
        raise BadField(f"{name} is rock, paper or scissors", field=name)
    return weapon


_READERS: Final[Readers] = {
    ("raise_by", "amount"): _amount,
    ("attack", "weapon"): _weapon,
    ("attack", "target"): _seat,
    ("combine", "first"): _basic_weapon,
    ("combine", "second"): _basic_weapon,
    ("add", "weapon"): _basic_weapon,
    ("mine", "target"): _seat,
}
