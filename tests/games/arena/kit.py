"""The arena for tests of its services: people, a clock that only moves when told to, rounds."""

import itertools
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any

from django.utils import timezone

from accounts.models import User
from economy.models import Setting
from games.arena import batch, leader, processes, queries, rounds
from games.arena.models import DayFigures, Fight, Player, Round
from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.rules.moves import Battles, Move
from games.arena.rules.options import OPTIONS, Preference
from games.arena.rules.resolve import Figures, figures_after
from games.arena.rules.scores import VERDICTS, Verdict
from games.engine.errors import IllegalAction
from games.engine.facts import SPECTATOR, SeatNo, Step, Viewer, instant
from games.matches.processing.submissions import Answer
from games.realtime.leases import moment
from tools.referee.arena.engine import Arena
from tools.referee.arena.facts import FiguresReset, RoundFought
from tools.referee.arena.rounds import seed_of
from tools.referee.arena.state import ArenaState, Options, PlayerState
from tools.referee.arena.view import live_choices

_numbers = itertools.count(1)

#: The figures by which people stand on a board.
BOARD = ("score", "streak", "best_streak", "round_wins")
of_board = attrgetter(*BOARD)
#: The processes of these tests; any of them may lead.
ONE, OTHER = "one", "other"


def new_people(number: int, name: str = "fighter") -> list[User]:
    return [User.objects.create_user(f"{name}{next(_numbers)}") for _ in range(number)]


def new_item(user: User, action: ArenaAction, phase: int) -> batch.Item:
    return batch.Item(user.pk, action, phase, f"action-{next(_numbers):08d}")


def ask(items: list[batch.Item], at: datetime | None = None) -> list[Answer]:
    clock = moment if at is None else lambda: at
    return batch.ArenaWork(lambda *_: None, clock).commit(items).answers


def allow(**numbers: int) -> None:
    for name, value in numbers.items():
        Setting.objects.update_or_create(name=f"arena.{name}", defaults={"value": value})


def playing(number: int = 4, **wishes: str) -> "ArenaKit":
    kit = ArenaKit(number, **wishes)
    kit.begin()
    return kit


class ArenaKit:
    """An arena with people in it, and a clock of its own; sockets are as they are said to be."""

    def __init__(self, number: int = 4, **wishes: str) -> None:
        self.now: datetime = timezone.now().replace(microsecond=0)
        self.people = new_people(number)
        self.here = {user.pk for user in self.people}
        for user in self.people:
            self.plain(user, **wishes)
            self.join(user)

    def plain(self, user: User, **wishes: str) -> None:
        """Set a user's preferences: off, except for the named options."""
        for option in OPTIONS:
            self.do(user, Prefer(option, Preference(wishes.get(option, "off"))))

    def do(self, user: User, action: ArenaAction, phase: int | None = None) -> Answer:
        phase = self.no if phase is None else phase
        (answer,) = ask([new_item(user, action, phase)], self.now)
        return answer

    def join(self, user: User) -> Answer:
        self.here.add(user.pk)
        return self.do(user, Join())

    def refusal(self, user: User, action: ArenaAction, phase: int | None = None) -> str:
        return self.do(user, action, phase).error.code

    def add(self, **wishes: str) -> User:
        (late,) = new_people(1)
        self.plain(late, **wishes)
        self.join(late)
        return late

    def choose(self, *moves: str) -> list[Answer]:
        chosen = [Choose(Move(move) if move else None) for move in moves]
        return [self.do(*each) for each in zip(self.people, chosen, strict=False)]

    def look(self, holder: str = ONE, seconds: float = 0, *, has_sockets: bool = True) -> Any:
        """Run a process's tick after some seconds, with everybody's sockets connected."""
        self.now += timedelta(seconds=seconds)
        processes.keep_users("sockets", self.here, self.now)
        return leader.look(holder, self.now, has_sockets=has_sockets)

    def begin(self) -> Round:
        self.look()
        return self.round

    def end(self, holder: str = ONE) -> Round:
        old = self.round
        self.now = old.ends_at
        assert self.look(holder).has_moved
        return Round.objects.get(no=old.no)

    def play(self, *moves: str) -> Round:
        assert not [answer.error for answer in self.choose(*moves) if answer.error]
        return self.end()

    def leave(self, user: User) -> Answer:
        return self.do(user, Leave())

    def reset(self, user: User) -> Answer:
        return self.do(user, Reset())

    @property
    def no(self) -> int:
        newest = Round.objects.order_by("-no").first()
        return newest.no if newest else 0

    @property
    def round(self) -> Round:
        return Round.objects.latest("no")

    def player(self, number: int) -> Player:
        return Player.objects.get(pk=self.people[number].pk)

    def each(self, *names: str) -> list[Any]:
        """Return what is stored of all people: the values, or tuples of values, by these names."""
        return [attrgetter(*names)(self.player(number)) for number in range(len(self.people))]

    def played(self) -> list[int]:
        return [sum(each) for each in self.each("round_wins", "round_losses", "round_ties")]

    def fights(self, no: int) -> dict[int, dict[str, Any]]:
        return {fight.user_id: vars(fight) for fight in Fight.objects.filter(round_no=no)}


class BothArenas:
    """An arena of the engine's and one of the site's; a seat is one of the people, by number."""

    def __init__(self, monkeypatch: Any, number: int, seed: str, **numbers: int) -> None:
        allow(**numbers)
        User.objects.filter(is_bot=True).update(is_active=False)
        self.kit = ArenaKit(0)
        self.kit.people = new_people(number)
        self.kit.here = {user.pk for user in self.kit.people}
        self.rules = Arena()
        self.boards: dict[int, Figures] = {}
        self.days: dict[tuple[int, date], Figures] = {}
        began = instant(self.kit.now)
        self.state: ArenaState = self.rules.setup(Options(**numbers), (), seed, began).state
        # The engine has no chain: its seed is link and seed of the site's round.
        monkeypatch.setattr(rounds, "link_of", lambda no, _at: seed_of(seed, no))
        monkeypatch.setattr(rounds, "mixed_seed", lambda link, _no, _digest: link)

    def do(self, seat: int, action: ArenaAction) -> tuple[str | None, str | None]:
        code = None
        try:
            self._go_on(self.rules.apply(self.state, SeatNo(seat), action, instant(self.kit.now)))
        except IllegalAction as problem:
            code = problem.code
        answer = self.kit.do(self.kit.people[seat], action)
        if isinstance(action, Join):
            self.kit.look()
        return code, answer.error and answer.error.code

    def end(self, late: timedelta = timedelta()) -> None:
        self.kit.now = self.kit.round.ends_at + late
        self._go_on(self.rules.on_deadline(self.state, instant(self.kit.now)))
        assert self.kit.look().has_moved

    def compare(self) -> None:
        shown, view = queries.public_view(), self.rules.view(self.state, SPECTATOR)
        drawn = None if view["drawn"] is None else self.kit.people[view["drawn"]].username
        expected = {**view, "drawn": drawn, "commitment": view["commitment"] or shown["commitment"]}
        del expected["you"]
        assert {name: shown[name] for name in expected} == expected
        live = queries.read_live(self.kit.no, [])
        assert live["counts"] == live_choices(self.state)["counts"]
        players = Player.objects.in_bulk()
        fights = self.kit.fights(self.kit.no - 1)
        for each in self.state.players:
            user = self.kit.people[each.no]
            self._compare(each, players[user.pk], fights.get(user.pk))
            own, seen = queries.own_view(user), self.rules.view(self.state, Viewer(each.no))["you"]
            assert all(own[name] == seen[name] for name in ("is_in", "choice", "is_sat_out"))
        pks, days = [user.pk for user in self.kit.people], self.days.items()
        kept = DayFigures.objects.values_list("user", "day", *BOARD)
        told = {(pks[seat], day): of_board(figures) for (seat, day), figures in days}
        assert {(user, day): tuple(figures) for user, day, *figures in kept} == told

    def _compare(self, seat: PlayerState, player: Player, fight: dict[str, Any] | None) -> None:
        figures = Figures(*(getattr(player, name) for name in Figures.__struct_fields__))
        assert (figures, player.health) == (seat.figures, seat.health)
        waiting = (player.is_in, player.leaves, player.resets)
        assert waiting == (seat.is_in, seat.leaves_after, seat.resets_after)
        if seat.is_in:
            assert player.idle_rounds == seat.idle_rounds
        board = tuple(getattr(player, f"board_{name}") for name in BOARD)
        assert board == of_board(self.boards.get(seat.no, Figures()))
        if fight is not None:
            part = seat.last
            for name in ("how", "team", "wins", "losses", "ties", "result", "score_delta"):
                assert fight[name] == getattr(part, name)
            assert fight["move"] == (part.move or "")

    def _go_on(self, step: Step[ArenaState]) -> None:
        ended, at = self.kit.round.ends_at if self.kit.no else self.kit.now, self.kit.now
        self.state, last = step.state, step.state.last
        is_counted = last is not None and sum(last.counts) >= rounds.ENOUGH
        for fact in [told.fact for told in step.events]:
            if isinstance(fact, FiguresReset):
                self.boards.pop(fact.seat, None)
                self.days.pop((fact.seat, at.date()), None)
            if isinstance(fact, RoundFought) and is_counted and fact.fought.result != Verdict.NONE:
                self._count(fact, ended.date())

    def _count(self, fact: RoundFought, day: date) -> None:
        part = fact.fought
        fought = Battles(part.wins, part.losses, part.ties), VERDICTS.index(part.result)
        for kept, key in ((self.boards, fact.seat), (self.days, (fact.seat, day))):
            old = kept.get(key, Figures())  # type: ignore[attr-defined]
            kept[key] = figures_after(old, *fought, part.score_delta)  # type: ignore[index]
