"""A state of Showdown as canonical text, and back.

The text holds the seed and every secret.  It is a cache of the replayed input
log, so it must come out byte for byte the same however often it is made.

Source: docs/decisions, "Canonical text".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.kernel.pots import Pot
from games.kernel.texts import canonical_state, frozen, read_state, shared
from games.showdown.rules.options import Options
from games.showdown.rules.state import (
    Battle,
    Payout,
    Reason,
    Result,
    RoundRecord,
    SeatState,
    Stage,
    Status,
    TableState,
)
from games.showdown.rules.weapons import Weapon

#: Raised whenever an older state can no longer be read.
SCHEMA: Final = 1


def encode_state(state: TableState) -> str:
    """Write the state as canonical text, with the number of its schema."""
    return canonical_state(SCHEMA, state)


def decode_state(text: str) -> TableState:
    """Read what encode_state wrote.

    Raises:
        ValueError: the text is of another schema, or not an encoded state.
    """
    return read_state(SCHEMA, text, _table)


def _maybe(read: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else read(value)


def _read(kind: type[Any], raw: Mapping[str, Any], **read: Any) -> Any:
    """Build a dataclass from its map; fields not read by the caller are only frozen."""
    plain = {name: frozen(v) if type(v) is list else v for name, v in raw.items()}
    return kind(**{**plain, **read})


def _table(raw: Mapping[str, Any]) -> TableState:
    state: TableState = _read(
        TableState,
        raw,
        options=_read(Options, raw["options"]),
        stage=Stage(raw["stage"]),
        seats=tuple(map(_seat, raw["seats"])),
        pots=tuple(_read(Pot, pot) for pot in raw["pots"]),
        last_round=_maybe(_round, raw["last_round"]),
        result=_maybe(_result, raw["result"]),
    )
    return state


@shared
def _seat(raw: Mapping[str, Any]) -> Any:
    attacks = tuple((target, Weapon(weapon)) for target, weapon in raw["attacks"])
    return _read(SeatState, raw, status=Status(raw["status"]), attacks=attacks)


def _round(raw: Mapping[str, Any]) -> Any:
    return _read(RoundRecord, raw, battles=tuple(map(_battle, raw["battles"])))


@shared
def _battle(raw: Mapping[str, Any]) -> Any:
    weapons = {name: _maybe(Weapon, raw[name]) for name in ("a_weapon", "b_weapon", "taken")}
    return _read(Battle, raw, **weapons)


def _result(raw: Mapping[str, Any]) -> Any:
    payouts = tuple(_read(Payout, payout) for payout in raw["payouts"])
    return _read(Result, raw, reason=Reason(raw["reason"]), payouts=payouts)
