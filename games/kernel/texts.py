"""A whole state as canonical text, quickly: parts that a step did not touch keep their text.

States are frozen, so a step makes new objects only of what it changes, and the text of a part is
good for as long as the very same object is there.

Source: docs/decisions, "Canonical text"; docs/performance.md "The rules".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from typing import Any, Final

from games.kernel.facts import Latest, State, canonical, writer_of

#: So many parts are remembered, about 500 bytes each; then one begins anew.
MOST_PARTS: Final = 10_000


def canonical_state(schema: int, state: Any) -> str:
    """Write a frozen dataclass, and those within it, as maps of their fields, with a schema number.

    Raises:
        TypeError: something in it has no canonical text.
    """
    place, names = _layout(state.__class__)
    pieces = [head + _text_of(getattr(state, name)) for head, name in names]
    pieces.insert(place, f'"schema":{schema}')
    return "{" + ",".join(pieces) + "}"


def shared(read: Callable[[Mapping[str, Any]], Any]) -> Callable[[Mapping[str, Any]], Any]:
    """Let a reader of small parts give the very same part for the same content.

    A state that is read again then shares with the one before all that has not changed, so that
    the texts and views of those parts are known.  The parts may hold lists, but no maps.
    """

    @lru_cache(MOST_PARTS)
    def part(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
        return read(dict(zip(names, values, strict=True)))

    return lambda raw: part(tuple(raw), tuple(map(frozen, raw.values())))


def frozen(value: Any) -> Any:
    """Turn lists into tuples, all the way down."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def read_state(schema: int, text: str, read: Callable[[dict[str, Any]], State]) -> State:
    """Read what canonical_state wrote.

    Args:
        read: makes the state of its map, without the schema number.

    Raises:
        ValueError: the text is of another schema, or not an encoded state.
    """
    raw = json.loads(text)
    if not isinstance(raw, dict) or raw.pop("schema", None) != schema:
        raise ValueError("not a state of this schema")
    try:
        return read(raw)
    except (TypeError, KeyError) as error:
        raise ValueError(f"not a state: {error}") from error


@cache
def _layout(kind: Any) -> tuple[int, list[tuple[str, str]]]:
    """Return each field with what stands before it, sorted, and where the schema's number goes."""
    names = sorted(_names(kind))
    place = sum(name < "schema" for name in names)
    return place, [(f'"{name}":', name) for name in names]


def _text_of(value: Any) -> str:
    return _writer(value.__class__)(value)


@cache
def _writer(kind: Any) -> Callable[[Any], str]:
    if issubclass(kind, tuple):
        return _list_of
    return _TEXTS.of if is_dataclass(kind) else writer_of(kind)


def _list_of(values: tuple[Any, ...]) -> str:
    return "[" + ",".join([_text_of(value) for value in values]) + "]"


def _whole(value: Any) -> str:
    """Write a value and all that is in it; raises TypeError."""
    text = _write(value)
    if "." in text or "e+" in text or "e-" in text:
        # No fraction is written without one of these, but a sentence may hold them too.
        canonical(json.loads(text))
    return text


def _fields_of(part: Any) -> dict[str, Any]:
    return {name: getattr(part, name) for name in _names(part.__class__)}


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    if not is_dataclass(kind):
        raise TypeError(f"not canonical: {kind.__name__}")
    return tuple(field.name for field in fields(kind))


_write: Final = json.JSONEncoder(
    sort_keys=True, allow_nan=False, separators=(",", ":"), default=_fields_of
).encode

_TEXTS: Final = Latest(_whole, most=MOST_PARTS)
