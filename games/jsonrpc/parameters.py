"""Parameters of calls: read into structs, by position or by name, and told as JSON Schema.

Nothing is converted: ``true`` and ``1.0`` are not 1.

Source: docs/json-rpc.md "Parameters".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.engine.errors import BadField
from games.engine.input import ActionId, Why, fault_of
from games.engine.structs import Record, Whole, require_readable
from games.jsonrpc.errors import INVALID_PARAMS, Problem, standard

#: JSON Schema names the type of what is one of a few numbers; msgspec's does not.
INTEGER: Final = Meta(extra_json_schema={"type": "integer"})
Switch = Annotated[Literal[0, 1], INTEGER]
PublicId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,32}\Z")]


class Nothing(Record, frozen=True):
    """No parameters, and what all others are made from."""


class Move(Nothing, frozen=True, kw_only=True):
    """What every method takes that changes something, by name only."""

    action_id: (
        Annotated[
            ActionId,
            Meta(
                description="makes a repeated call the same call: done once, answered again with "
                "repeated true"
            ),
        ]
        | UnsetType
    ) = UNSET


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
