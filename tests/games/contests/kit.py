"""A contest on the site, for tests: its people, and a clock that only moves when told to."""

import itertools
import random
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.contests import models, rows, services
from games.contests.rules.state import Contest
from games.mafia.agora.rules.roles import Role, Side
from games.mafia.common.rules.phases import Stage
from games.matches.models import Match, WebProcess
from games.matches.processing import outage
from tests.games.mafia.agora.kit import TownKit
from tests.games.match_kit import new_user

_names = itertools.count(1)


def person() -> User:
    return new_user(f"c{next(_names)}x")


class GameKit(TownKit):
    """A running game of a contest, with its people in the order of their seats."""

    def __init__(self, match: Match, now: datetime) -> None:
        self.now, self.match = now, match
        self.people = [seat.user for seat in match.seats.order_by("no").select_related("user")]
        self.chance = random.Random(7)

    def play_over(self) -> datetime:
        for _ in range(200):
            if self.row.status != Match.Status.RUNNING:
                return self.now
            self.play_like_bots(self.snapshot)
            if self.row.due_at is not None:
                self.run_out()
        raise AssertionError("the game does not end")

    def win(self, side: Side) -> datetime:
        while self.row.status == Match.Status.RUNNING:
            is_night = self.play.stage == Stage.NIGHT
            if is_night and side == Side.MAFIA:
                self.kill_one()
            elif is_night or side == Side.MAFIA:
                self.run_out()
            else:
                self.lynch(next(c.no for c in self.play.living if c.side == Side.MAFIA))
        return self.now

    def lynch(self, seat: int) -> None:
        phase = self.row.phase
        for user in self.alive:
            if self.row.phase == phase:
                self.act(user, kind="vote", choice=seat)

    def kill_one(self) -> None:
        victim = next(c.no for c in self.play.living if c.side == Side.TOWN)
        self.act(self.user_of(Role.MAFIOSO), kind="choose", target=victim)
        self.run_out()


def beat(now: datetime) -> None:
    if not WebProcess.objects.filter(closed_at=None).update(beat_at=now):
        outage.open_process(now)


class ContestKit:
    """One contest with some parties; ``master`` where it is not the site's."""

    def __init__(
        self,
        count: int = 5,
        *,
        game: str = "agora",
        is_master: bool = False,
        age: float = 0,
        **settings: Any,
    ) -> None:
        self.now = timezone.now() - timedelta(seconds=age)
        beat(self.now)
        self.founder = person()
        chosen = {"phase_seconds": 86_400, **settings}
        charter = services.Charter("Old Bridge", game, chosen, is_master)
        self.row = services.found(user=self.founder, charter=charter, now=self.now)
        self.people = [] if is_master else [self.founder]
        while len(self.people) < count:
            self.people.append(user := person())
            self.do("join", user)

    def do(self, deed: str, user: User, **more: Any) -> Any:
        service = getattr(services, deed)
        return service(contest_id=self.row.pk, user=user, now=self.now, **more)

    def ready(self, *people: User) -> None:
        for user in people or self.people:
            self.do("make_ready", user)

    def pass_time(self, **span: float) -> None:
        """Move the clock, with a live web process."""
        self.now += timedelta(**span)
        beat(self.now)

    @property
    def state(self) -> Contest:
        return rows.load(models.Contest.objects.get(pk=self.row.pk))

    @property
    def kinds(self) -> list[str]:
        return list(self.row.history.order_by("no").values_list("kind", flat=True))

    def lines(self, kind: str) -> list[models.Line]:
        return list(self.row.history.filter(kind=kind).order_by("no"))

    @property
    def game(self) -> GameKit:
        running = self.row.played.get(ended_at=None)
        return GameKit(running.match, self.now)

    def play_over(self) -> None:
        self.now = self.game.play_over()
