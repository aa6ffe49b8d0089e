"""An event on the site, for tests: its people, and a clock that only moves when told to."""

import itertools
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.events import running, services
from games.events.models import Entrant, Event, Meeting
from games.matches.models import Match, WebProcess
from games.matches.processing import outage, repair, writing
from games.matches.processing.submissions import Submission
from games.people.standing import standing_of
from tests.games.duel.kit import LOSING, WINNING
from tests.games.match_kit import new_user

_numbers = itertools.count(1)


class EventKit:
    """A Train that starts in ten minutes, and the people who are registered."""

    def __init__(self, count: int = 0, *, fill: int = 0, **columns: Any) -> None:
        self.now: datetime = timezone.now() - timedelta(hours=1)
        self.beat()
        starts_at = self.now + timedelta(minutes=10)
        self.event = services.make(
            name="Test Train", opens_at=self.now, starts_at=starts_at, now=self.now, fill=fill,
            **columns,
        )  # fmt: skip
        self.people = [self.enter(new_user("rider")) for _ in range(count)]

    def beat(self) -> None:
        if not WebProcess.objects.filter(closed_at=None).update(beat_at=self.now):
            outage.open_process(self.now)

    def enter(self, user: User) -> User:
        services.enter(event_id=self.event.pk, user=user, now=self.now)
        return user

    def come(self, *people: User) -> None:
        """Note that the pages of these people answer now."""
        Entrant.objects.filter(event=self.event, user__in=people or self.people).update(
            seen_at=self.now
        )

    def pass_time(self, seconds: float) -> None:
        """Move the clock, with a live web process that looks at the event each second."""
        until = self.now + timedelta(seconds=seconds)
        while self.now < until:
            self.now = min(until, self.now + timedelta(seconds=1))
            self.beat()
            self.step()

    def step(self) -> None:
        while running.step(event_id=self.event.pk, now=self.now):
            pass

    def start(self, *people: User) -> None:
        """Move the clock to the start, with these people here, or everybody."""
        self.now = self.row.starts_at - running.ASKED
        self.step()
        self.now += running.ASKED
        self.beat()
        self.come(*people)
        self.step()

    @property
    def row(self) -> Event:
        return Event.objects.get(pk=self.event.pk)

    @property
    def meetings(self) -> list[Meeting]:
        found = self.row.meetings.filter(station=self.row.station).order_by("no")
        return list(found.select_related("match", "first__user", "second__user", "winner__user"))

    def entrant(self, user: User) -> Entrant:
        return Entrant.objects.get(event=self.event, user=user)

    def throw(self, match: Match, seat: int, hand: str) -> None:
        user = match.seats.get(no=seat).user_id
        action_id = f"test-{next(_numbers)}"
        action = {"kind": "throw", "hand": hand}
        writing.submit(Submission(match.pk, action, action_id, user), self.now)

    def win(self, match: Match, seat: int) -> None:
        """Throw until the match is over, a seat winning every throw."""
        while Match.objects.get(pk=match.pk).is_live:
            self.throw(match, seat, WINNING)
            self.throw(match, 1 - seat, LOSING)

    def play(self, choose: Callable[[Meeting], int] = lambda _: 0) -> None:
        """Play the event to its end; ``choose``: the seat that wins."""
        while self.row.is_live:
            self.pass_time(6)
            for meeting in self.meetings:
                if meeting.match is not None and not meeting.how and meeting.match.is_live:
                    self.win(meeting.match, choose(meeting))
            self.step()

    def bots_play(self, seconds: int = 240) -> None:
        """Move the clock second by second, and fire the clocks and bots of all matches."""
        for _ in range(seconds):
            if not self.row.is_live:
                return
            self.pass_time(1)
            repair.fire_due(
                list(Match.objects.filter(status="running").values_list("pk", flat=True)), self.now
            )


def options_of(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(match.table)["options"]
    return found


def cups_of(user_id: int) -> list[tuple[str, str]]:
    """Return the cups on a user's profile: title and number."""
    return [(cup.label, cup.value) for cup in standing_of.seen_by(user_id, user_id).others["cups"]]
