"""The contract of a game, as data and small pure functions. What runs only at the edges is named by
dotted text, so that no lower layer imports it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from economy.transfers import TransferCode
from economy.tunables import Tunable
from economy.units import Unit
from games.engine.facts import Fact, Instant, SeatNo
from games.engine.protocols import Engine, Rules
from games.text.answers import Typing
from games.text.telling import Data, Names, Teller

__all__ = [
    "Address", "Bot", "Character", "ContestTerms", "Counts", "Engine", "Figure", "Fought", "Game",
    "Goal", "Happened", "Knockout", "Lesson", "Lists", "Move", "OnProfile", "Pool", "Practice",
    "Rated", "Reads", "Replayed", "Rules", "Speech", "TableGame", "Term", "TimedBots", "Typing",
]  # fmt: skip

View = Mapping[str, Any]


class Rated(Enum):
    """The matches that change ratings: none, those of a pair that asks for it, all among people."""

    NOBODY = "nobody"
    PAIR = "pair"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of ratings beside the game's own: its title, and the options of its matches."""

    title: str
    terms: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Counts:
    """The statistics in which a game's results count."""

    rated: Rated = Rated.NOBODY
    #: Further pools, by the mark of their matches.
    pools: Mapping[str, Pool] = field(default_factory=dict)
    #: In how many games of a day (UTC) two players change each other's rating, 0: in all.
    pair_daily: int = 0
    #: Whether nets count on the leaderboard and for the week's prizes.
    board: bool = False
    #: Whether rated games count in the account's win/loss ratio, and alone pay ``award_earned``.
    ratio: bool = False
    #: The facts that record a timeout: kind -> its data besides the seat.
    absences: Mapping[str, Data] = field(default_factory=dict)
    #: The actions that do not count as playing.
    idle: frozenset[str] = frozenset()
    #: Whether players who stay to the end count as reliable on profiles.
    to_the_end: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """The ledger transfer of a fact, beyond the common kinds; the code fixes the kinds of the two
    accounts (``economy.transfers.FLOWS``).
    """

    code: TransferCode
    unit: Callable[[Data], Unit]
    count: Callable[[Data], int]


@dataclass(frozen=True, slots=True)
class Fought:
    """One battle, as everybody saw it: titles of weapons, None for bare hands; no winner for
    a tie.
    """

    seats: tuple[SeatNo, SeatNo]
    weapons: tuple[str | None, str | None]
    winner: SeatNo | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a player's profile."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class OnProfile:
    """A game's figures on profiles: a query of rows with a ``user``, none before the first game; up
    to eight columns of numbers; and what makes figures of them.
    """

    rows: Callable[[], Any]
    columns: tuple[str, ...]
    show: Callable[..., list[Figure]]


#: A fact that has happened: its kind and its data.
Happened = tuple[str, Data]


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that a player reaches once, never for points; ``about`` says what to do. A game of
    matches gives ``seats``: from its last state and all facts of ``kinds``, who has reached it.
    """

    name: str
    title: str
    about: str
    seats: Callable[[Any, Sequence[Happened]], Collection[int]] | None = None
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reads:
    """Guesses of watchers about a running match, sealed until its end: who is of the mafia."""

    #: Of a spectator's view of the game: the seats that are not revealed, and how many of them are.
    asked: Callable[[View], tuple[Collection[int], int]]
    #: Of a last state: the seats of the mafia, and those that knew more than watchers do.
    mafia: Callable[[Any], Collection[int]]
    knew: Callable[[Any], Collection[int]]


@dataclass(frozen=True, slots=True)
class Character:
    """A bot for people who choose one: manner, strength, and a short text. ``reads``: it plays by
    earlier throws, and never for points.
    """

    manner: str
    strength: str
    about: str
    reads: bool = False


class Bot(Protocol):
    """The decisions of a game's bots, by their view alone. ``cast``: their descriptions by name,
    the mildest first; empty if all are alike. The view of one that ``reads`` has ``history`` too:
    the data of the game's ``battles`` in this match, oldest first, and ``prior``.
    """

    cast: Mapping[str, Character]

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        """Return the actions in their wire form, in the order in which to send them."""

    def has_decision(self, state: Any, seat: int) -> bool:
        """Whether a bot for which the game waits would act now."""

    def think_milliseconds(self, state: Any, seat: int, chance: Random) -> int:
        """Return the delay before an action, from when the game waits for it."""


class TimedBots(ABC):
    """Bots that look at moments of their own. Their view also has ``at``, the current instant, and
    ``posts`` that the seat may read, oldest first: ``room``, ``no``, ``seat``, ``at``, ``text``.
    """

    cast: Mapping[str, Character] = MappingProxyType({})

    @abstractmethod
    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]: ...

    @abstractmethod
    def answers_after(self, room: str) -> int:
        """Return the milliseconds after which bots look at a person's post in a room."""

    @abstractmethod
    def next_look(self, state: Any, bots: frozenset[int], at: Instant) -> Instant | None:
        """Return the next moment after ``at`` at which bots look at the game, None if none does."""

    @abstractmethod
    def wave(
        self, bots: Sequence[int], view_of: Callable[[int], View], chance: Random
    ) -> list[tuple[int, dict[str, Any]]]:
        """Return the actions of the bots that act at this moment, each with its seat."""


@dataclass(frozen=True, slots=True)
class Address:
    """The names of a game's pages, by default the common ones, whose list and rules take the slug.
    ``match`` and ``story`` (of a finished match) take its public id.
    """

    list: str = "game"
    match: str = "match"
    rules: str = "game_rules"
    story: str = ""


@dataclass(frozen=True, slots=True)
class Speech:
    """The texts of a game. ``sentences``: of every kind of fact, private ones too, None without a
    line; ``place_names`` are for tables; ``notices``: fact -> a text without secrets, for absent
    players.
    """

    sentences: Mapping[str, Teller | None]
    place_names: tuple[str, ...]
    notices: Mapping[str, str] = field(default_factory=dict)

    def tell(self, kind: str, data: Data, names: Names) -> str | None:
        """Return the sentence for a fact, with the names at the seats; None without a line."""
        teller = self.sentences.get(kind)
        return teller(data, names) if teller else None


@dataclass(frozen=True, slots=True)
class Lists:
    """The fields of a game's matches in lists."""

    #: From options and summary; ``terms`` (what is played for) and ``news`` are texts.
    row: Callable[[Data, Data], dict[str, Any]]
    #: From a spectator's view, stored beside the state.
    summary: Callable[[View], dict[str, Any]]
    #: The action that the game waits for from a seat, None when it can wait; the same for every
    #: role, since other pages and mail show it.
    need: Callable[[Any, int], str | None]
    #: The text to an invited user, after the inviter's name.
    invitation: str = "invites you to a game"


@dataclass(frozen=True, slots=True)
class Lesson:
    """The first game of the practice, the same each time; ``options`` and ``stock`` replace those
    of the practice.
    """

    seed: str
    bot: Bot
    options: Mapping[str, Any]
    stock: Mapping[str, int] = field(default_factory=dict)
    bots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Practice:
    """Practice of a game without an account, against bots, for chips instead of points."""

    options: Mapping[str, Any]
    bots: tuple[str, ...]
    #: The page that opens the same kind of table for points, and the text of its button.
    begin: str
    begin_word: str
    about: str
    #: Scripts for the front page: a small board, and a game of bots when nothing else runs, with
    #: this bot on the person's seat.
    door: str = ""
    demo: str = ""
    watched_bot: str = ""
    #: How a seat did in a round, W, D or L, None for other facts; for the daily table.
    mark: Callable[[Fact, SeatNo], str | None] | None = None
    #: The player's own weapons.
    stock: Mapping[str, int] = field(default_factory=dict)
    lesson: Lesson | None = None
    #: Further kinds by their name in the address, with the options that replace the practice's.
    kinds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replayed:
    """The choices of a game for replays of its matches, and the result in a line."""

    #: The kinds of facts at which a replay stops.
    moments: frozenset[str]
    #: What a seat holds in words, from its own part of the game's view, empty for nothing.
    holding: Callable[[Data, Names], str]
    #: The result in at most 60 characters, from the spectators' last view.
    headline: Callable[[View], str]
    #: What the preview card shows beside it, as a word and a figure; None: nothing.
    badge: Callable[[View], tuple[str, str] | None] | None = None
    #: The windows of a town on it, in seat order: whether the light is on.
    windows: Callable[[View], Sequence[bool]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class Term:
    """A contest's setting for the game's option of that name, within its bounds."""

    label: str
    unit: str = ""  # "seconds" is shown as a duration
    #: The numbers of the site that narrow the bounds.
    least: str = ""
    most: str = ""
    is_fixed: bool = False  # chosen when the contest is founded, not amended
    about: str = ""


@dataclass(frozen=True, slots=True)
class ContestTerms:
    """The terms of contests in a game without purses."""

    #: How many play a game.
    least: int
    most: int
    settings: Mapping[str, Term]
    #: What every game of a contest has besides.
    options: Data
    #: Of a state: the seats that are citizens, and those without a choice in two phases running.
    living: Callable[[Any], Collection[int]]
    absent: Callable[[Any], Collection[int]]
    axes: int = 2  # of the points that it awards: x alone, or x and y


@dataclass(frozen=True, slots=True)
class Knockout:
    """The matches of a game for two in knock-outs."""

    #: What every match has, and what a final has besides; ``clock`` is the option of its clock.
    options: Data
    final: Data
    clock: str
    #: Of a state: the wins of each seat, and the number of its last move, 0 for none.
    sides: Callable[[Any], Sequence[tuple[int, int]]]


def _as_they_are(wanted: dict[str, Any], chosen: Collection[str]) -> dict[str, Any]:
    return wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game of the site; the last fields are dotted texts."""

    slug: str
    title: str
    plural: str
    about: str
    icon: str
    template: str
    script: str
    numbers: tuple[Tunable, ...]
    typing: Typing
    #: The rules in paragraphs, for the common rules page.
    how: tuple[str, ...] = ()
    counts: Counts = Counts()
    goals: tuple[Goal, ...] = ()
    address: Address = Address()
    urls: str | None = None
    sockets: str | None = None
    #: The router of its operations of the reading API.
    reading: str | None = None
    #: Outside of matches: its ``OnProfile``.
    figures: str | None = None
    #: Outside of matches: a function that returns (user's id, goal's name) of all who reached one.
    past_goals: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame(Game):
    """A game that is played in matches, by seats; the last fields are dotted texts."""

    #: By version, the newest for new matches.
    rules: Mapping[int, Any]
    speech: Speech
    lists: Lists
    bot: Bot | TimedBots
    replay: Replayed
    moves: Mapping[str, Move] = field(default_factory=dict)
    #: Data that the table's script needs besides the view; ``words`` by folder of scripts.
    board: Data = field(default_factory=dict)
    #: Completes the wanted options before they are checked, given the names of the chosen ones.
    fill_options: Callable[[dict[str, Any], Collection[str]], dict[str, Any]] = _as_they_are
    #: Presence could reveal a role: it is shown by the day and never live, nobody watches from a
    #: player's device, and every seat's private view is equally long.
    hides_presence: bool = False
    practice: Practice | None = None
    contest: ContestTerms | None = None
    knockout: Knockout | None = None
    reads: Reads | None = None
    #: Public fact -> the battles that it reveals, for the insight after a game.
    battles: Mapping[str, Callable[[Data], Iterable[Fought]]] = field(default_factory=dict)
    #: From a bot's name, the public view after the end, and its seat: how it says that it played.
    afterword: Callable[[str, View, int], str] | None = None
    #: The configuration for the common Mafia pages.
    town_config: str | None = None
    #: From a public view after the end: each seat's card and fate in words, for profiles.
    fates: str = ""
    #: The parts of the generated interface for programs that have other names.
    rpc: str | None = None
    #: From a bot's name and the ids of the people in its match: what it knows from before, fixed at
    #: the start.
    prior: str = ""
    #: From users by seat: the seats whose users did not come to their last quick game.
    warned: str = ""
    #: From the facts of a finished match and the names at its seats: what they show afterwards, a
    #: map with ``lines``, or None.
    analysis: str = ""

    @property
    def version(self) -> int:
        return max(self.rules)

    @property
    def newest(self) -> Any:
        return self.rules[self.version]

    @property
    def options(self) -> Any:
        return self.newest.Options
