"""The OpenRPC document, made from the tables that dispatch the calls.

Source: docs/json-rpc.md "OpenRPC"; the OpenRPC specification, version 1.3.2.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from games.duel.rpc.methods import HTTP, METHODS, SOCKET, Method
from games.duel.rpc.words import NOTIFICATIONS, Notification
from games.jsonrpc.errors import APPLICATION, STANDARD, application_code
from games.jsonrpc.parameters import Parameter, parameters_of

OPENRPC: Final = "1.3.2"
#: The version of the interface: the first number changes with each incompatible change.
INTERFACE: Final = "1.0.0"

#: The handbook's name for these rules.
RULESET: Final = "http://volity.org/games/rps"

#: Transport -> the name of its server.
NAMES: Final[Mapping[str, str]] = {SOCKET: "the socket of a duel", HTTP: "HTTP"}


def servers(origin: str) -> list[dict[str, Any]]:
    """Return the servers of the interface, as absolute addresses.

    Args:
        origin: the site's, such as ``https://play.example``.
    """
    socket = origin.replace("http", "ws", 1)
    return [
        {
            "name": NAMES[SOCKET],
            "url": f"{socket}/ws/rpc/duel/",
            "summary": "A websocket; the token goes into the handshake as Authorization: Bearer.",
            "description": "The duel's public_id and a slash follow.",
        },
        {
            "name": NAMES[HTTP],
            "url": f"{origin}/rpc/",
            "summary": "POST application/json; the token goes into the Authorization header.",
        },
    ]


@lru_cache(maxsize=8)
def document(origin: str) -> dict[str, Any]:
    """Return the whole document; read-only.

    Args:
        origin: the site's, such as ``https://play.example``.
    """
    return {
        "openrpc": OPENRPC,
        "info": {
            "title": "Duel",
            "version": INTERFACE,
            "description": f"Rock, paper, scissors for two, after the Volity handbook: {RULESET}",
            "x-ruleset": RULESET,
        },
        "servers": servers(origin),
        "methods": [_method(method) for method in METHODS.values()],
        "components": {"errors": _errors()},
        "x-notifications": [_notification(word) for word in NOTIFICATIONS.values()],
    }


def _method(method: Method) -> dict[str, Any]:
    given, value = method.example
    codes = dict.fromkeys(application_code(token) for token in method.tokens)
    return {
        "name": method.name,
        "summary": method.summary,
        "tags": [{"name": "addition" if method.is_addition else "handbook"}],
        "paramStructure": "either",
        "params": [_parameter(parameter) for parameter in parameters_of(method.takes)],
        "result": {"name": "result", "schema": dict(method.result)},
        "errors": [{"$ref": f"#/components/errors/{code}"} for code in codes],
        "x-tokens": list(method.tokens),
        "x-servers": [NAMES[where] for where in method.where],
        "examples": [
            {
                "name": method.name,
                "params": [{"name": name, "value": each} for name, each in given.items()],
                "result": {"name": "result", "value": value},
            }
        ],
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "summary": parameter.summary,
        "required": parameter.required,
        "schema": dict(parameter.schema),
    }


def _errors() -> dict[str, Any]:
    standard = {
        str(code): {"code": code, "message": words} for code, (words, _) in STANDARD.items()
    }
    own = {
        str(code): {"code": code, "message": words, "data": {"tokens": list(tokens)}}
        for code, (words, tokens) in APPLICATION.items()
    }
    return standard | own


def _notification(word: Notification) -> dict[str, Any]:
    return {
        "name": word.name,
        "summary": word.summary,
        "tags": [{"name": "addition" if word.is_addition else "handbook"}],
        "params": [_parameter(parameter) for parameter in word.parameters],
    }
