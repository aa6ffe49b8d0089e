"""Frames of the sockets: a parser for those of clients, writers for others."""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Annotated, Any, Final, NoReturn, Protocol

import msgspec
from django.utils import timezone
from msgspec import UNSET, Meta, UnsetType

from economy.texts import UnfitText, clean_text
from games.engine.errors import BadField
from games.engine.facts import instant, iso
from games.engine.input import (
    LARGEST_FRAME,
    ActionId,
    Fault,
    FreeMap,
    Why,
    fault_of,
    is_too_long,
)
from games.engine.structs import Record, Whole, replace, require_readable
from games.text.table_words import PHRASES

# Codes -------------------------------------------------------------------------------

#: The codes of the envelope, each with its message; rules and ledger define their own.
CODES: Final[Mapping[str, str]] = {
    "bad_json": "The frame is not strict JSON text.",
    "bad_envelope": "The frame has no type or no id, or names a version.",
    "bad_type": "Clients may not send this type of frame.",
    "bad_field": "A key is unknown or missing, or its value has the wrong type or form.",
    "too_big": "The frame or a text in it is too long.",
    "unauthenticated": "Log in first.",
    "stale": "It came too late: the table has moved on.",
    "rate_limited": "Too fast; try again in a moment.",
    "busy": "The site is busy; try again in a moment.",
    "internal": "Something went wrong on our side; nothing has changed.",
}


class Close(IntEnum):
    """Close codes of the sockets; 1007 and 1009 are sent by the server's protocol layer."""

    BAD_UTF8 = 1007
    TOO_BIG = 1009
    SESSION_ENDED = 4401
    BANNED = 4403
    SLOW_OR_IDLE = 4408
    TOO_MANY_SOCKETS = 4409
    PRACTICE_OVER = 4410
    PRACTICE_FULL = 4411
    RESTART = 4412
    FLOOD = 4429


#: Characters in a typed text.
LONGEST_SAY: Final = 500
LONGEST_COMMAND: Final = 200

#: Chat rooms of a table.
ROOMS: Final = frozenset({"table", "spectators"})


# Refusals ------------------------------------------------------------------------------


class MalformedFrame(Exception):
    """The frame cannot be read; nothing has changed and the socket stays open. ``id`` is the
    client's, if readable.
    """

    def __init__(
        self, code: str, message: str, frame_id: str | None = None, **detail: int | str
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = frame_id
        self.detail = detail


# Frames --------------------------------------------------------------------------------


class Act(Record, frozen=True, tag_field="type", tag="act"):
    """An action, with the phase of the view it was made for; the table validates the content."""

    id: ActionId
    phase: Whole
    action: FreeMap


class Typed(Record, frozen=True, tag_field="type", tag="command"):
    """A command line, as typed (type "command" on the wire), for a phase if it names one."""

    id: ActionId
    text: Annotated[str, Meta(max_length=LONGEST_COMMAND)]
    phase: Whole | UnsetType = UNSET

    def phase_or(self, current: int) -> int:
        """Return the phase in which it was typed, else that of the view."""
        return current if self.phase is UNSET else self.phase


class Say(Record, frozen=True, tag_field="type", tag="say"):
    """A line of chat; its text is cleaned after parsing."""

    id: ActionId
    room: str
    text: Annotated[str, Meta(max_length=LONGEST_SAY)]


class Phrase(Record, frozen=True, tag_field="type", tag="phrase"):
    """A quick phrase by its id; the site knows its text, which is said like a line of chat."""

    id: ActionId
    room: str
    phrase: str


class Seen(Record, frozen=True, tag_field="type", tag="seen"):
    """Heartbeat: the number of the last view the client has shown; at the lobby ``since``, the same
    number, asks for `rows`, at a table ``parts`` for `parts`. A page whose readiness is for any
    opponent says whether it is ``visible``.
    """

    revision: Whole
    visible: bool | UnsetType = UNSET
    since: Whole | UnsetType = UNSET
    parts: bool | UnsetType = UNSET


Frame = Act | Typed | Say | Seen

#: All frames that a client may send, by type: others are refused; client text never names code.
FRAMES: Final[Mapping[str, type[Frame | Phrase]]] = {
    "act": Act,
    "command": Typed,
    "say": Say,
    "phrase": Phrase,
    "seen": Seen,
}

_DECODER: Final[msgspec.json.Decoder[Frame | Phrase]] = msgspec.json.Decoder(Frame | Phrase)


def parse(data: str | bytes) -> Frame:
    """Read one frame of a client, well formed but not necessarily legal; a quick phrase becomes the
    line that it stands for. Raises MalformedFrame.
    """
    if not isinstance(data, str):
        raise MalformedFrame("bad_json", "frames are text")
    if is_too_long(data):
        raise MalformedFrame("too_big", "the frame is too long", most=LARGEST_FRAME)
    try:
        frame = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise _refusal(data, problem) from None
    if "\\u0000" in data:
        try:
            require_readable(frame)
        except BadField as bad:
            raise MalformedFrame("bad_field", bad.message, getattr(frame, "id", None)) from None
    if isinstance(frame, Seen):
        return frame
    if not isinstance(frame, Act):
        return _cleaned(frame)
    if not isinstance(frame.action.get("kind"), str):
        raise MalformedFrame(
            "bad_field", "an action is an object with a kind", frame.id, field="action"
        )
    return frame


def _cleaned(frame: Typed | Say | Phrase) -> Typed | Say:
    if not isinstance(frame, Typed) and frame.room not in ROOMS:
        raise MalformedFrame("bad_field", "there is no such room", frame.id, field="room")
    if isinstance(frame, Phrase):
        if frame.phrase not in PHRASES:
            raise MalformedFrame("bad_field", "there is no such phrase", frame.id, field="phrase")
        return Say(frame.id, frame.room, PHRASES[frame.phrase])
    try:
        text = clean_text(frame.text)
    except UnfitText as problem:
        raise MalformedFrame("bad_field", str(problem), frame.id, field="text") from None
    if not text:
        raise MalformedFrame("bad_field", "there is nothing to read in it", frame.id, field="text")
    return frame if text == frame.text else replace(frame, text=text)


# Reasons -------------------------------------------------------------------------------


def _refusal(data: str, problem: Exception) -> MalformedFrame:
    """Return the error to answer with, and the frame's id if it can be read."""
    try:
        # The standard library reads lone surrogates, which msgspec rejects: a browser sends pasted
        # text as it is, and waits for an answer with its id.
        content = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return MalformedFrame("bad_json", "the frame is not JSON, or endlessly deep")
    if not isinstance(content, dict):
        return MalformedFrame("bad_envelope", "a frame is a JSON object")
    try:
        frame_id = msgspec.convert(content.get("id"), ActionId, strict=True)
    except msgspec.ValidationError:
        frame_id = None
    if "type" not in content or "v" in content:
        return MalformedFrame("bad_envelope", "a frame has a type, and no version", frame_id)
    if isinstance(problem, msgspec.ValidationError):
        return _refusal_of(fault_of(problem), frame_id)
    return MalformedFrame("bad_field", "a text holds half a character", frame_id)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _refusal_of(fault: Fault, frame_id: str | None) -> MalformedFrame:
    match fault:
        case Fault(why=Why.ENDLESS):
            return MalformedFrame("bad_json", "a number has no end", frame_id)
        case Fault(why=Why.UNKNOWN):
            return MalformedFrame(
                "bad_field", "the frame has a key that its type does not know", frame_id
            )
        case Fault(why=Why.MISSING, field="id"):
            return MalformedFrame("bad_envelope", "the frame has no id")
        case Fault(why=Why.MISSING, field=field):
            return MalformedFrame("bad_field", f"missing: {field}", frame_id, missing=field)
        case Fault(field="type"):
            return MalformedFrame("bad_type", "clients may not send this type of frame", frame_id)
        case Fault(field="id"):
            return MalformedFrame(
                "bad_field", "an id is 8 to 64 letters, digits, _ and -", field="id"
            )
        case Fault(why=Why.TOO_LONG, field=field, most=most):
            return MalformedFrame("too_big", f"at most {most} characters", frame_id, most=most)
        case _:
            return MalformedFrame(
                "bad_field", f"{fault.field} is not as it must be", frame_id, field=fault.field
            )


# Frames out --------------------------------------------------------------------------


class Refusal(Protocol):
    """The source of an error frame: a MalformedFrame, an IllegalAction or a LedgerError."""

    @property
    def code(self) -> str: ...
    @property
    def detail(self) -> Mapping[str, Any]: ...


_ENCODER: Final = msgspec.json.Encoder()


def write(content: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> str:
    """Encode a frame, or any message of a socket, as text."""
    return _ENCODER.encode(content).decode()


#: Encodes a view once, for all sockets of one audience.
encode_view: Final[Callable[[object], bytes]] = _ENCODER.encode


def view_frame(revision: int, now: str, view: bytes) -> str:
    """Put an encoded view into its envelope; ``revision`` counts the views of this socket."""
    return f'{{"type":"view","revision":{revision},"now":"{now}","view":{view.decode()}}}'


def parts_frame(revision: int, now: str, parts: bytes) -> str:
    """Put the changed keys of a view into an envelope; numbered with the views of this socket."""
    return f'{{"type":"parts","revision":{revision},"now":"{now}","parts":{parts.decode()}}}'


def lobby_frame(kind: str, revision: int, now: str, games: str) -> str:
    """Write a frame of the lobby: ``lobby`` with the lists, or ``rows`` with their changes."""
    return f'{{"type":"{kind}","revision":{revision},"now":"{now}",{games}}}'


def ack(frame_id: str, repeated: bool = False) -> str:
    """Write the acknowledgement of a committed action; ``repeated``: it was committed before."""
    return write({"type": "ack", "id": frame_id, "repeated": repeated})


def error(problem: Refusal, frame_id: str | None = None, retry_ms: int | None = None) -> str:
    """Write an error frame: nothing has changed, and the reason. ``frame_id`` defaults to the id of
    a malformed frame.
    """
    frame_id = frame_id if frame_id is not None else getattr(problem, "id", None)
    return _error(frame_id, problem.code, str(problem), problem.detail, retry_ms)


def refusal(code: str, frame_id: str | None = None, retry_ms: int | None = None) -> str:
    """Write an error of the envelope, with the message of its code."""
    return _error(frame_id, code, CODES[code], {}, retry_ms)


def reply(frame_id: str, text: str) -> str:
    """Write the text answer to a typed command."""
    return write({"type": "reply", "id": frame_id, "text": text})


def said(post: Mapping[str, Any]) -> str:
    """Write a line of chat."""
    return write({"type": "said", **post})


def now_frame(now: str) -> str:
    """Write the answer to a heartbeat: the server's clock."""
    return write({"type": "now", "now": now})


def time_now() -> str:
    """Return the server's clock, in ISO form."""
    return iso(instant(timezone.now()))


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
    return write(content)
