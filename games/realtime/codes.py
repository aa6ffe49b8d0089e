"""Error codes and close codes of the sockets; rules and ledger define codes of their own.

Source: docs/protocol.md, "Errors".
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

#: The codes of the envelope, each with its message; rules and ledger define their own.
CODES: Final[Mapping[str, str]] = {
    "bad_json": "The frame is not strict JSON text.",
    "bad_envelope": "The frame has no type or no id, or names a version.",
    "bad_type": "Clients may not send this type of frame.",
    "bad_field": "A key is unknown or missing, or its value has the wrong type or form.",
    "too_big": "The frame or a text in it is too long.",
    "unauthenticated": "Log in first.",
    "forbidden": "You may not do this.",
    "not_found": "There is no such thing, or not for you.",
    "conflict": "This id was used for something else.",
    "stale": "It came too late: the table has moved on.",
    "limit": "More would pass a limit.",
    "rate_limited": "Too fast; try again in a moment.",
    "muted": "You flooded the chat again, or an administrator has muted you.",
    "busy": "The site is busy; try again in a moment.",
    "internal": "Something went wrong on our side; nothing has changed.",
    "maintenance": "The site is being worked on; nothing has changed.",
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
