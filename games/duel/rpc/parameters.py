"""What methods take: parameters with a schema, given by position or by name.

A small part of JSON Schema is enough, and the same schemas stand in the OpenRPC document; nothing
is converted: ``true`` and ``1.0`` are not 1.

Source: docs/json-rpc.md "Parameters".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.duel.rpc.errors import INVALID_PARAMS, standard

Schema = Mapping[str, Any]

TYPES: Final[Mapping[str, type]] = {"integer": int, "string": str, "boolean": bool}

SEAT: Final[Schema] = {"type": "integer", "enum": [0, 1]}
SWITCH: Final[Schema] = {"type": "integer", "enum": [0, 1]}
WHOLE: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 2**53}
FLAG: Final[Schema] = {"type": "boolean"}
TEXT: Final[Schema] = {"type": "string"}
PUBLIC_ID: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method."""

    name: str
    summary: str
    schema: Schema = field(default_factory=lambda: WHOLE)
    required: bool = True


#: Taken by name only, by every method that changes something: done once, however often it is sent.
ACTION_ID: Final = Parameter(
    "action_id",
    "makes a repeated call the same call: done once, answered again with repeated true",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"},
    required=False,
)


def bind(
    parameters: Sequence[Parameter],
    params: Sequence[Any] | Mapping[str, Any] | None,
    *,
    extra: Sequence[Parameter] = (),
) -> dict[str, Any]:
    """Return the arguments of a call by name; what was not given is left out.

    Args:
        extra: parameters that are taken by name only.

    Raises:
        Problem: "Invalid params": one is missing, unknown, too many, or not what its schema says.
    """
    known = {parameter.name: parameter for parameter in (*parameters, *extra)}
    if isinstance(params, Mapping):
        given = dict(params)
    else:
        values = params or ()
        if len(values) > len(parameters):
            raise standard(INVALID_PARAMS, "too many parameters", most=len(parameters))
        given = {p.name: value for p, value in zip(parameters, values, strict=False)}
    if given.keys() - known.keys():
        raise standard(INVALID_PARAMS, "there is a parameter that the method does not know")
    for parameter in parameters:
        if parameter.required and parameter.name not in given:
            raise standard(INVALID_PARAMS, "a parameter is missing", missing=parameter.name)
    for name, value in given.items():
        if not fits(known[name].schema, value):
            raise standard(INVALID_PARAMS, "a parameter is not as it must be", field=name)
    return given


def fits(schema: Schema, value: Any) -> bool:
    """Whether a value is as a schema says.

    >>> fits(SWITCH, 1), fits(SWITCH, True), fits(SWITCH, 1.0), fits(PUBLIC_ID, "a b")
    (True, False, False, False)
    """
    if type(value) is not TYPES[schema["type"]]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, str):
        # Python's $ would let a line end pass.
        return re.search(schema.get("pattern", "").replace("$", r"\Z"), value) is not None
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
