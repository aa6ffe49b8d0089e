"""Parameters of calls: read into structs, by position or by name, and told as JSON Schema.

Nothing is converted: ``true`` and ``1.0`` are not 1.

Source: docs/json-rpc.md "Parameters".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from games.duel.rpc.arguments import Move, Nothing, PublicId, Seat, Switch
from games.duel.rpc.errors import INVALID_PARAMS, Problem, standard
from games.kernel.errors import BadField
from games.kernel.input import Why, fault_of
from games.kernel.structs import Record, Whole, require_readable

Schema = Mapping[str, Any]
Taken = TypeVar("Taken", bound=Nothing)


class Parameter(Record, frozen=True):
    """One parameter of a method or of a notification, as it is told."""

    name: str
    summary: str
    schema: Schema
    required: bool = True


def schema_of(kind: Any) -> dict[str, Any]:
    r"""Return a type as JSON Schema, whose patterns are those of browsers.

    >>> schema_of(PublicId)["pattern"]
    '^[A-Za-z0-9_-]{1,32}$'
    """
    schema = msgspec.json.schema(kind)
    schema.pop("description", None)
    if "pattern" in schema:
        schema["pattern"] = schema["pattern"].replace(r"\A", "^").replace(r"\Z", "$")
    return schema


SEAT: Final[Schema] = schema_of(Seat)
SWITCH: Final[Schema] = schema_of(Switch)
WHOLE: Final[Schema] = schema_of(Whole)
FLAG: Final[Schema] = schema_of(bool)
TEXT: Final[Schema] = schema_of(str)
PUBLIC_ID: Final[Schema] = schema_of(PublicId)


@cache
def parameters_of(kind: type[Nothing]) -> tuple[Parameter, ...]:
    """Return what a struct takes, in the order of its fields; what goes by name only comes last."""
    return tuple(
        Parameter(
            field.name,
            msgspec.json.schema(field.type).get("description", ""),
            schema_of(field.type),
            field.required,
        )
        for field in msgspec.structs.fields(kind)
    )


#: Taken by name only, by every method that changes something: done once, however often it is sent.
(ACTION_ID,) = parameters_of(Move)


def bind(kind: type[Taken], params: list[Any] | dict[str, Any] | UnsetType = UNSET) -> Taken:
    """Return the arguments of a call; what was not given is unset.

    Raises:
        Problem: "Invalid params": one is missing, unknown, too many, or not what its type says.
    """
    given = params if isinstance(params, dict) else _by_position(kind, params or [])
    try:
        arguments = msgspec.convert(given, kind, strict=True)
        require_readable(arguments)
    except msgspec.ValidationError as problem:
        raise _invalid(problem) from None
    except BadField as problem:
        raise standard(INVALID_PARAMS, problem.message) from None
    return arguments


def _by_position(kind: type[Nothing], values: list[Any]) -> dict[str, Any]:
    names = kind.__match_args__
    if len(values) > len(names):
        raise standard(INVALID_PARAMS, "too many parameters", most=len(names))
    return dict(zip(names, values, strict=False))


def _invalid(problem: msgspec.ValidationError) -> Problem:
    fault = fault_of(problem)
    if fault.why is Why.UNKNOWN:
        return standard(INVALID_PARAMS, "there is a parameter that the method does not know")
    if fault.why is Why.MISSING:
        return standard(INVALID_PARAMS, "a parameter is missing", missing=fault.field)
    return standard(INVALID_PARAMS, "a parameter is not as it must be", field=fault.field)
