"""The access log's lines: one for each request, socket, action and task.

A line has a user's id and an id of what is done, never a name, an address or a choice.  What
nobody else may know that a user does is not named either.

Source: docs/how-to/run-a-site.md "The access log".
"""

import logging
from collections.abc import Sequence
from typing import Any, Final

from games.realtime.trace import trace

#: Its handler is in LOGGING; without one nothing is written.
access: Final = logging.getLogger("access")
#: Where a request keeps the user of its token.
ACTING: Final = "rockandracket.user"


def is_kept() -> bool:
    """Whether there is an access log."""
    return access.isEnabledFor(logging.INFO)


def note(what: str, name: str = "", **facts: Any) -> None:
    """Write a line; ``name`` is the id of what is done, by default that of this moment."""
    if is_kept():
        # Unlike ``info`` this does not look for the calling line, which costs more than all else.
        record = logging.LogRecord(access.name, logging.INFO, "", 0, what, None, None)
        record.facts = {"id": name or trace.get(), **facts}
        access.handle(record)


def note_actions(told: Sequence[tuple[Any, Any]], now: float) -> None:
    """Write a line for each job of a batch that a frame or a request has sent."""
    if not access.isEnabledFor(logging.INFO):
        return
    for job, answer in told:
        if not job.trace:
            continue
        if (facts := job.item.open_facts) is not None:
            result = "done" if answer.error is None else answer.error.code
            note("action", job.trace, **facts, result=result, ms=milliseconds(now - job.at))


def milliseconds(seconds: float) -> float:
    """Return a time as lines have it."""
    return round(seconds * 1000, 1)
