"""A Mafia game for the tests of its rules: its clock, and all that was told."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, Generic, TypeVar

from games.engine.choices import clean_options
from games.engine.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Told, Viewer
from games.engine.structs import Kinded
from games.mafia.common.rules.actions import Done, Leave, Post, WriteWill
from games.mafia.common.rules.engine import MafiaRules
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.state import TownState
from tests.refusals import refuses
from tools.referee.mafia import exchanged

NOON = Instant(1_795_262_400_000)

S = TypeVar("S", bound=TownState)


def done_at_night(
    rules: MafiaRules[Any], state: Any, seat: SeatNo, room: str, *, leaves: bool = False
) -> list[Kinded]:
    """Return what a seat may ask for at night; of none of it the town learns."""
    own = state.member(seat)
    if own is None or state.stage != Stage.NIGHT or state.clock.early_at is not None:
        return []
    legal = [
        each for each in rules.legal_actions(state, seat) if not isinstance(each, Leave) or leaves
    ]
    return [*legal, Post(room, "x"), WriteWill("y")] if own.is_alive else []


def blind(
    state: Any, viewer: Viewer, card: Any, unknown: Callable[[Any], Iterable[Any]], asked: Any
) -> Iterator[tuple[SeatNo, Kinded, Any]]:
    """Yield what a seat may ask for; in its worlds unknown ones have exchanged their cards."""
    own = None if viewer.seat is None else state.member(viewer.seat)
    if own is not None and state.clock.early_at is None:
        living = [member for member in unknown(own) if member.is_alive]
        worlds = [exchanged(state, *pair, card) for pair in combinations(living, 2)]
        yield from ((own.no, each, worlds) for each in asked)


def is_in_town(told: Told) -> bool:
    """Whether a fact is a post that everybody reads: it is as secret as all other posts."""
    return told.kind == "posted" and told.data["room"] == "town"


class RulesKit(Generic[S]):
    """One game by its rules alone; phases of ten minutes unless the options say otherwise."""

    state: S

    def __init__(
        self, rules: MafiaRules[S], kind: Any, seats: int, seed: str, options: dict[str, Any]
    ) -> None:
        self.rules: Any = rules
        self.options = clean_options(kind, {"seats": seats, "phase_seconds": 600, **options})
        setups = [SeatSetup(SeatNo(no)) for no in range(seats)]
        self.at = NOON
        self.told: list[Told] = []
        self.take(self.rules.setup(self.options, setups, seed, self.at))

    def take(self, step: Step[S]) -> Step[S]:
        self.state = step.state
        self.told += step.events
        return step

    def act(self, seat: int, action: Kinded) -> Step[S]:
        self.at = Instant(self.at + 1_000)
        return self.take(self.rules.apply(self.state, SeatNo(seat), action, self.at))

    def refuses(self, code: str, seat: int, *actions: Kinded) -> None:
        for action in actions:
            with refuses(code):
                self.act(seat, action)

    def late(self) -> Step[S]:
        self.at = Instant(self.due_at or 0)
        return self.take(self.rules.on_deadline(self.state, self.at))

    @property
    def due_at(self) -> Any:
        return self.rules.deadline(self.state)

    def member(self, seat: int) -> Any:
        return self.state.member(SeatNo(seat))

    @property
    def alive(self) -> list[int]:
        return [member.no for member in self.state.living]

    def all_done(self, *but: int) -> None:
        for seat in self.alive:
            if seat not in but:
                self.act(seat, Done())

    def leave(self, seat: int) -> Step[S]:
        return self.act(seat, Leave())

    def post(self, seat: int, room: str, text: str = "hello") -> Step[S]:
        return self.act(seat, Post(room, text))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        viewer = SPECTATOR if seat is None else Viewer(SeatNo(seat))
        shown: dict[str, Any] = self.rules.view(self.state, viewer)
        return shown

    def kinds(self) -> list[str]:
        return [told.kind for told in self.told]

    def told_of(self, kind: str) -> list[Told]:
        return [told for told in self.told if told.kind == kind]

    def last(self, kind: str) -> Told:
        return self.told_of(kind)[-1]
