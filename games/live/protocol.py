"""Frames of the table and lobby sockets: what clients may send, and writers for what they get.

Nothing here decides anything: a frame that passes is well formed, not legal.
Writing is by msgspec; a view that is already encoded is spliced into its
envelope, so that a table of forty viewers costs one encoding for each audience.

Source: docs/protocol.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, NoReturn, Protocol

import msgspec

from games.kernel.strict_json import (
    BadEnvelope,
    BadFrameField,
    BadJson,
    BadType,
    MalformedFrame,
    TooBig,
    clean_text,
    read,
    readable_id,
    require_plain,
)
from games.live.codes import CODES, Close

__all__ = [
    "CODES",
    "ROOMS",
    "Act",
    "BadEnvelope",
    "BadFrameField",
    "BadJson",
    "BadType",
    "Close",
    "Frame",
    "MalformedFrame",
    "Refusal",
    "Say",
    "Seen",
    "TooBig",
    "Typed",
    "ack",
    "encode_view",
    "error",
    "now_frame",
    "parse",
    "refusal",
    "reply",
    "said",
    "view_frame",
]

#: Characters of what people type.
LONGEST_SAY: Final = 500
LONGEST_COMMAND: Final = 200

#: Chat rooms of a table.
ROOMS: Final = frozenset({"table", "spectators"})


class Refusal(Protocol):
    """What an error frame is made of: a MalformedFrame, an IllegalAction or a LedgerError."""

    @property
    def code(self) -> str: ...
    @property
    def detail(self) -> Mapping[str, Any]: ...


# Frames from the client ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """An action, with the phase of the view it was made for."""

    id: str
    phase: int
    action: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Typed:
    """A command line, as typed (type "command" on the wire)."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """A line of chat, already cleaned."""

    id: str
    room: str
    text: str


@dataclass(frozen=True, slots=True)
class Seen:
    """Heartbeat: the number of the last view the client has shown."""

    revision: int


Frame = Act | Typed | Say | Seen


def parse(data: str | bytes) -> Frame:
    """Read one frame of a client.

    Raises:
        MalformedFrame: by its subclasses BadJson, BadEnvelope, BadType,
            BadFrameField and TooBig; nothing else, whatever the input.

    Source: docs/protocol.md, "Frames from the client".
    """
    content = read(data)
    if type(content) is not dict:
        raise BadEnvelope("a frame is a JSON object")
    frame_id = readable_id(content)
    shape = _shape(content, frame_id)
    if content.keys() != shape.keys:
        _refuse_keys(content.keys(), shape.keys, frame_id)
    require_plain(content, frame_id)
    return shape.build(content)


def _shape(content: Mapping[str, Any], frame_id: str | None) -> Shape:
    if "type" not in content or "v" in content:
        raise BadEnvelope("a frame has a type, and no version", frame_id)
    name = content["type"]
    shape = SHAPES.get(name) if type(name) is str else None
    if shape is None:
        raise BadType("clients may not send this type of frame", frame_id)
    if "id" in shape.keys and frame_id is None:
        if "id" not in content:
            raise BadEnvelope("the frame has no id")
        raise BadFrameField("an id is 8 to 64 letters, digits, _ and -", field="id")
    return shape


def _refuse_keys(
    given: AbstractSet[str], wanted: AbstractSet[str], frame_id: str | None
) -> NoReturn:
    """Raise for the difference; unknown keys are the client's words and are not echoed."""
    missing = ", ".join(sorted(wanted - given))
    if missing:
        raise BadFrameField(f"missing: {missing}", frame_id, missing=missing)
    raise BadFrameField("the frame has a key that its type does not know", frame_id)


def _counter(content: Mapping[str, Any], key: str) -> int:
    number = content[key]
    if type(number) is not int or number < 0:
        raise BadFrameField(f"{key} is a whole number, not negative", content.get("id"), field=key)
    return number


def _text(content: Mapping[str, Any], most: int) -> str:
    text = content["text"]
    if type(text) is not str:
        raise BadFrameField("text is a text", content["id"], field="text")
    if len(text) > most:
        raise TooBig(f"at most {most} characters", content["id"], most=most)
    cleaned = clean_text(text)
    if not cleaned:
        raise BadFrameField("there is nothing to read in it", content["id"], field="text")
    return cleaned


def _act(content: Mapping[str, Any]) -> Act:
    action = content["action"]
    if type(action) is not dict or type(action.get("kind")) is not str:
        raise BadFrameField("an action is an object with a kind", content["id"], field="action")
    return Act(content["id"], _counter(content, "phase"), action)


def _typed(content: Mapping[str, Any]) -> Typed:
    return Typed(content["id"], _text(content, LONGEST_COMMAND))


def _say(content: Mapping[str, Any]) -> Say:
    room = content["room"]
    if type(room) is not str or room not in ROOMS:
        raise BadFrameField("there is no such room", content["id"], field="room")
    return Say(content["id"], room, _text(content, LONGEST_SAY))


def _seen(content: Mapping[str, Any]) -> Seen:
    return Seen(_counter(content, "revision"))


@dataclass(frozen=True, slots=True)
class Shape:
    """The exact keys of a type of frame, and what builds it from them."""

    keys: frozenset[str]
    build: Callable[[Mapping[str, Any]], Frame]


#: Everything a client may send: what is absent is refused, and no word of theirs names code.
SHAPES: Final[Mapping[str, Shape]] = {
    "act": Shape(frozenset({"type", "id", "phase", "action"}), _act),
    "command": Shape(frozenset({"type", "id", "text"}), _typed),
    "say": Shape(frozenset({"type", "id", "room", "text"}), _say),
    "seen": Shape(frozenset({"type", "revision"}), _seen),
}


# Frames to the client ------------------------------------------------------------------

_ENCODER: Final = msgspec.json.Encoder()


def encode_view(view: object) -> bytes:
    """Encode a view once, for all sockets of one audience."""
    return _ENCODER.encode(view)


def view_frame(revision: int, now: str, view: bytes) -> str:
    """Put an encoded view into its envelope without encoding it again.

    ``revision`` counts the views of this socket; ``now`` is an instant in ISO form.
    """
    return f'{{"type":"view","revision":{revision},"now":"{now}","view":{view.decode()}}}'


def ack(frame_id: str, repeated: bool = False) -> str:
    """Say that the action is committed; ``repeated`` when it had been before."""
    return _write({"type": "ack", "id": frame_id, "repeated": repeated})


def error(problem: Refusal, frame_id: str | None = None, retry_ms: int | None = None) -> str:
    """Say that nothing has changed, and why.

    ``frame_id`` defaults to the one a malformed frame carried; ``retry_ms`` is
    for ``busy`` and ``rate_limited``.
    """
    frame_id = frame_id if frame_id is not None else getattr(problem, "id", None)
    return _error(frame_id, problem.code, str(problem), problem.detail, retry_ms)


def refusal(code: str, frame_id: str | None = None, retry_ms: int | None = None) -> str:
    """Write an error of the envelope, with its usual sentence.

    Raises:
        KeyError: the code is none of the envelope's.
    """
    return _error(frame_id, code, CODES[code], {}, retry_ms)


def reply(frame_id: str, text: str) -> str:
    """Answer a typed command in words."""
    return _write({"type": "reply", "id": frame_id, "text": text})


def said(post: Mapping[str, Any]) -> str:
    """Pass on a line of chat: room, no, name, seat, text and at."""
    return _write({"type": "said", **post})


def now_frame(now: str) -> str:
    """Answer a heartbeat with the server's clock, an instant in ISO form."""
    return _write({"type": "now", "now": now})


def _error(
    frame_id: str | None, code: str, message: str, detail: Mapping[str, Any], retry_ms: int | None
) -> str:
    content: dict[str, Any] = {
        "type": "error",
        "id": frame_id,
        "code": code,
        "message": message,
        "detail": dict(detail),
    }
    if retry_ms is not None:
        content["retry_ms"] = retry_ms
    return _write(content)


def _write(content: Mapping[str, Any]) -> str:
    return _ENCODER.encode(content).decode()
