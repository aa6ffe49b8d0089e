"""Parameters of calls: described once, and read into structs by position or by name. Values are not
converted: ``true`` and ``1.0`` are not 1.
Source: docs/reference/json-rpc.md "Parameters".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeVar, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.engine.errors import BadField
from games.engine.input import ActionId
from games.engine.structs import Hidden, reader_of
from games.jsonrpc.errors import INVALID_PARAMS, standard

#: Adds the type to the schema of a ``Literal`` of integers, which msgspec omits.
INTEGER: Final = Meta(extra_json_schema={"type": "integer"})
Switch = Annotated[Literal[0, 1], INTEGER]
PublicId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,32}\Z")]


class Nothing(Hidden, frozen=True):
    """No parameters; the base of all parameter structs."""


class Move(Nothing, frozen=True, kw_only=True):
    """The parameter, by name only, of every method that changes state."""

    action_id: ActionId | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method or of a notification. ``kind`` is its type.  A method's parameter
    is the value of the action's ``field``, by default the one of its own name, converted by
    ``read`` if given.
    """

    name: str
    kind: Any
    summary: str = ""
    required: bool = True
    field: str = ""
    read: Callable[[Any], Any] | None = None


#: By name only, in every method that changes state.
ACTION_ID: Final = Parameter(
    "action_id",
    ActionId,
    "makes a repeated call the same call: done once, answered again with repeated true",
    required=False,
)

Taken = TypeVar("Taken", bound=Nothing)


def takes(name: str, parameters: Iterable[Parameter], base: type[Taken]) -> type[Taken]:
    """Return the struct that a method's calls are read into; its fields are in their order."""
    fields: list[Any] = [
        (each.name, each.kind) if each.required else (each.name, each.kind | UnsetType, UNSET)
        for each in parameters
    ]
    return cast("type[Taken]", msgspec.defstruct(name, fields, bases=(base,), frozen=True))


def bind(kind: type[Taken], params: list[Any] | dict[str, Any] | UnsetType = UNSET) -> Taken:
    """Return the arguments of a call; those not given are unset. Raises Problem: "Invalid params":
    one is missing, unknown, too many, or of the wrong type.
    """
    given = params or {}
    if isinstance(given, list):
        names = kind.__match_args__
        if len(given) > len(names):
            raise standard(INVALID_PARAMS, "too many parameters", most=len(names))
        given = dict(zip(names, given, strict=False))
    try:
        arguments: Taken = reader_of(kind).made_of(given)
    except BadField as problem:
        # The message of the problem may contain what the client sent.
        why = "a parameter is missing, unknown, or not as it must be"
        raise standard(INVALID_PARAMS, why, **problem.detail) from None
    return arguments
