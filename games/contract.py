"""The contract of a game: what the site asks of each, and nothing that a game need not answer.

A game is data and small pure functions.  What runs only at the edges (addresses, sockets, tasks,
the admin) is named by dotted text, so that nothing below has to import it.

Source: docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any, Protocol

from economy.codes import TransferCode
from economy.tunables import Tunable
from economy.units import Unit
from games.engine.protocols import Engine, Rules
from games.text.entries import CommandEntry
from games.text.typed import Query

__all__ = [
    "Address", "Bot", "Character", "ContestTerms", "Counts", "Engine", "Game", "Lesson", "Lists",
    "Move", "Practice", "Rated", "Rules", "Speech", "TableGame", "Term", "Typing",
]  # fmt: skip

View = Mapping[str, Any]
Data = Mapping[str, Any]
Names = Mapping[int, str]


class Rated(Enum):
    """Between whom a game's matches change ratings."""

    NOBODY = "nobody"
    PAIR = "pair"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Counts:
    """What a game's results count for.

    ``board``: nets stand on the leaderboard and win the week's prizes.  ``ratio``: results of rated
    games make the account's win/loss ratio, and the awards that the rules state (``award_earned``)
    are paid in them.  ``absences``: the facts by which somebody timed out, kind -> what the fact
    says besides the seat.  ``idle``: the actions without which one has played nothing.
    ``to_the_end``: who plays to the end is reliable, as profiles tell.
    """

    rated: Rated = Rated.NOBODY
    board: bool = False
    ratio: bool = False
    absences: Mapping[str, Data] = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    to_the_end: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """What a fact moves in the ledger, beyond the common kinds: a code, and how many of what.

    The code says between which kinds of accounts (``economy.codes.FLOWS``).
    """

    code: TransferCode
    unit: Callable[[Data], Unit]
    count: Callable[[Data], int]


@dataclass(frozen=True, slots=True)
class Character:
    """How a bot is, for those who choose one: in a word each, and in a few."""

    manner: str
    strength: str
    about: str


class Bot(Protocol):
    """How a game's bots decide; they know no more than their view.

    ``cast``: what is known of the bots, by name, the mildest first; empty where all are alike.
    """

    cast: Mapping[str, Character]

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        """Return the actions in their wire form, in the order in which to send them."""

    def has_decision(self, state: Any, seat: int) -> bool:
        """Whether a bot for which the game waits would do something now."""

    def think_milliseconds(self, state: Any, seat: int, chance: Random) -> int:
        """Return how long it thinks before it acts; asked when the game begins to wait for it."""


@dataclass(frozen=True, slots=True)
class Address:
    """The names of a game's pages; a game without pages of its own has the common ones.

    ``match`` takes the public name of a match; the others take nothing, the common list the slug.
    """

    list: str = "game"
    match: str = "match"
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Speech:
    """A game in words.

    ``tell``: one sentence for a fact, by its kind, data and the names at the seats; private ones
    too; None where there is nothing worth a line.  ``kinds``: every kind of fact it knows.
    ``place_names``: after which its tables are called.  ``notices``: fact -> a text without a
    secret, for whoever is not there.
    """

    tell: Callable[[str, Data, Names], str | None]
    kinds: frozenset[str]
    place_names: tuple[str, ...]
    notices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lists:
    """What lists show of a game's matches.

    ``row``: of options and summary.  ``summary``: of a spectator's view, kept beside the state.
    ``need``: what the game wants of a seat now, None when it can wait; whether and
    what is alike for every role, since it is told on other pages, and by mail.  ``challenge``:
    what is said to whoever is invited, after the inviter's name.
    """

    row: Callable[[Data, Data], dict[str, Any]]
    summary: Callable[[View], dict[str, Any]]
    need: Callable[[Any, int], str | None]
    invitation: str = "invites you to a game"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A first game that is the same each time: a seed, a bot that plays its part, what is owned.

    ``options`` and ``stock`` stand instead of those of the practice.
    """

    seed: str
    bot: Bot
    options: Mapping[str, Any]
    stock: Mapping[str, int] = field(default_factory=dict)
    bots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Practice:
    """How a game is tried without an account, against bots, for chips that are no points.

    ``options``: what is chosen of the table's; ``bots``: their names, one a seat; ``stock``: the
    weapons one has besides; ``begin``: the name of the page to which a press opens the same kind
    of table for points, and ``begin_word`` what stands on it; ``about``: in a line, what it is;
    ``door``: the script of a board so small that it stands on the front page; ``demo``: the
    script that shows bots at play there when nothing else is on, and ``watched_bot`` the bot on the
    seat that else is a person's.
    """

    options: Mapping[str, Any]
    bots: tuple[str, ...]
    begin: str
    begin_word: str
    about: str
    door: str = ""
    demo: str = ""
    watched_bot: str = ""
    stock: Mapping[str, int] = field(default_factory=dict)
    lesson: Lesson | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A setting that contests have of the game's option of that name, within its bounds.

    ``label`` is for people; ``unit`` says how a number is told: "seconds" as a span.  ``least`` and
    ``most`` may name numbers of the site that narrow the bounds.  ``is_fixed``: chosen when the
    contest is founded, not amended.
    """

    label: str
    unit: str = ""
    least: str = ""
    most: str = ""
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class ContestTerms:
    """What a game without purses offers to contests.

    ``least`` and ``most``: how many play a game.  ``settings``: option -> how contests have it.
    ``options``: what every game of a contest has besides.  Of a state: ``living``, the seats that
    are citizens, and ``absent``, those that made no choice in two phases running, alive or dead
    since.  ``axes``: on how many axes it awards points, x alone or x and y.
    """

    least: int
    most: int
    settings: Mapping[str, Term]
    options: Data
    living: Callable[[Any], Collection[int]]
    absent: Callable[[Any], Collection[int]]
    axes: int = 2


@dataclass(frozen=True, slots=True)
class Typing:
    """What can be typed at a game's tables, and how it is answered."""

    commands: tuple[CommandEntry, ...]
    answer: Callable[[Query, View], str]
    confirm: Callable[[Mapping[str, Any], View], str]


def _as_they_are(wanted: dict[str, Any], chosen: Collection[str]) -> dict[str, Any]:
    return wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game of the site.

    ``slug`` is its name in rows and texts; ``title`` and ``plural`` are for people; ``template``
    and ``script`` draw its page.  ``rules``: by version, the newest for what begins now.  The last
    ones are dotted texts: ``random_game`` a function that plays a random game from a seed (a
    ``Finished``), ``urls`` a URL configuration, ``sockets`` a list of socket addresses, ``runners``
    classes that a web process starts with its runtime, ``sweeps`` functions that the worker calls,
    ``reactions`` functions that the write path calls, ``admin`` a module.
    """

    slug: str
    title: str
    plural: str
    about: str
    icon: str
    template: str
    script: str
    numbers: tuple[Tunable, ...]
    rules: Mapping[int, Any]
    speech: Speech
    typing: Typing
    random_game: str
    counts: Counts = Counts()
    address: Address = Address()
    urls: str | None = None
    sockets: str | None = None
    runners: tuple[str, ...] = ()
    sweeps: tuple[str, ...] = ()
    reactions: tuple[str, ...] = ()
    admin: str | None = None

    @property
    def version(self) -> int:
        """The rules of what begins now."""
        return max(self.rules)

    @property
    def newest(self) -> Any:
        """The rules of what begins now."""
        return self.rules[self.version]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame(Game):
    """A game that is played in matches, by seats.

    ``fill_options`` completes the wanted options before they are checked, given the names of
    those that somebody chose.  ``board``: what the script that draws a table must know of the
    rules, beside every view.  ``hides_presence``: who is there is told by the day and never live,
    since it could tell a role, nobody looks on from a device of one who plays, and what a seat
    alone sees is as long as everybody's.  ``practice``: how it is tried without an account, if it
    can be.  ``contest``: what it offers to contests, if it is played in them.  ``town_config``:
    what the common Mafia pages must know of it, as dotted text.
    """

    lists: Lists
    bot: Bot
    moves: Mapping[str, Move] = field(default_factory=dict)
    board: Data = field(default_factory=dict)
    fill_options: Callable[[dict[str, Any], Collection[str]], dict[str, Any]] = _as_they_are
    hides_presence: bool = False
    practice: Practice | None = None
    contest: ContestTerms | None = None
    town_config: str | None = None

    @property
    def options(self) -> Any:
        """The type of the options of new matches."""
        return self.newest.Options
