"""The envelope of JSON-RPC 2.0: texts to calls, answers and notifications to texts.

Nothing here knows a method.  Reading goes through the gate of all frames first; what does not
pass it is a "Parse error" as a whole, while an element of a batch that is no Request gets an
"Invalid Request" of its own beside the answers of the others.

Source: docs/json-rpc.md "The envelope"; docs/decisions/ "JSON-RPC by hand".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.duel.rpc.errors import INVALID_REQUEST, PARSE_ERROR, Problem, standard
from games.kernel.strict_json import BadJson, MalformedFrame, TooBig, read

VERSION: Final = "2.0"
#: Elements of a batch.
LARGEST_BATCH: Final = 20

MEMBERS: Final = frozenset({"jsonrpc", "method", "params", "id"})

Id = str | int | float | None


@dataclass(frozen=True, slots=True)
class Call:
    """A request, or with ``is_notification`` one that is never answered; ``id`` is only echoed."""

    method: str
    params: Sequence[Any] | Mapping[str, Any] | None = None
    id: Id = None
    is_notification: bool = False


@dataclass(frozen=True, slots=True)
class Invalid:
    """An element that is no Request; answered with its id where it has one that may be echoed."""

    id: Id
    problem: Problem


@dataclass(frozen=True, slots=True)
class Message:
    """What one text says: one element, or a batch of them."""

    elements: tuple[Call | Invalid, ...]
    is_batch: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether every element is a Request."""
        return not any(isinstance(element, Invalid) for element in self.elements)


def read_message(text: str | bytes) -> Message:
    """Read what a client sent.

    Raises:
        Problem: as a whole it is not strict JSON ("Parse error"), or a batch that is empty or
            too long ("Invalid Request"); answered once, with the id null.
    """
    content = _values(text)
    if type(content) is not list:
        return Message((_element(content),))
    if not content:
        raise standard(INVALID_REQUEST, "a batch is not empty")
    if len(content) > LARGEST_BATCH:
        raise standard(INVALID_REQUEST, "too many calls in a batch", most=LARGEST_BATCH)
    return Message(tuple(_element(each) for each in content), is_batch=True)


def result(call_id: Id, value: Any) -> dict[str, Any]:
    """Return the answer to a call that was carried out."""
    return {"jsonrpc": VERSION, "result": value, "id": call_id}


def failure(call_id: Id, problem: Problem) -> dict[str, Any]:
    """Return the answer to a call that was not."""
    error = {"code": problem.code, "message": problem.message, "data": problem.data}
    return {"jsonrpc": VERSION, "error": error, "id": call_id}


def notification(method: str, *params: Any) -> dict[str, Any]:
    """Return what the referee says to a client, by position; an empty list is left out."""
    given = {"params": list(params)} if params else {}
    return {"jsonrpc": VERSION, "method": method, **given}


def write(content: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> str:
    """Write an answer, a notification or a batch of them.

    By the standard library, because an id may be a number of any size.
    """
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _values(text: str | bytes) -> Any:
    try:
        content = read(text)
        _require_whole_characters(content)
    except TooBig as problem:
        raise standard(PARSE_ERROR, problem.message, **problem.detail) from None
    except MalformedFrame as problem:
        raise standard(PARSE_ERROR, problem.message, **problem.detail) from None
    return content


def _require_whole_characters(content: Any) -> None:
    """Refuse half surrogates, wherever they stand: what holds one could not be echoed."""
    try:
        write(content).encode()
    except UnicodeEncodeError:
        raise BadJson("a text holds half a character") from None


def _element(content: Any) -> Call | Invalid:
    if type(content) is not dict:
        return Invalid(None, standard(INVALID_REQUEST, "a Request is an object"))
    has_id, call_id = "id" in content, content.get("id")
    if has_id and type(call_id) not in (str, int, float, type(None)):
        return Invalid(None, standard(INVALID_REQUEST, "an id is a text, a number or null"))
    why = _fault(content)
    if why is not None:
        return Invalid(call_id, standard(INVALID_REQUEST, why))
    return Call(content["method"], content.get("params"), call_id, not has_id)


def _fault(content: Mapping[str, Any]) -> str | None:
    """Return what keeps an object from being a Request."""
    if content.get("jsonrpc") != VERSION:
        return 'jsonrpc is exactly "2.0"'
    if type(content.get("method")) is not str:
        return "method is a text"
    if "params" in content and type(content["params"]) not in (list, dict):
        return "params is an array or an object"
    if not content.keys() <= MEMBERS:
        return "a Request has no other members"
    return None
