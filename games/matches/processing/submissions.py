"""Requests to the write path, its answers, and the steps of the batch writer's work.
Source: docs/explanation/concurrency.md "The batch writer".
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import msgspec
from django.db import transaction

from economy.errors import LedgerError
from economy.texts import UnfitText, clean_text
from games.engine.errors import BadField, IllegalAction
from games.engine.structs import canonical

#: Actions of the house that repair a clock or end a match with a stalled clock.
CLOCKWORK = ("stall", "resume", "postpone", "void")
#: Kinds of which everybody at the table learns at once who does them and whether they are accepted.
#: Of another one the kind tells a role, a weapon or a check-in.
OPEN_KINDS: Final = frozenset(
    ("add_bot", "begin", "bring", "call", "configure", "fold", "lock", "play_out", "raise_by",
     "ready", "rematch", "remove_bot", "resign", "resume", "reveal", "sit", "stand", "suspend",
     "take_over", "throw", "unlock", "unready", "withdraw_resume", "withdraw_suspend")
)  # fmt: skip
#: Milliseconds.  The default pause before a retry after ``busy``.
RETRY_MS: Final = 500
#: Match, actor (None: the house) and the id that the actor chose.
Key = tuple[int, int | None, str]
#: Exceptions that refuse an action by name; any other is a program error.
Refusal = IllegalAction | LedgerError


def written(text: str, field: str) -> str:
    """Return a text with lines as it is stored; raises BadField."""
    try:
        return clean_text(text, has_lines=True)
    except UnfitText as problem:
        raise BadField(str(problem), field=field) from None


class OnlyHere:
    """A refusal that concerns one table or its company: another table may do."""


class Busy(IllegalAction):
    """The site cannot answer in time; the same action may be sent again after ``retry_ms``."""

    code = "busy"

    def __init__(self, message: str, retry_ms: int = RETRY_MS) -> None:
        super().__init__(message)
        self.retry_ms = retry_ms


def pause_after(refusal: Refusal) -> int | None:
    """Return the milliseconds before the same request may be repeated; None: never."""
    return refusal.retry_ms if isinstance(refusal, Busy) else None


class SessionEnded(IllegalAction):
    """The session of the request has ended."""

    code = "unauthenticated"


@dataclass(slots=True)
class Submission:
    """One action for one match, by a user (``actor_id``) or by the house (None)."""

    match_id: int
    action: Mapping[str, Any]
    action_id: str
    actor_id: int | None = None
    phase: int | None = None
    #: A text that is compared in place of the action when the id is used again.
    body: str | None = None
    key: Key = field(init=False)
    kind: Any = field(init=False)
    text: str = field(init=False)
    asked: str = field(init=False)
    is_clockwork: bool = field(init=False)

    def __post_init__(self) -> None:
        self.key = (self.match_id, self.actor_id, self.action_id)
        self.kind = self.action.get("kind")
        self.text = canonical(self.action)
        self.asked = self.text if self.body is None else self.body
        self.is_clockwork = self.actor_id is None and self.kind in CLOCKWORK

    @property
    def open_facts(self) -> dict[str, Any] | None:
        """The facts for the access log; None: who does this, and when, is a secret."""
        if self.kind not in OPEN_KINDS:
            return None
        return {"user": self.actor_id, "match": self.match_id, "kind": self.kind}


class Answer(msgspec.Struct, frozen=True):
    """The answer to a submission: accepted (``repeated``: it had been before) or refused."""

    error: Refusal | None = None
    repeated: bool = False


@dataclass(slots=True)
class BatchResult:
    """The answers in the order of the submissions, and the changed matches."""

    answers: list[Answer]
    snapshots: dict[int, Any] = field(default_factory=dict)
    moved_points: bool = False
    #: Seconds during which others could not write; by which each deadline that fired was late.
    held: float = 0.0
    late: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Committed:
    """An answer for each item, in order; ``held``: seconds in which others could not write."""

    answers: list[Answer]
    show: Callable[[], None] = lambda: None
    held: float = 0.0


class Work(Protocol):
    """A kind of work of the batch writer; ``rest``: the least seconds between two batches, before
    one of fewer than ``enough`` items.
    """

    @property
    def rest(self) -> float: ...

    @property
    def enough(self) -> float: ...

    def commit(self, items: Sequence[Any]) -> Committed:
        """Decide on the items in one transaction, in the writer's thread; raises DatabaseError."""


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
