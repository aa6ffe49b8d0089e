"""The protocol of the batch writer: each kind of work locks, judges, writes and shows.
Source: docs/explanation/concurrency.md "The batch writer".
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import transaction

from games.matches.processing.submissions import Answer


def _nothing() -> None: ...


@dataclass(slots=True)
class Committed:
    """An answer for each item, in order; ``held``: seconds in which others could not write."""

    answers: list[Answer]
    show: Callable[[], None] = _nothing
    held: float = 0.0


class Work(Protocol):
    """A kind of work of the batch writer; ``rest``: the least seconds between two batches."""

    @property
    def rest(self) -> float: ...

    def commit(self, items: Sequence[Any]) -> Committed:
        """Decide on the items in one transaction, in the batch writer's thread. Raises
        DatabaseError.
        """


class Locked(Protocol):
    """A batch whose rows are locked and read; the steps that follow, in order."""

    def judge(self) -> list[Answer]: ...

    def write(self) -> None: ...

    def show(self) -> None:
        """Send the written changes to the subscribers; called in the event loop."""


class StepwiseWork(ABC):
    """A kind of work that runs the steps in order and never retries."""

    rest = 0.0

    @abstractmethod
    def lock(self, items: Sequence[Any]) -> Locked: ...

    def commit(self, items: Sequence[Any]) -> Committed:
        begun = time.monotonic()
        with transaction.atomic():
            batch = self.lock(items)
            answers = batch.judge()
            batch.write()
        return Committed(answers, batch.show, time.monotonic() - begun)
