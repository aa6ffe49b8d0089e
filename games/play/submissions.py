"""What is asked of the write path, and what it answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from economy.errors import LedgerError
from games.kernel.errors import IllegalAction

#: Actions of the house that repair a clock or end a match whose clock stands still.
CLOCKWORK = ("stall", "resume", "postpone", "void")

#: Match, actor (None: the house) and the id that the actor chose.
Key = tuple[int, int | None, str]

#: What refuses an action by name; anything else is a mistake of the program.
Refusal = IllegalAction | LedgerError
#: The same, for except clauses.
REFUSALS = (IllegalAction, LedgerError)


_write_sorted: Final = json.JSONEncoder(sort_keys=True).encode


class ActionConflict(IllegalAction):
    """The action's id was used before, for another action."""

    code: ClassVar[str] = "conflict"


class MatchNotFound(IllegalAction):
    """There is no such match, or none that this viewer may know of."""

    code: ClassVar[str] = "not_found"


class Busy(IllegalAction):
    """The site cannot answer in time; the same action may be sent again."""

    code: ClassVar[str] = "busy"


class SessionEnded(IllegalAction):
    """The session the action came with is over."""

    code: ClassVar[str] = "unauthenticated"


@dataclass(frozen=True, slots=True)
class Submission:
    """One action for one match, by a user (``actor_id``) or by the house (None).

    ``action_id`` is made by the caller and kept on retry; ``phase`` is that of the view it was
    made for (None: not checked); ``body`` replaces the action in the comparison of a retry with
    the first try, for actions that were typed as text.
    """

    match_id: int
    action: Mapping[str, Any]
    action_id: str
    actor_id: int | None = None
    phase: int | None = None
    body: str | None = None
    _digest: str = field(default="", init=False, repr=False, compare=False)

    @property
    def key(self) -> Key:
        """What makes it the same action when it comes again."""
        return self.match_id, self.actor_id, self.action_id

    @property
    def is_clockwork(self) -> bool:
        """Whether the house repairs the clock with it, so that the clock must not act first."""
        return self.actor_id is None and self.action.get("kind") in CLOCKWORK

    @property
    def body_sha256(self) -> str:
        """A digest of what was asked, to tell a retry from another action with a used id."""
        if not self._digest:
            body = self.body if self.body is not None else _write_sorted(self.action)
            object.__setattr__(self, "_digest", hashlib.sha256(body.encode()).hexdigest())
        return self._digest


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a submission: accepted (``repeated``: it had been before) or refused."""

    error: Refusal | None = None
    repeated: bool = False


@dataclass(slots=True)
class BatchResult:
    """The answers in the order of the submissions, and the changed matches as they now stand.

    ``held``: for how many seconds others could not write, the wait for the locks left out.
    """

    answers: list[Answer]
    snapshots: dict[int, Any] = field(default_factory=dict)
    held: float = 0.0
