"""The arena for the tests of its services: people, a clock that only moves when told to, rounds."""

import itertools
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from economy.models import Setting
from games.arena import batch, presence, round_loop
from games.arena.models import Fight, Player, Round
from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.rules.moves import Move
from games.arena.rules.options import OPTIONS, Preference
from games.arena.statements import moment
from games.matches.processing.submissions import Answer
from tests.remembered import kit_time, remembered

_numbers = itertools.count(1)

#: The processes of these tests; any of them may lead.
ONE, OTHER = "one", "other"


def new_people(number: int, name: str = "fighter") -> list[User]:
    """Return new users; nobody logs in, so no passwords."""
    return [User.objects.create_user(f"{name}{next(_numbers)}") for _ in range(number)]


def ask(items: list[batch.Item], at: datetime | None = None) -> list[Answer]:
    """Do what users ask for, at an instant or now; return an answer for each."""
    clock = moment if at is None else lambda: at
    return batch.ArenaWork(lambda *_: None, clock).commit(items).answers


def allow(**numbers: int) -> None:
    """Change numbers of the arena."""
    for name, value in numbers.items():
        Setting.objects.update_or_create(name=f"arena.{name}", defaults={"value": value})


class ArenaKit:
    """An arena with people in it, and a clock of its own; sockets are as they are said to be."""

    @remembered
    def __init__(self, number: int = 4, **wishes: str) -> None:
        self.now: datetime = kit_time().replace(microsecond=0)
        self.people = new_people(number)
        self.here = {user.pk for user in self.people}
        for user in self.people:
            self.plain(user, **wishes)
            self.join(user)

    def plain(self, user: User, **wishes: str) -> None:
        """Let a user wish all options off but those that are named."""
        for option in OPTIONS:
            self.do(user, Prefer(option, Preference(wishes.get(option, "off"))))

    def do(self, user: User, action: ArenaAction, phase: int | None = None) -> Answer:
        """Let a user ask for something in the round as it stands."""
        phase = self.no if phase is None else phase
        (answer,) = ask([batch.Item(user.pk, action, phase)], self.now)
        return answer

    def join(self, user: User) -> Answer:
        """Let a user in, by a socket."""
        self.here.add(user.pk)
        return self.do(user, Join())

    def choose(self, *moves: str) -> list[Answer]:
        """Let the people choose, in order; an empty text is no choice."""
        return [
            self.do(user, Choose(Move(move) if move else None))
            for user, move in zip(self.people, moves, strict=False)
        ]

    def look(
        self, holder: str = ONE, seconds: float = 0, *, has_sockets: bool = True
    ) -> round_loop.Look:
        """Let a process look, so many seconds later; everybody's sockets are still there."""
        self.now += timedelta(seconds=seconds)
        presence.keep("sockets", self.here, self.now)
        return round_loop.look(holder, self.now, has_sockets=has_sockets)

    def begin(self) -> Round:
        """Let the first round begin."""
        self.look()
        return self.round

    def end(self, holder: str = ONE) -> Round:
        """Let the selection end; return the round that was resolved."""
        old = self.round
        self.now = old.ends_at
        assert self.look(holder).has_moved
        return Round.objects.get(no=old.no)

    def play(self, *moves: str) -> Round:
        """Choose, and let the selection end."""
        assert not [answer.error for answer in self.choose(*moves) if answer.error]
        return self.end()

    def leave(self, user: User) -> Answer:
        """Let a user ask to be out."""
        return self.do(user, Leave())

    def reset(self, user: User) -> Answer:
        """Let a user ask to begin again."""
        return self.do(user, Reset())

    @property
    def no(self) -> int:
        """The number of the newest round, 0 before the first."""
        newest = Round.objects.order_by("-no").first()
        return newest.no if newest else 0

    @property
    def round(self) -> Round:
        """The newest round."""
        newest = Round.objects.order_by("-no").first()
        assert newest is not None
        return newest

    def player(self, number: int) -> Player:
        """Return one of the people, as stored."""
        return Player.objects.get(pk=self.people[number].pk)

    def fights(self, no: int) -> dict[int, dict[str, Any]]:
        """Return a round's fights by user."""
        return {fight.user_id: vars(fight) for fight in Fight.objects.filter(round_no=no)}
