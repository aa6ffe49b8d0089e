"""A duel's state as canonical text, and back.

The text holds a hand that is in.  It is a cache of the replayed input log, so it must come out
byte for byte the same however often it is made.

Source: docs/decisions, "Canonical text".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.duel.rules.hands import Hand
from games.duel.rules.options import Options
from games.duel.rules.state import DuelState, Reason, Result, SeatState, Stage, ThrowRecord
from games.kernel.texts import canonical_state, read_state, shared

#: Raised whenever an older state can no longer be read.
SCHEMA: Final = 1


def encode_state(state: DuelState) -> str:
    """Write the state as canonical text, with the number of its schema."""
    return canonical_state(SCHEMA, state)


def decode_state(text: str) -> DuelState:
    """Read what encode_state wrote.

    Raises:
        ValueError: the text is of another schema, or not an encoded state.
    """
    return read_state(SCHEMA, text, _duel)


def _duel(raw: Mapping[str, Any]) -> DuelState:
    first, second = raw["seats"]
    read = {
        "options": Options(**raw["options"]),
        "seats": (_seat(first), _seat(second)),
        "stage": Stage(raw["stage"]),
        "throws": tuple(map(_throw, raw["throws"])),
        "result": None if raw["result"] is None else _result(raw["result"]),
    }
    return DuelState(**{**raw, **read})


@shared
def _seat(raw: Mapping[str, Any]) -> SeatState:
    return SeatState(**{**raw, "hand": _hand(raw["hand"])})


@shared
def _throw(raw: Mapping[str, Any]) -> ThrowRecord:
    first, second = raw["hands"]
    read = {"hands": (_hand(first), _hand(second)), "winners": tuple(raw["winners"])}
    return ThrowRecord(**{**raw, **read})


def _result(raw: Mapping[str, Any]) -> Result:
    first, second = raw["awards"]
    read = {"winners": tuple(raw["winners"]), "awards": (first, second)}
    return Result(**{**raw, **read, "reason": Reason(raw["reason"])})


def _hand(value: str | None) -> Hand | None:
    return None if value is None else Hand(value)
