"""The access log: one line for each request, socket, action and task, and the id they are under."""

import logging
import secrets
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final

#: A line has ids of a user and of what is done, never a name, an address or a choice; and nothing
#: that nobody else may know the user does.  Its handler is in LOGGING; without one nothing is kept.
access: Final = logging.getLogger("access")
#: Where a request keeps the user of its token.
ACTING: Final = "rockandracket.user"

#: The id of what is being done; "" outside of it.
trace: Final = ContextVar("trace", default="")


def new_id() -> str:
    """Return 8 random hex digits; it is no secret, and no client chooses it."""
    return secrets.token_hex(4)


def is_kept() -> bool:
    return access.isEnabledFor(logging.INFO)


def note(
    what: str, name: str = "", *, lines: Sequence[Mapping[str, Any]] = (), **facts: Any
) -> None:
    """Write a line; ``name`` is the id of what is done, by default that of this moment. ``lines``:
    the facts of several lines, to be written at once.
    """
    if is_kept():
        # Unlike ``info`` this does not look for the calling line, which costs more than all else.
        record = logging.LogRecord(access.name, logging.INFO, "", 0, what, None, None)
        record.facts = lines or [{"id": name or trace.get(), **facts}]
        access.handle(record)


def note_actions(told: Sequence[tuple[Any, Any]], now: float) -> None:
    """Write a line for each job of a batch that a frame or a request has sent."""
    if not is_kept():
        return
    lines = []
    for job, answer in told:
        if job.trace and (facts := job.item.open_facts) is not None:
            result = "done" if answer.error is None else answer.error.code
            ms = milliseconds(now - job.at)
            lines.append({"id": job.trace, **facts, "result": result, "ms": ms})
    if lines:
        note("action", lines=lines)


def milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)
