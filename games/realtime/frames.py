"""Frames that clients may send to the table, lobby and user sockets: parsed once and typed.

A frame that passes is well formed, not necessarily legal.

Source: docs/protocol.md, "Frames from the client".
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, NoReturn

import msgspec
from msgspec import Meta

from games.engine.errors import BadField
from games.engine.input import (
    LARGEST_FRAME,
    ActionId,
    Fault,
    FreeMap,
    Why,
    clean_text,
    fault_of,
    is_too_long,
)
from games.engine.structs import Record, Whole, replace, require_readable

#: Characters in a typed text.
LONGEST_SAY: Final = 500
LONGEST_COMMAND: Final = 200

#: Chat rooms of a table.
ROOMS: Final = frozenset({"table", "spectators"})


# Refusals ------------------------------------------------------------------------------


class MalformedFrame(Exception):
    """The frame cannot be read; nothing has changed and the socket stays open.

    ``id`` is the client's, if readable, so that the client can match the answer to its frame.
    """

    code: ClassVar[str] = "bad_envelope"

    def __init__(self, message: str, frame_id: str | None = None, **detail: int | str) -> None:
        super().__init__(message)
        self.message = message
        self.id = frame_id
        self.detail = detail


class BadJson(MalformedFrame):
    """Not one JSON text: binary, cut off, NaN, an infinite number, nested too deep."""

    code = "bad_json"


class BadEnvelope(MalformedFrame):
    """Not an object with a type and an id, or of another version of the protocol."""

    code = "bad_envelope"


class BadType(MalformedFrame):
    """No frame of this type is accepted from clients."""

    code = "bad_type"


class BadFrameField(MalformedFrame):
    """A key is unknown or missing, or its value is of the wrong type or form."""

    code = "bad_field"


class TooBig(MalformedFrame):
    """The frame, or a text in it, is longer than allowed."""

    code = "too_big"


# Frames --------------------------------------------------------------------------------


class Act(Record, frozen=True, tag_field="type", tag="act"):
    """An action, with the phase of the view it was made for; the table validates the content."""

    id: ActionId
    phase: Whole
    action: FreeMap


class Typed(Record, frozen=True, tag_field="type", tag="command"):
    """A command line, as typed (type "command" on the wire)."""

    id: ActionId
    text: Annotated[str, Meta(max_length=LONGEST_COMMAND)]


class Say(Record, frozen=True, tag_field="type", tag="say"):
    """A line of chat; its text is cleaned after parsing."""

    id: ActionId
    room: str
    text: Annotated[str, Meta(max_length=LONGEST_SAY)]


class Seen(Record, frozen=True, tag_field="type", tag="seen"):
    """Heartbeat: the number of the last view the client has shown."""

    revision: Whole


Frame = Act | Typed | Say | Seen

#: All frames that a client may send, by type: others are refused; client text never names code.
FRAMES: Final[Mapping[str, type[Frame]]] = {"act": Act, "command": Typed, "say": Say, "seen": Seen}

_DECODER: Final[msgspec.json.Decoder[Frame]] = msgspec.json.Decoder(Frame)


def parse(data: str | bytes) -> Frame:
    """Read one frame of a client.

    Raises:
        MalformedFrame: by its subclasses BadJson, BadEnvelope, BadType,
            BadFrameField and TooBig; nothing else for any input.

    Source: docs/protocol.md, "Frames from the client".
    """
    if not isinstance(data, str):
        raise BadJson("frames are text")
    if is_too_long(data):
        raise TooBig("the frame is too long", most=LARGEST_FRAME)
    try:
        frame = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise _refusal(data, problem) from None
    if "\\u0000" in data:
        _require_no_nul(frame)
    if isinstance(frame, Act):
        return _with_kind(frame)
    return frame if isinstance(frame, Seen) else _cleaned(frame)


def _with_kind(frame: Act) -> Act:
    if not isinstance(frame.action.get("kind"), str):
        raise BadFrameField("an action is an object with a kind", frame.id, field="action")
    return frame


def _cleaned(frame: Typed | Say) -> Typed | Say:
    if isinstance(frame, Say) and frame.room not in ROOMS:
        raise BadFrameField("there is no such room", frame.id, field="room")
    text = clean_text(frame.text)
    if not text:
        raise BadFrameField("there is nothing to read in it", frame.id, field="text")
    return frame if text == frame.text else replace(frame, text=text)


def _require_no_nul(frame: Frame) -> None:
    try:
        require_readable(frame)
    except BadField as problem:
        raise BadFrameField(problem.message, getattr(frame, "id", None)) from None


# Reasons -------------------------------------------------------------------------------


def _refusal(data: str, problem: Exception) -> MalformedFrame:
    """Return the error to answer with, and the frame's id if it can be read."""
    content = _read_loosely(data)
    if not isinstance(content, dict):
        return BadEnvelope("a frame is a JSON object")
    frame_id = _readable_id(content)
    if "type" not in content or "v" in content:
        return BadEnvelope("a frame has a type, and no version", frame_id)
    if isinstance(problem, msgspec.ValidationError):
        return _refusal_of(fault_of(problem), frame_id)
    return BadFrameField("a text holds half a character", frame_id)


def _readable_id(content: Mapping[str, Any]) -> str | None:
    try:
        return msgspec.convert(content.get("id"), ActionId, strict=True)
    except msgspec.ValidationError:
        return None


def _read_loosely(data: str) -> Any:
    """Read the JSON of a refused text, to find its id.

    The standard library reads lone surrogates, which msgspec rejects: a browser sends pasted text
    as it is, and waits for an answer with its id.

    Raises:
        BadJson: the text is not JSON, or nested too deep.
    """
    try:
        return json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadJson("the frame is not JSON, or endlessly deep") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _refusal_of(fault: Fault, frame_id: str | None) -> MalformedFrame:
    match fault:
        case Fault(why=Why.ENDLESS):
            return BadJson("a number has no end", frame_id)
        case Fault(why=Why.UNKNOWN):
            return BadFrameField("the frame has a key that its type does not know", frame_id)
        case Fault(why=Why.MISSING, field="id"):
            return BadEnvelope("the frame has no id")
        case Fault(why=Why.MISSING, field=field):
            return BadFrameField(f"missing: {field}", frame_id, missing=field)
        case Fault(field="type"):
            return BadType("clients may not send this type of frame", frame_id)
        case Fault(field="id"):
            return BadFrameField("an id is 8 to 64 letters, digits, _ and -", field="id")
        case Fault(why=Why.TOO_LONG, field=field, most=most):
            return TooBig(f"at most {most} characters", frame_id, most=most)
        case _:
            return BadFrameField(f"{fault.field} is not as it must be", frame_id, field=fault.field)
