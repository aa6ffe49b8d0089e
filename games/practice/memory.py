"""The memory store: chips, and the batch of every table for a table that has no rows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from accounts.models import User
from economy.errors import refuse
from economy.ledger import AccountRef, Move, Plan, stock, wallet
from economy.units import OWNED, AccountKind, Unit
from games.contract import TableGame
from games.engine.facts import IdentityCache, Instant, Told, as_datetime
from games.matches.journal.snapshots import Snapshot
from games.matches.processing.batch import Batch, Judge
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.participants import Participants
from games.matches.processing.submissions import Answer, Key, Submission
from games.text.telling import Data, Names, Teller

#: Chips of a new player, and of one who has run out.
CHIPS: Final = 200


#: Matches "point(s)" in the games' own words, which become chips; victory points stay.
_POINTS: Final = re.compile(r"(?<!ictory )\bpoint(s?)\b")


def in_chips(text: str) -> str:
    """Return a sentence of a game with its points replaced by chips.
    >>> in_chips("Ann bets 3 points and has 2 victory points.")
    'Ann bets 3 chips and has 2 victory points.'
    """
    return _POINTS.sub(r"chip\1", text)


def _told_in_chips(game: TableGame) -> TableGame:
    def with_chips(teller: Teller) -> Teller:
        def tell(data: Data, names: Names) -> str | None:
            text = teller(data, names)
            return text and in_chips(text)

        return tell

    sentences = {
        kind: teller and with_chips(teller) for kind, teller in game.speech.sentences.items()
    }
    return replace(game, speech=replace(game.speech, sentences=sentences))


#: Each game with sentences in chips.
GAMES_IN_CHIPS: Final = IdentityCache(_told_in_chips)


class ChipPlan(Plan):
    """The ledger's plan over balances in memory; any account is locked."""

    def __init__(self, balances: dict[AccountRef, int], at: datetime) -> None:
        super().__init__(at, frozenset(), is_locked=True)
        self._balances = balances

    def balance(self, ref: AccountRef) -> int:
        return self._planned.get(ref, self._balances.get(ref, 0))

    def move(self, move: Move, reverses_id: int | None = None) -> None:
        missing = move.amount - self.balance(move.debit)
        if move.debit.kind is AccountKind.STOCK and missing > 0:
            # The ledger's own refusal reads the shop's offer.
            unit, message = move.debit.unit.value, "your practice stock has no more of these"
            refuse("ledger/insufficient_stock", message, unit=unit, missing=missing)
        super().move(move, reverses_id)

    def write(self) -> None:
        self._balances.update(self._planned)


#: The id of every match in memory, and of the person who plays there; the bots' ids follow.
MATCH: Final = 0
PERSON_ID: Final = 1
#: The requests kept to detect a repeated one.
REMEMBERED: Final = 64


class PracticeParticipants(Participants):
    """The person and the bots of a table: no limits, no bonuses, no reactions."""

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
    """A practice table in place of rows: match, balances, the person's requests, and all facts."""

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
    """Return the user at a seat, without a row: the person at the first one, bots elsewhere."""
    return User(pk=PERSON_ID + no, username=name, is_bot=bool(no))
