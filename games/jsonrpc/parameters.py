"""Parameters of calls: parsed into structs, by position or by name, and described as JSON Schema.

Values are not converted: ``true`` and ``1.0`` are not 1.

Source: docs/json-rpc.md "Parameters".
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.engine.errors import BadField
from games.engine.input import ActionId, Why, fault_of
from games.engine.structs import Record, Whole, require_readable
from games.jsonrpc.errors import INVALID_PARAMS, Problem, standard

#: Adds the type to the schema of a ``Literal`` of integers, which msgspec omits.
INTEGER: Final = Meta(extra_json_schema={"type": "integer"})
Switch = Annotated[Literal[0, 1], INTEGER]
PublicId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,32}\Z")]


class Nothing(Record, frozen=True):
    """No parameters; the base of all parameter structs."""


class Move(Nothing, frozen=True, kw_only=True):
    """The parameter, by name only, of every method that changes state."""

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
    """The description of one parameter of a method or of a notification."""

    name: str
    summary: str
    schema: Schema
    required: bool = True


def schema_of(kind: Any) -> dict[str, Any]:
    r"""Return a type as JSON Schema, with the patterns in browsers' syntax.

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
    """Return a struct's parameters in the order of its fields; those by name only come last."""
    return tuple(
        Parameter(
            field.name,
            msgspec.json.schema(field.type).get("description", ""),
            schema_of(field.type),
            field.required,
        )
        for field in msgspec.structs.fields(kind)
    )


#: By name only, in every method that changes state: repeated calls with one id are done once.
(ACTION_ID,) = parameters_of(Move)


def bind(kind: type[Taken], params: list[Any] | dict[str, Any] | UnsetType = UNSET) -> Taken:
    """Return the arguments of a call; those not given are unset.

    Raises:
        Problem: "Invalid params": one is missing, unknown, too many, or of the wrong type.
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
