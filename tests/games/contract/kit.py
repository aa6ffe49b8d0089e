"""The games of the contract suite: those that the registry has, each with data of its own.

A game's data is ``CONTRACT`` in ``tests/games/<its folder>/contract.py``, and texts beside it:
``shape.txt``, what its types are made of, ``said.txt``, what is said and answered in it, and
``trials.txt``, random games.  This module names no game, so that a run without one still has the
others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from games import registry
from games.contract import TableGame
from games.engine.facts import SPECTATOR, SeatNo, Step, Told, Viewer
from games.engine.structs import Kinded, canonical
from games.text.typed import View
from tools.referee.trials import Input, Played, steps, trial_of

ROOT = Path(__file__).resolve().parents[3]
SLUGS = tuple(game.slug for game in registry.tables())
#: Without the games of the tests.
OF_THE_SITE = tuple(slug for slug in SLUGS if not registry.package(slug).startswith("tests."))


@dataclass(frozen=True, kw_only=True)
class Contract:
    """Data of a game that the game itself does not have.

    ``games``: how many random games a short, a whole and a long run plays; ``every``: of this many
    steps the dear properties look at one. ``reasons``: of the ends of random games. ``worlds``: the
    states that must look like a state to a viewer; ``blind``: actions of which a viewer must notice
    the same in all worlds, each with its seat and such worlds. ``unheard``: what a seat may ask for
    of which its ``mates`` alone hear; others hear the fact in ``traces`` of its kind, or nothing.
    ``is_open``: whether everybody hears a secret fact. ``unlisted``: whether an action may be
    accepted that ``legal_actions`` does not list. ``largest``: a state with large views, and the
    most bytes of one. ``unrecorded``: facts that no playthrough has. ``ordered``: kinds of actions
    the last of which counts for a team. ``taken_over``: fields of an own view that change with the
    sitter, none where nobody takes over; ``opens``: whether a seat is open to others once nobody
    acts on it. ``views``: by name, for the commands in ``said.txt``; ``untyped``: actions without a
    command. ``bots``: lines of games among bots, for ``trials.txt``. ``begin``: start a match on
    the site, with a slow clock, of an age in seconds; ``options``: those of random games there.
    """

    games: tuple[int, int, int] = (20, 40, 2_000)
    every: int = 1
    reasons: frozenset[str] = frozenset()
    worlds: Callable[[Any, Viewer], Iterable[Any]] = lambda state, viewer: ()
    blind: Callable[[Any, Viewer], Iterable[tuple[SeatNo, Kinded, Iterable[Any]]]] = (
        lambda state, viewer: ()
    )
    unheard: Callable[[Any, SeatNo], Iterable[Kinded]] = lambda state, seat: ()
    mates: Callable[[Any, SeatNo], Iterable[SeatNo]] = lambda state, seat: (seat,)
    traces: Mapping[str, str] = field(default_factory=dict)
    is_open: Callable[[Told], bool] = lambda told: False
    unlisted: Callable[[Any, SeatNo, Any], bool] = lambda state, seat, action: False
    largest: Callable[[], tuple[Any, int]] | None = None
    unrecorded: frozenset[str] = frozenset()
    ordered: frozenset[str] = frozenset()
    taken_over: frozenset[str] = frozenset()
    opens: bool = False
    views: Callable[[], Mapping[str, View]] = dict
    untyped: frozenset[str] = frozenset()
    bots: Callable[[], Iterable[str]] = tuple
    begin: Callable[..., Any] | None = None
    options: tuple[dict[str, Any], ...] = ({},)


def folder_of(slug: str) -> Path:
    return ROOT.joinpath("tests", *registry.package(slug).removeprefix("tests.").split("."))


class Tried:
    """A game that the suite tries: its rules, its random play and its data."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.package = registry.package(slug)
        self.game: TableGame = registry.table(slug)
        self.rules: Any = self.game.newest
        self.trial = trial_of(slug)
        #: The site's games must have data, those of the tests may.
        self.is_of_the_site = slug in OF_THE_SITE
        self.folder = folder_of(slug)
        has_data = self.is_of_the_site or (self.folder / "contract.py").exists()
        name = ".".join((*self.folder.relative_to(ROOT).parts, "contract:CONTRACT"))
        self.data: Contract = resolve_name(name) if has_data else Contract()

    def play(self, seed: str) -> Played[Any]:
        return self.trial.play(seed)

    def steps(self, name: str, games: int) -> Iterator[tuple[Any, Input, Step[Any]]]:
        """Yield steps of random games, spread over each: more games of a game whose are short."""
        for number in range(games * (3 if self.data.every == 1 else 1)):
            played = list(steps(self.rules, self.play(f"{name}/{number}")))
            yield from played[number % self.data.every :: self.data.every]

    def states(self, name: str, games: int) -> Iterator[Any]:
        for _, _, step in self.steps(name, games):
            if not self.rules.is_over(step.state):
                yield step.state

    def read(self, name: str) -> str:
        """Return one of the game's texts; a game of the tests may have none."""
        path = self.folder / name
        if not (self.is_of_the_site or path.exists()):
            pytest.skip(f"{self.slug} has no {name}")
        return path.read_text(encoding="utf-8")

    def said(self, section: str) -> list[list[str]]:
        """Return the lines of a section of ``said.txt``, each in its two parts."""
        _, _, rest = self.read("said.txt").partition(f"## {section}\n")
        lines = rest.partition("\n## ")[0].splitlines()
        return [line.split(" => ") for line in lines if line]


tried = cache(Tried)


def facts(events: Iterable[Told], at: object = "") -> Iterator[str]:
    for told in events:
        yield f"  {at} {told.kind} {canonical(told.data)}"


def options_of(slug: str) -> tuple[dict[str, Any], ...]:
    """Return the options with which a game is played at random on the site."""
    return tried(slug).data.options if (folder_of(slug) / "contract.py").exists() else ({},)


def viewers(played: Any) -> list[Viewer]:
    """Return everybody who could look: a spectator, each seat, and one that does not play."""
    return [SPECTATOR, *(Viewer(SeatNo(no)) for no in range(played.options.seats + 1))]


def heard(step: Step[Any], viewer: Viewer) -> list[tuple[str, str]]:
    """Return the facts of a step that a viewer gets, as text."""
    return [
        (told.kind, canonical(told.data))
        for told in step.events
        if told.audience is None or viewer.seat in told.audience
    ]


def noticed(rules: Any, step: Step[Any], viewer: Viewer) -> tuple[object, ...]:
    """Return all that a viewer can notice of a step."""
    state = step.state
    public = ("phase", "shown_deadline", "clock_limit", "open_seats", "is_over", "outcome")
    rooms = {name: repr(room) for name, room in rules.rooms(state, viewer).items()}
    shown = (getattr(rules, name)(state) for name in public)
    return heard(step, viewer), canonical(rules.view(state, viewer)), rooms, *shown


def table_view(
    slug: str,
    seat: int | None,
    names: Sequence[str | None],
    game: Mapping[str, Any] | None = None,
    stock: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return the view of a seat at a table where the names sit; None is a free seat."""
    match = {"game": slug, "public_id": "x", "title": "Back Room No. 7", "options": {}}
    seats = [
        {"no": no, "player": None if name is None else {"name": name, "bot": False}, "purse": 50}
        | {"ready": no == 0, "present": True, "bonus": 0, "is_open": False}
        for no, name in enumerate(names)
    ]
    match |= {"status": "open" if game is None else "running"}
    you = {"seat": seat, "name": None if seat is None else names[seat], "balance": 100}
    you |= {"may": ["ready", "stand"] if game is None else [], "default_purse": 80}
    held = {"rock": 0, "paper": 0, "scissors": 0, "landmine": 0, **(stock or {})}
    match |= {"options_revision": 3, "watching": 0}
    phase = 0 if game is None else game.get("phase", 1)
    around = {"match": match, "phase": phase, "you": {**you, "stock": held}}
    return {**around, "seats": seats, "game": game, "log": []}
