"""The protocol by which the pump does things: a kind of work commits a batch of its own items.

A batch of actions for matches is one kind; a game may bring others, such as choices that thousands
make at once.  Locking, judging and writing are ``commit``, in one transaction; showing and
acknowledging come after it.

Source: docs/architecture.md "One action, from browser to browser".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.play.submissions import Answer


def _nothing() -> None:
    """There is nothing to show."""


@dataclass(slots=True)
class Committed:
    """What became of a batch: an answer for each item, in order.

    ``show`` is called in the event loop, before anything is acknowledged.  ``held``: for how many
    seconds others could not write.
    """

    answers: list[Answer]
    show: Callable[[], None] = _nothing
    held: float = 0.0


class Work(Protocol):
    """A kind of work."""

    def commit(self, items: Sequence[Any]) -> Committed:
        """Lock, judge and write these items in one transaction; called in the pump's thread.

        Raises:
            DatabaseError: it could not be written; every item is answered with ``busy``.
        """
