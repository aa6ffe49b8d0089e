"""A table for the tests of the services: people with names, a clock of its own, whole games."""

import itertools
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

from django.test import RequestFactory
from django.utils import timezone

from accounts.models import User
from games.matches import services as matches
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, WebProcess
from games.matches.processing import outage, repair, writing
from games.matches.processing.bots import choose
from games.matches.processing.submissions import Answer, BatchResult, Submission
from games.matches.queries import selectors
from games.notices.attention import needs
from tests.at_once import all_at_once
from tests.games.journal_kit import kinds_of

_numbers = itertools.count(1)


def bell_of(user_id: int) -> list[Any]:
    request = RequestFactory().get("/")
    request.user = User.objects.get(pk=user_id)
    return needs(request)["needs_you"]


def new_user(name: str = "player") -> User:
    return User.objects.create_user(f"{name}{next(_numbers)}", password="a long password")


def old_user(days: int = 30) -> User:
    """Return a user who joined this number of days ago and was given the grant then."""
    joined = timezone.now() - timedelta(days=days)
    with mock.patch.object(timezone, "now", return_value=joined):
        user = new_user("old")
    User.objects.filter(pk=user.pk).update(date_joined=joined)
    user.date_joined = joined
    return user


class MatchKit:
    """One match, its people, and a clock that only moves when told to; subclasses name the game."""

    game: str

    def __init__(self, *people: User, age: float = 0, **options: Any) -> None:
        """Open a table ``age`` seconds ago."""
        self.now: datetime = timezone.now() - timedelta(seconds=age)
        self.people = list(people)
        self.match = matches.open_match(
            opened_by=people[0], options=options, game=self.game, at=self.now
        )
        self.chance = random.Random(7)
        self.beat()

    def beat(self) -> None:
        if not WebProcess.objects.filter(closed_at=None).update(beat_at=self.now):
            outage.open_process(self.now)

    @property
    def row(self) -> Match:
        return Match.objects.get(pk=self.match.pk)

    @property
    def snapshot(self) -> Snapshot:
        return selectors.snapshot_of(self.row)

    def view(self, user: User | None = None) -> dict[str, Any]:
        snapshot = self.snapshot
        return selectors.match_view(snapshot, snapshot.seat_of(user.pk) if user else None)

    def submission(self, user: User, action_id: str | None = None, **action: Any) -> Submission:
        action_id = action_id or f"test-{next(_numbers):08d}"
        return Submission(self.match.pk, action, action_id, user.pk, self.row.phase)

    def act(self, user: User, **action: Any) -> BatchResult:
        return writing.submit(self.submission(user, **action), self.now)

    def answer(self, user: User, **action: Any) -> Answer:
        return writing.apply_batch([self.submission(user, **action)], self.now).answers[0]

    def code(self, user: User, **action: Any) -> str | None:
        error = self.answer(user, **action).error
        return None if error is None else error.code

    @property
    def kinds(self) -> list[str]:
        return kinds_of(self.match)

    def seat_everybody(self, purse: int = 50) -> None:
        for seat, user in enumerate(self.people):
            self.act(user, kind="sit", seat=seat, purse=purse)

    def make_ready(self, *users: User) -> None:
        for user in users or self.people:
            self.act(user, kind="ready", configuration=self.row_revision)

    @property
    def row_revision(self) -> int:
        return self.snapshot.state.options_revision

    def start(self, purse: int = 50) -> None:
        """Sit, get ready and let the countdown pass."""
        self.seat_everybody(purse)
        self.make_ready()
        if self.row.status == Match.Status.OPEN:
            self.pass_time(5.0)
        assert self.row.status == Match.Status.RUNNING

    def pass_time(self, seconds: float) -> BatchResult:
        """Move the clock, and process all that is due."""
        self.now += timedelta(seconds=seconds)
        self.beat()
        return repair.fire_due(selectors.due_matches(self.now), self.now)

    def void(self, reason: str) -> None:
        house = writing.house(self.match.pk, "void", f"test-{next(_numbers):08d}", reason=reason)
        assert writing.apply_batch([house], self.now).answers[0].error is None

    def play_to_the_end(self, most_steps: int = 500) -> Snapshot:
        """Play all seats like bots, a second a step, until the game is over."""
        for _ in range(most_steps):
            snapshot = self.snapshot
            if snapshot.state.is_finished:
                return snapshot
            self.play_like_bots(snapshot)
            self.pass_time(1.0)
        raise AssertionError("the game does not end")

    def play_like_bots(self, snapshot: Snapshot) -> None:
        """Act like a bot for every pending person, until the phase or the game is over."""
        phase = self.row.phase
        for seat in snapshot.table.rules.pending_seats(snapshot.state.play):
            sitter = snapshot.sitters[seat]
            if not sitter.bot:
                user = next(user for user in self.people if user.pk == sitter.user_id)
                for action in self.choose_like_bot(snapshot, seat):
                    row = self.row
                    # One action may end the phase; what was decided in it then comes too late.
                    if row.status != Match.Status.RUNNING or row.phase != phase:
                        return
                    self.act(user, **action)

    def choose_like_bot(self, snapshot: Snapshot, seat: int) -> list[dict[str, Any]]:
        # For bots that have their own times it is the last moment of the phase.
        at = None if snapshot.due_at is None else snapshot.due_at - 1
        view = {**selectors.match_view(snapshot, seat), "at": at, "posts": []}
        return list(choose(view, self.chance))


def move_clocks(kits: Sequence[MatchKit], seconds: float = 6) -> datetime:
    """Bring the clocks of all kits to one instant after the latest of them; return it."""
    now = max(kit.now for kit in kits) + timedelta(seconds=seconds)
    for kit in kits:
        kit.now = now
        kit.beat()
    return now


def begun_at_once(kits: Sequence[MatchKit], last: User) -> list[str | None]:
    """Make a user ready at all tables at once; return the codes of the answers, sorted."""
    now = move_clocks(kits)
    ready = [kit.submission(last, kind="ready", configuration=1) for kit in kits]
    answers = all_at_once(
        lambda one=one: writing.apply_batch([one], now).answers[0] for one in ready
    )
    assert sum(kit.row.status == "running" for kit in kits) == 1
    codes = [answer.error and answer.error.code for answer in answers]
    return sorted(codes, key=str)
