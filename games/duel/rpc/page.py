"""The reference page for programs, made from the tables that dispatch uses."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from games.duel.rpc.methods import METHODS, SOCKET, Method
from games.duel.rpc.words import NOTIFICATIONS, Notification
from games.jsonrpc.errors import APPLICATION, STANDARD
from games.jsonrpc.parameters import Parameter


def reference() -> dict[str, Any]:
    """Return all methods, notifications and errors for the page."""
    return {
        "methods": [_method(method) for method in METHODS.values()],
        "notifications": [_notification(word) for word in NOTIFICATIONS.values()],
        "errors": _errors(),
    }


def console_methods() -> list[dict[str, Any]]:
    """Return the methods of the live console, each with an example of its parameters."""
    on_socket = (method for method in METHODS.values() if SOCKET in method.where)
    return [{"name": method.name, "params": dict(method.example[0])} for method in on_socket]


def _method(method: Method) -> dict[str, Any]:
    given, answer = method.example
    call: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method.name}
    return {
        "name": method.name,
        "summary": method.summary,
        "where": method.where,
        "is_addition": method.is_addition,
        "parameters": _parameters(method.parameters),
        "tokens": method.tokens,
        "request": json.dumps({**call, **({"params": dict(given)} if given else {})}),
        "answer": json.dumps({"jsonrpc": "2.0", "result": answer, "id": 1}),
    }


def _notification(word: Notification) -> dict[str, Any]:
    return {
        "name": word.name,
        "summary": word.summary,
        "is_addition": word.is_addition,
        "parameters": _parameters(word.parameters),
    }


def _parameters(parameters: Iterable[Parameter]) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "summary": parameter.summary,
            "type": _type(parameter.schema),
            "required": parameter.required,
        }
        for parameter in parameters
    ]


def _type(schema: Mapping[str, Any]) -> str:
    """Return a schema as a short text.

    >>> _type({"type": "integer", "enum": [0, 1]})
    '0, 1'
    >>> _type({"type": "integer", "minimum": 0, "maximum": 9})
    'integer'
    """
    if "enum" in schema:
        return ", ".join(json.dumps(value).strip('"') for value in schema["enum"])
    kinds = schema.get("type", "any")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _errors() -> list[dict[str, Any]]:
    standard = [(code, words, (token,)) for code, (words, token) in STANDARD.items()]
    own = [(code, words, tokens) for code, (words, tokens) in APPLICATION.items()]
    return [
        {
            "code": code,
            "words": words,
            "tokens": [f"{t}…" if t.endswith("/") else t for t in tokens],
        }
        for code, words, tokens in (*standard, *own)
    ]
