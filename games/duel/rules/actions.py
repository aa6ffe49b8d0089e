"""What a seat may ask for in a duel, and how that looks on the wire.

Source: docs/protocol.md, "Actions"; docs/rules/duel.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from games.duel.rules.hands import Hand
from games.kernel.errors import BadField
from games.kernel.wire import Readers, read_action, write_action


@dataclass(frozen=True, slots=True)
class Throw:
    """Choose a hand for this throw, for good."""

    kind: ClassVar[str] = "throw"
    hand: Hand


@dataclass(frozen=True, slots=True)
class Suspend:
    """Ask for a suspension, or agree to the one that the other asks for."""

    kind: ClassVar[str] = "suspend"


@dataclass(frozen=True, slots=True)
class WithdrawSuspend:
    """Take back what one asked for."""

    kind: ClassVar[str] = "withdraw_suspend"


@dataclass(frozen=True, slots=True)
class Resume:
    """Be ready to go on with a suspended duel."""

    kind: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class WithdrawResume:
    """Be ready to go on no longer."""

    kind: ClassVar[str] = "withdraw_resume"


@dataclass(frozen=True, slots=True)
class Resign:
    """Lose the duel at once."""

    kind: ClassVar[str] = "resign"


@dataclass(frozen=True, slots=True)
class Leave:
    """Walk away, which loses the duel as resigning does."""

    kind: ClassVar[str] = "leave"


DuelAction = Throw | Suspend | WithdrawSuspend | Resume | WithdrawResume | Resign | Leave

#: Name on the wire -> action.
ACTIONS: Final[Mapping[str, type[DuelAction]]] = {
    action.kind: action
    for action in (Throw, Suspend, WithdrawSuspend, Resume, WithdrawResume, Resign, Leave)
}


def encode_action(action: DuelAction) -> dict[str, Any]:
    """Write an action as it goes over the wire: its kind and its fields."""
    return write_action(action)


def decode_action(raw: Mapping[str, Any]) -> DuelAction:
    """Read an action from the wire; nothing is converted, nothing is ignored.

    Raises:
        BadField: the kind is unknown, a key is unknown or missing, or the hand is not one of
            the three words.
    """
    return read_action(raw, ACTIONS, _READERS)


def _hand(name: str, value: object) -> Hand:
    if type(value) is not str or value not in Hand.__members__.values():
        raise BadField(f"{name} is rock, paper or scissors", field=name)
    return Hand(value)


_READERS: Final[Readers] = {("throw", "hand"): _hand}
