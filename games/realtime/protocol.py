"""Frames of the table, lobby and user sockets: the parser of incoming ones, writers for the rest.

``frames`` defines the frames of clients.  msgspec encodes; an encoded view is spliced into its
envelope, so that a table of forty viewers costs one encoding for each audience.

Source: docs/protocol.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from games.realtime.codes import CODES, Close
from games.realtime.frames import (
    FRAMES,
    ROOMS,
    Act,
    BadEnvelope,
    BadFrameField,
    BadJson,
    BadType,
    Frame,
    MalformedFrame,
    Say,
    Seen,
    TooBig,
    Typed,
    parse,
)

__all__ = [
    "CODES",
    "FRAMES",
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
    "write",
]


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


def encode_view(view: object) -> bytes:
    """Encode a view once, for all sockets of one audience."""
    return _ENCODER.encode(view)


def view_frame(revision: int, now: str, view: bytes) -> str:
    """Put an encoded view into its envelope without encoding it again.

    ``revision`` counts the views of this socket; ``now`` is an instant in ISO form.
    """
    return f'{{"type":"view","revision":{revision},"now":"{now}","view":{view.decode()}}}'


def ack(frame_id: str, repeated: bool = False) -> str:
    """Write the acknowledgement of a committed action; ``repeated``: it was committed before."""
    return write({"type": "ack", "id": frame_id, "repeated": repeated})


def error(problem: Refusal, frame_id: str | None = None, retry_ms: int | None = None) -> str:
    """Write an error frame: nothing has changed, and the reason.

    ``frame_id`` defaults to the id of a malformed frame; ``retry_ms`` is for ``busy`` and
    ``rate_limited``.
    """
    frame_id = frame_id if frame_id is not None else getattr(problem, "id", None)
    return _error(frame_id, problem.code, str(problem), problem.detail, retry_ms)


def refusal(code: str, frame_id: str | None = None, retry_ms: int | None = None) -> str:
    """Write an error of the envelope, with the message of its code.

    Raises:
        KeyError: the code is none of the envelope's.
    """
    return _error(frame_id, code, CODES[code], {}, retry_ms)


def reply(frame_id: str, text: str) -> str:
    """Write the text answer to a typed command."""
    return write({"type": "reply", "id": frame_id, "text": text})


def said(post: Mapping[str, Any]) -> str:
    """Write a line of chat: room, no, name, seat, text and at."""
    return write({"type": "said", **post})


def now_frame(now: str) -> str:
    """Write the answer to a heartbeat: the server's clock, an instant in ISO form."""
    return write({"type": "now", "now": now})


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
