"""Several tables played to their ends by common batches: the same every time it is told."""

import itertools
import random
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from economy.models import Setting
from economy.units import Unit
from games.matches.journal.snapshots import Snapshot
from games.matches.models import WebProcess
from games.matches.processing import outage, repair, writing
from games.matches.processing.bots import choose
from games.matches.processing.submissions import BatchResult, Submission
from games.matches.queries import selectors
from games.showdown.shopping import buy_weapon
from tests.games.table_kit import TableKit, new_user

MOST_TURNS = 120

#: Everything a batch writes, without numbers that the database generates.
DUMPS = {
    "matches": "SELECT * FROM games_match ORDER BY id",
    "seats": "SELECT match_id, no, user_id, net, result, rating, bonus, timed_out_at, has_played,"
    " seen_at FROM games_seat ORDER BY match_id, no",
    "entries": "SELECT * FROM games_entry ORDER BY match_id, no",
    "accounts": "SELECT owner, kind, unit, balance FROM economy_account ORDER BY 1, 2, 3",
    "transfers": "SELECT t.key, t.group, d.owner, d.kind, c.owner, c.kind, t.unit, t.amount,"
    " t.code, t.cause, t.reverses_id, t.at FROM economy_transfer t"
    " JOIN economy_account d ON d.id = t.debit_id JOIN economy_account c ON c.id = t.credit_id"
    " ORDER BY t.key",
}


def dump() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows that batches write, as the database gives them."""
    found = {}
    with connection.cursor() as cursor:
        for name, query in DUMPS.items():
            cursor.execute(query.replace("t.group", 't."group"'))
            found[name] = cursor.fetchall()
    return found


def open_tables() -> list[TableKit]:
    """Open a table of two, one of three and two of four, some with weapons of their own."""
    Setting.objects.update_or_create(name="showdown.tax_bp", defaults={"value": 5000})
    kits = [
        TableKit(*(new_user() for _ in range(seats)), seats=seats, target=target)
        for seats, target in ((2, 3), (3, 7), (4, 7), (4, 15))
    ]
    for number, kit in enumerate(kits):
        for unit in (Unit.ROCK, Unit.LANDMINE):
            ids = {"user_id": kit.people[0].pk, "action_id": f"story-{number}-{unit}"}
            buy_weapon(unit=unit, quantity=2, **ids)
    return kits


class Story:
    def __init__(self, kits: list[TableKit]) -> None:
        self.kits = kits
        self.now: datetime = kits[0].now
        self.chance = random.Random(11)
        self.answers: list[str] = []
        self._numbers = itertools.count(1)

    def batches(self) -> Any:
        people = [(kit, seat, user.pk) for kit in self.kits for seat, user in enumerate(kit.people)]
        sit, ready = {"kind": "sit"}, {"kind": "ready", "configuration": 1}
        yield self.apply(
            [self.ask(kit, pk, 0, **sit, seat=no, purse=40 + 5 * no) for kit, no, pk in people]
        )
        yield self.apply([self.ask(kit, pk, 0, **ready) for kit, _, pk in people])
        self.now += timedelta(seconds=5)
        yield repair.fire_due([kit.match.pk for kit in self.kits], self.now)
        for turn in range(MOST_TURNS):
            snapshots = [kit.snapshot for kit in self.kits]
            if all(snapshot.state.is_finished for snapshot in snapshots):
                return
            wanted = [each for snapshot in snapshots for each in self.moves(snapshot)]
            if turn == 12:
                wanted.append(writing.house(self.kits[3].match.pk, "void", "story", reason="rain"))
            yield self.apply(wanted + self.nonsense(wanted))
            self.now += timedelta(seconds=1 if turn % 9 < 8 else 70)
            WebProcess.objects.filter(closed_at=None).update(beat_at=self.now)
            yield repair.fire_due(selectors.due_matches(self.now), self.now)
        raise AssertionError("the story does not end")

    def moves(self, snapshot: Snapshot) -> list[Submission]:
        """Return what everybody at a table does who has something to decide."""
        if snapshot.state.play is None:
            return []
        wanted = []
        for seat in snapshot.table.rules.pending_seats(snapshot.state.play):
            view = selectors.match_view(snapshot, seat)
            actions = choose(view, self.chance)
            if view["game"]["stage"] == "betting":
                # Frequent folds would end the story too early.
                actions = [{"kind": "call"} if a["kind"] == "fold" else a for a in actions]
            elif seat == 0:
                arms = [{"kind": "add", "weapon": "rock"}, {"kind": "mine", "target": 1}]
                actions = [*arms, *actions]
            user_id = snapshot.sitters[seat].user_id
            wanted += [self.ask(snapshot, user_id, view["phase"], **each) for each in actions]
        return wanted

    def nonsense(self, wanted: list[Submission]) -> list[Submission]:
        """Return what must be refused, and what is only repeated."""
        if not wanted:
            return []
        first, raising = wanted[0], {"kind": "raise_by", "amount": 10**6}
        match, actor = first.match_id, first.actor_id
        again = Submission(match, {"kind": "fold"}, first.action_id, actor)
        late = Submission(match, {"kind": "call"}, "story-late", actor, 999)
        return [first, again, late, Submission(match, raising, "story-poor", actor)]

    def ask(self, of: TableKit | Snapshot, user_id: int, phase: int, **action: Any) -> Submission:
        return Submission(of.match.pk, action, f"story-{next(self._numbers):05d}", user_id, phase)

    def apply(self, batch: list[Submission]) -> BatchResult:
        result = writing.apply(batch, self.now)
        self.answers += [
            answer.error.code if answer.error else f"ok {answer.repeated}"
            for answer in result.answers
        ]
        return result


def tell_story(kits: list[TableKit]) -> list[str]:
    if not WebProcess.objects.filter(closed_at=None).exists():
        outage.open_process(kits[0].now)
    story = Story(kits)
    for _ in story.batches():
        pass
    return story.answers
