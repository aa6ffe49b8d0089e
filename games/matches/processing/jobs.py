"""The protocol of the batch writer: each kind of work locks, judges, writes and shows.

A batch of actions for matches is one kind; a game may bring others, such as choices that thousands
make at once.  The first three steps are one transaction, in the batch writer's thread; the last
comes after its commit, in the event loop, before anything is acknowledged.

Source: docs/concurrency.md "The batch writer".
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import transaction

from games.matches.processing.submissions import Answer


def _nothing() -> None:
    """There is nothing to show."""


@dataclass(slots=True)
class Committed:
    """What became of a batch: an answer for each item, in order.

    ``held``: for how many seconds others could not write.
    """

    answers: list[Answer]
    show: Callable[[], None] = _nothing
    held: float = 0.0


class Work(Protocol):
    """A kind of work, as the batch writer sees it.

    ``rest``: so many seconds at least lie between two batches, in which more gathers; 0 where
    people wait for what they have done.
    """

    @property
    def rest(self) -> float: ...

    def commit(self, items: Sequence[Any]) -> Committed:
        """Lock, judge and write these items in one transaction, in the batch writer's thread.

        Raises:
            DatabaseError: it could not be written; every item is answered with ``busy``.
        """


class Locked(Protocol):
    """A batch whose rows are locked and read."""

    def judge(self) -> list[Answer]:
        """Decide on each item in order, in memory; a refusal costs the others nothing."""

    def write(self) -> None:
        """Write what was decided, all at once."""

    def show(self) -> None:
        """Show what was written to those who look; called in the event loop."""


class StepwiseWork(ABC):
    """A kind of work that takes the steps one after the other, and none again."""

    rest = 0.0

    @abstractmethod
    def lock(self, items: Sequence[Any]) -> Locked:
        """Lock what these items are about, and read it as it is under the lock."""

    def commit(self, items: Sequence[Any]) -> Committed:
        """Take the first three steps in one transaction, and say how to take the last."""
        begun = time.monotonic()
        with transaction.atomic():
            batch = self.lock(items)
            answers = batch.judge()
            batch.write()
        return Committed(answers, batch.show, time.monotonic() - begun)
