"""The OpenRPC document of an interface, made from what dispatches its calls."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from games.jsonrpc import errors
from games.jsonrpc.interface import ACTION_ID, HTTP, SOCKET, Interface, Method, Parameter, Schema

OPENRPC: Final = "1.3.2"
#: The version of the interface: the first number changes with each incompatible change.
INTERFACE: Final = "1.0.0"

#: Transport -> the name of its server.
NAMES: Final[Mapping[str, str]] = {SOCKET: "socket", HTTP: "HTTP"}
#: The tag of names that a game adds to the standard that it follows.
ADDITION: Final = "addition"
#: The beginning of a reference to a schema.
_SCHEMAS: Final = "#/components/schemas/"
_EXAMPLES: Final = {"integer": 1, "string": "text", "boolean": True, "array": [], "null": None}


@lru_cache(maxsize=64)
def document(interface: Interface, origin: str) -> dict[str, Any]:
    """Return the whole document; read-only. ``origin``: the site's, such as
    ``https://play.example``.
    """
    schemas: dict[str, Schema] = {}
    return {
        "openrpc": OPENRPC,
        "info": {"title": interface.title, "version": INTERFACE, **interface.info},
        "servers": _servers(interface, origin),
        "methods": [
            {**_method(method, schemas), **_tags(interface, method.name)}
            for method in interface.methods.values()
        ],
        "x-notifications": [
            {
                "name": each.name,
                "summary": each.summary,
                "params": _parameters(each.parameters, schemas),
                "x-private": each.is_private,
                **_tags(interface, each.name),
            }
            for each in interface.notifications
        ],
        "components": {
            "errors": {
                str(code): {"code": code, "message": message, "data": {"tokens": list(tokens)}}
                for code, (message, tokens) in errors.ERRORS.items()
            },
            "schemas": schemas,
        },
    }


def example_of(schema: Schema, schemas: Mapping[str, Schema]) -> Any:
    """Return a value for a schema; ``schemas`` are those that it refers to.
    >>> example_of({"type": "object", "properties": {"seat": {"type": ["integer", "null"]}}}, {})
    {'seat': 1}
    """
    if "$ref" in schema:
        return example_of(schemas[_name_in(schema)], schemas)
    for several in ("examples", "enum"):
        if several in schema:
            return schema[several][0]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], schemas)
    if "properties" in schema:
        return {name: example_of(each, schemas) for name, each in schema["properties"].items()}
    kind = schema.get("type", "object")
    return _EXAMPLES.get(kind if isinstance(kind, str) else kind[0], {})


def type_of(schema: Schema) -> str:
    """Return a schema as a short text for people.
    >>> type_of({"type": "integer", "enum": [0, 1]}), type_of({"type": "array"})
    ('0, 1', 'array')
    """
    if "enum" in schema:
        return ", ".join(str(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(type_of(each) for each in schema["anyOf"])
    return _name_in(schema) if "$ref" in schema else str(schema.get("type", "any"))


def _name_in(schema: Schema) -> str:
    return str(schema["$ref"]).removeprefix(_SCHEMAS)


def _servers(interface: Interface, origin: str) -> list[dict[str, Any]]:
    return [
        {
            "name": NAMES[SOCKET],
            "url": f"{origin.replace('http', 'ws', 1)}{interface.socket}",
            "summary": "A websocket; the token goes into the handshake as Authorization: Bearer.",
            "description": "The public_id of the match and a slash follow.",
        },
        {
            "name": NAMES[HTTP],
            "url": f"{origin}{interface.http}",
            "summary": "POST application/json; the token goes into the Authorization header.",
        },
    ]


def _tags(interface: Interface, name: str) -> dict[str, Any]:
    """Return whether a name is of the standard that the interface follows, if it follows one."""
    tag = "handbook" if name in interface.standard else ADDITION
    return {"tags": [{"name": tag}]} if interface.standard else {}


def _method(method: Method, schemas: dict[str, Schema]) -> dict[str, Any]:
    parameters = _parameters(method.parameters, schemas)
    given = [
        {"name": each["name"], "value": example_of(each["schema"], schemas)}
        for each in parameters
        if each["required"]
    ]
    is_question = not method.is_move and not parameters
    own = (errors.RATE_LIMITED,) if is_question else errors.APPLICATION
    codes = (errors.INVALID_PARAMS, *own)
    return {
        "name": method.name,
        "summary": method.summary,
        "paramStructure": "either",
        "params": [*parameters, *_parameters([ACTION_ID] if method.is_move else [], schemas)],
        "result": {"name": "result", "schema": method.result},
        "errors": [{"$ref": f"#/components/errors/{code}"} for code in codes],
        "x-servers": [NAMES[where] for where in method.where],
        "examples": [
            {
                "name": method.name,
                "params": given,
                "result": {"name": "result", "value": example_of(method.result, schemas)},
            }
        ],
    }


def _parameters(
    parameters: Iterable[Parameter], schemas: dict[str, Schema]
) -> list[dict[str, Any]]:
    """Return the descriptions of parameters; the structs in them are added to ``schemas``."""
    told = []
    for each in parameters:
        (schema,), structs = msgspec.json.schema_components(
            [each.kind], ref_template=_SCHEMAS + "{name}"
        )
        schemas.update(structs)
        if "pattern" in schema:
            # Browsers' syntax.
            schema["pattern"] = schema["pattern"].replace(r"\A", "^").replace(r"\Z", "$")
        told.append(
            {
                "name": each.name,
                "summary": each.summary,
                "required": each.required,
                "schema": schema,
            }
        )
    return told
