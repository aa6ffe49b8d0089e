"""The protocol of the batch writer: each kind of work locks, judges, writes and shows.

A batch of actions for matches is one kind; a game may add others, such as choices that thousands
of users make at once.  The first three steps are one transaction, in the batch writer's thread;
the last follows the commit, in the event loop, before any acknowledgement is sent.

Source: docs/explanation/concurrency.md "The batch writer".
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import transaction

from games.matches.processing.submissions import Answer


def _nothing() -> None:
    """Show nothing."""


@dataclass(slots=True)
class Committed:
    """The result of a batch: an answer for each item, in order. ``held``: seconds during which
    other transactions could not write.
    """

    answers: list[Answer]
    show: Callable[[], None] = _nothing
    held: float = 0.0


class Work(Protocol):
    """A kind of work of the batch writer. ``rest``: the least seconds between two batches, so that
    more items gather; 0 where users wait for their own actions.
    """

    @property
    def rest(self) -> float: ...

    def commit(self, items: Sequence[Any]) -> Committed:
        """Lock, judge and write these items in one transaction, in the batch writer's thread.
        Raises DatabaseError: it could not be written; every item is answered with ``busy``.
        """


class Locked(Protocol):
    """A batch whose rows are locked and read."""

    def judge(self) -> list[Answer]:
        """Decide on each item in order, in memory; a refusal does not affect the others."""

    def write(self) -> None:
        """Write all decisions at once."""

    def show(self) -> None:
        """Send the written changes to the subscribers; called in the event loop."""


class StepwiseWork(ABC):
    """A kind of work that runs the steps in order and never retries."""

    rest = 0.0

    @abstractmethod
    def lock(self, items: Sequence[Any]) -> Locked:
        """Lock the rows of these items, then read them."""

    def commit(self, items: Sequence[Any]) -> Committed:
        """Run the first three steps in one transaction; return the last one to call."""
        begun = time.monotonic()
        with transaction.atomic():
            batch = self.lock(items)
            answers = batch.judge()
            batch.write()
        return Committed(answers, batch.show, time.monotonic() - begun)
