"""The options of a game: a struct whose fields declare their bounds, and who chooses them.
Source: docs/how-to/add-a-game.md "Options".
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Meta

from games.engine.errors import BadField, IllegalAction, refusal
from games.engine.structs import field_of, reader_of

Options = TypeVar("Options", bound=msgspec.Struct)

CHOSEN: Final = "chosen"
NUMBER: Final = "number"


def switch(*, chosen: bool = False) -> Meta:
    """Annotate a field without bounds, such as a bool; ``chosen``: people at a table choose it."""
    return Meta(extra={CHOSEN: chosen})


def number(least: int, most: int, *, chosen: bool = False, site: str = "") -> Meta:
    """Annotate a whole number with its bounds. ``chosen``: people at a table choose it, else the
    site; ``site``: the site's number behind it (``"duel.tax_bp"``), for a chosen option its
    default.
    """
    return Meta(ge=least, le=most, extra={CHOSEN: chosen, NUMBER: site})


def clean_options(kind: type[Options], raw: Mapping[str, Any]) -> Options:
    """Return the full options, defaults filled in. Raises action/bad_option if one is unknown, of
    the wrong type or out of range (``detail`` names it and its bounds), or conflicts by the
    struct's own check.
    """
    try:
        made: Options = reader_of(kind).made_of(dict(raw))
    except BadField as problem:
        name = str(problem.detail.get("field", ""))
        raise _bad(kind, name, str(problem.__cause__ or problem)) from problem
    return made


@cache
def chosen_options(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of the options that people at a table choose."""
    return frozenset(name for name, extra in _extras(kind).items() if extra.get(CHOSEN))


@cache
def site_numbers(kind: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return option -> the name of the site's number behind it."""
    return {name: extra[NUMBER] for name, extra in _extras(kind).items() if extra.get(NUMBER)}


def bounds_of(kind: type[msgspec.Struct], name: str) -> dict[str, int]:
    """Return an option's ``least`` and ``most``, those that it has."""
    field = _types(kind).get(name)
    found = {"least": getattr(field, "ge", None), "most": getattr(field, "le", None)}
    return {word: bound for word, bound in found.items() if bound is not None}


def _bad(kind: type[msgspec.Struct], name: str, message: str) -> IllegalAction:
    if name not in _types(kind):
        unknown = name or field_of(message)
        return refusal("action/bad_option", "there is no such option", option=unknown)
    bounds = bounds_of(kind, name)
    if not bounds:
        return refusal("action/bad_option", f"{name} is true or false", option=name)
    least, most = bounds["least"], bounds["most"]
    why = f"{name} is a whole number from {least} to {most}"
    return refusal("action/bad_option", why, option=name, **bounds)


@cache
def _types(kind: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Return option -> its type, without the Metadata wrapper."""
    fields = msgspec.inspect.type_info(kind).fields  # type: ignore[attr-defined]
    wrapper = msgspec.inspect.Metadata
    return {f.name: f.type.type if isinstance(f.type, wrapper) else f.type for f in fields}


@cache
def _extras(kind: type[msgspec.Struct]) -> Mapping[str, Mapping[str, Any]]:
    fields = msgspec.inspect.type_info(kind).fields  # type: ignore[attr-defined]
    return {field.name: getattr(field.type, "extra", None) or {} for field in fields}
