"""The memory store: the batch of every table for one that has no rows.
Source: docs/explanation/practice.md; docs/explanation/concurrency.md "A batch".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from accounts.models import User
from economy.ledger import AccountRef, Plan, stock, wallet
from economy.units import OWNED, Unit
from games.engine.facts import Instant, Told, as_datetime
from games.matches.journal.snapshots import Snapshot
from games.matches.processing.batch import Batch, Judge
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.participants import Participants
from games.matches.processing.submissions import Answer, Key, Submission
from games.practice.chips import ChipPlan

#: The id of every match in memory, and of the person who plays there; the bots' ids follow.
MATCH: Final = 0
PERSON_ID: Final = 1
#: The requests kept to detect a repeated one.
REMEMBERED: Final = 64


class PracticeParticipants(Participants):
    """The person and the bots of a practice table: no limits, no bonuses, no reactions."""

    def __init__(self) -> None:
        super().__init__()
        self.reactions = []

    def check(self, locked: LockedMatch, submission: Submission, plan: Plan) -> Mapping[str, Any]:
        return submission.action

    def awaits_log(self, locked: LockedMatch) -> bool:
        return False

    def unwelcome(self, locked: LockedMatch) -> tuple[list[int], str]:
        return [], ""

    def may_pay_bonus(self, user_id: int, key: str, at: datetime) -> bool:
        return False

    def look_at_belongings(self, plan: Plan, locked_matches: Iterable[LockedMatch]) -> None:
        owned = {unit: plan.balance(stock(PERSON_ID, unit)) for unit in OWNED.values()}
        owned[Unit.POINT] = plan.balance(wallet(PERSON_ID))
        for locked in locked_matches:
            nothing: dict[int, dict[Unit, int]] = {
                user: {} for user in locked.seating.users.values()
            }
            locked.note_belongings({**nothing, PERSON_ID: owned})

    def open_next(self, locked: LockedMatch, submission: Submission, plan: Plan) -> None:
        """Do nothing: the next game is a separate table."""


@dataclass(slots=True, repr=False)
class MemoryStore:
    """The store of a practice table in place of rows. It holds the match, the balances, the
    person's requests, and all facts.
    """

    snapshot: Snapshot
    balances: dict[AccountRef, int]
    used: dict[Key, str] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    participants: PracticeParticipants = field(default_factory=PracticeParticipants)

    def apply(self, submission: Submission, at: Instant) -> Answer:
        """Judge an action as at every table, and keep what follows from it."""
        result = MemoryBatch(self, submission, at).run()
        self.snapshot = result.snapshots.get(MATCH, self.snapshot)
        while len(self.used) > REMEMBERED:
            del self.used[next(iter(self.used))]
        return result.answers[0]


class MemoryBatch(Batch):
    """A batch of one action for a match in memory."""

    def __init__(self, store: MemoryStore, submission: Submission, at: Instant) -> None:
        super().__init__([submission], as_datetime(at), is_outermost=False)
        self._memory, self._at = store, at

    def lock(self) -> None:
        memory = self._memory
        locked = LockedMatch(memory.snapshot, self._at)
        self.locked_matches = {MATCH: locked}
        self.used = memory.used if self.submissions[0].actor_id == PERSON_ID else {}
        self.plan = ChipPlan(memory.balances, as_datetime(self._at))
        self.participants = memory.participants
        self._judge = Judge(self.plan, self.participants)

    def write(self, changed: Sequence[LockedMatch]) -> None:
        self.plan.write()
        for locked in changed:
            self._memory.told += locked.told
            if locked.state.is_finished and locked.match.ended_at is None:
                locked.match.ended_at = locked.now


@lru_cache(64)
def sitter(no: int, name: str) -> User:
    """Return the user at a seat, who has no row: the person at the first one, bots elsewhere."""
    return User(pk=PERSON_ID + no, username=name, is_bot=bool(no))
