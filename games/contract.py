"""The contract of a game: everything that the site requires of each game, and nothing else.

A game is data and small pure functions.  What runs only at the edges (addresses, sockets, tasks,
the admin) is named by dotted text, so that no lower layer has to import it.
Source: docs/how-to/add-a-game.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from economy.codes import TransferCode
from economy.tunables import Tunable
from economy.units import Unit
from games.engine.facts import Fact, Instant, SeatNo
from games.engine.protocols import Engine, Rules
from games.text.telling import Data, Names, Teller
from games.text.typed import CommandEntry, Query

__all__ = [
    "Address", "Bot", "Character", "ContestTerms", "Counts", "Engine", "Figure", "Fought", "Game",
    "Lesson", "Lists", "Move", "Practice", "Rated", "Replayed", "Rules", "Speech", "TableGame",
    "Term", "TimedBots", "Typing",
]  # fmt: skip

View = Mapping[str, Any]


class Rated(Enum):
    """The matches that change ratings: none, those of a pair that asks for it, all among people."""

    NOBODY = "nobody"
    PAIR = "pair"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Counts:
    """The statistics in which a game's results count.

    ``pair_daily``: in how many games of a day (UTC) two players change each other's rating at most,
    0: in all.  ``board``: nets count on the leaderboard and for the week's prizes.  ``ratio``:
    results of rated games count in the account's win/loss ratio, and only rated games pay the
    awards of the rules (``award_earned``).  ``absences``: the facts that record a timeout, kind ->
    its data besides the seat.  ``idle``: the actions that do not count as playing.  ``to_the_end``:
    players who stay to the end count as reliable on profiles.
    """

    rated: Rated = Rated.NOBODY
    pair_daily: int = 0
    board: bool = False
    ratio: bool = False
    absences: Mapping[str, Data] = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    to_the_end: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """The ledger transfer of a fact, beyond the common kinds: a code, a unit and a count. The code
    fixes the kinds of the two accounts (``economy.codes.FLOWS``).
    """

    code: TransferCode
    unit: Callable[[Data], Unit]
    count: Callable[[Data], int]


@dataclass(frozen=True, slots=True)
class Fought:
    """One battle of two seats, as everybody saw it: titles of weapons, None for bare hands.
    ``winner`` is a seat, None for a tie.
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
class Character:
    """The description of a bot for people who choose one: manner, strength, and a short text."""

    manner: str
    strength: str
    about: str


class Bot(Protocol):
    """The decisions of a game's bots; their only input is their view. ``cast``: the descriptions of
    the bots by name, the mildest first; empty if all are alike.
    """

    cast: Mapping[str, Character]

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        """Return the actions in their wire form, in the order in which to send them."""

    def has_decision(self, state: Any, seat: int) -> bool:
        """Whether a bot for which the game waits would act now."""

    def think_milliseconds(self, state: Any, seat: int, chance: Random) -> int:
        """Return the delay before an action in milliseconds, from when the game waits for it."""


class TimedBots(ABC):
    """The decisions of bots that look at their game at moments of their own and read posts.

    ``cast`` as of ``Bot``; ``answers_after``: milliseconds between a person's post and the moment
    at which bots look whether it concerns them.  The view of such a bot also has ``at``, the
    current instant, and ``posts``, those that its seat may read, oldest first: ``room``, ``no``,
    ``seat``, ``at`` and ``text``.
    """

    cast: Mapping[str, Character] = MappingProxyType({})
    answers_after: int

    @abstractmethod
    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        """Return the actions in their wire form, in the order in which to send them."""

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
    """The names of a game's pages; a game without pages of its own has the common ones. ``match``
    takes the public id of a match, and so does ``story``, the page of a finished one, if there is
    one; the common list and rules take the slug, the others nothing.
    """

    list: str = "game"
    match: str = "match"
    rules: str = "game_rules"
    story: str = ""


@dataclass(frozen=True, slots=True)
class Speech:
    """The texts of a game. ``sentences``: kind of fact, private ones included -> its sentence, None
    for a fact without a line.  ``place_names``: the names for its tables.  ``notices``: fact -> a
    text without secrets, for absent players.
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
    """The fields of a game's matches in lists.

    ``row``: made from options and summary; ``terms`` and ``news`` are texts for lists of several
    games: what is played for, and how a running match stands.  ``summary``: made from a spectator's
    view, stored beside the state.  ``need``: the action that the game waits for from a seat, None
    when it can wait; it must be the same for every role, since other pages and mail show it.
    ``invitation``: the text to an invited user, after the inviter's name.
    """

    row: Callable[[Data, Data], dict[str, Any]]
    summary: Callable[[View], dict[str, Any]]
    need: Callable[[Any, int], str | None]
    invitation: str = "invites you to a game"


@dataclass(frozen=True, slots=True)
class Lesson:
    """The first game of the practice, the same each time: a seed, a bot with a plan, a stock.
    ``options`` and ``stock`` replace those of the practice.
    """

    seed: str
    bot: Bot
    options: Mapping[str, Any]
    stock: Mapping[str, int] = field(default_factory=dict)
    bots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Practice:
    """Practice of a game without an account, against bots, for chips instead of points.

    ``options``: the chosen options of the table; ``bots``: their names, one a seat; ``stock``: the
    player's own weapons; ``begin``: the name of the page that opens the same kind of table for
    points, and ``begin_word`` the text of its button; ``about``: a one-line description; ``door``:
    the script of a small board for the front page; ``demo``: the script that shows a game of bots
    there when nothing else runs, and ``watched_bot`` the bot on the person's seat in it; ``mark``:
    of a fact and a seat, how the seat did in a round, W, D or L, None for other facts (a game that
    has it offers the daily table).
    """

    options: Mapping[str, Any]
    bots: tuple[str, ...]
    begin: str
    begin_word: str
    about: str
    door: str = ""
    demo: str = ""
    watched_bot: str = ""
    mark: Callable[[Fact, SeatNo], str | None] | None = None
    stock: Mapping[str, int] = field(default_factory=dict)
    lesson: Lesson | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """The choices of a game for replays of its matches, and the result in a line.

    ``moments``: the kinds of facts at which a replay stops.  ``holding``: what a seat holds in
    words, from its own part of the game's view, empty for nothing.  ``headline``: the result in at
    most 60 characters, from the spectators' last view.
    """

    moments: frozenset[str]
    holding: Callable[[Data, Names], str]
    headline: Callable[[View], str]


@dataclass(frozen=True, slots=True)
class Term:
    """A contest's setting for the game's option of that name, within its bounds.

    ``label`` is for people; ``unit`` is the unit of a number: "seconds" is shown as a duration.
    ``least`` and ``most`` may name numbers of the site that narrow the bounds.  ``is_fixed``:
    chosen when the contest is founded, not amended.  ``about`` explains it where it stands.
    """

    label: str
    unit: str = ""
    least: str = ""
    most: str = ""
    is_fixed: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class ContestTerms:
    """The terms of contests in a game without purses.

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
    """The commands of a game's tables, and the functions that answer them."""

    commands: tuple[CommandEntry, ...]
    answer: Callable[[Query, View], str]
    confirm: Callable[[Mapping[str, Any], View], str]


def _as_they_are(wanted: dict[str, Any], chosen: Collection[str]) -> dict[str, Any]:
    return wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game of the site.

    ``slug`` is its name in rows and texts; ``title`` and ``plural`` are for people; ``template``
    and ``script`` draw its page.  ``rules``: by version, the newest for new matches.  ``how``: the
    rules in paragraphs, for the common rules page.  The last ones are dotted texts: ``random_game``
    a function that plays a random game from a seed (a ``Finished``; a game for seats may leave it
    out), ``urls`` a URL configuration, ``sockets`` a list of socket addresses, ``runners`` classes
    that a web process starts with its runtime, ``sweeps`` functions that the worker calls,
    ``reactions`` functions that the write path calls, ``figures`` a function from a user's id to a
    profile's figures (none before the first game), ``admin`` a module.
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
    random_game: str = ""
    how: tuple[str, ...] = ()
    counts: Counts = Counts()
    address: Address = Address()
    urls: str | None = None
    sockets: str | None = None
    runners: tuple[str, ...] = ()
    sweeps: tuple[str, ...] = ()
    reactions: tuple[str, ...] = ()
    figures: str | None = None
    admin: str | None = None

    @property
    def version(self) -> int:
        """The version of the rules for new matches."""
        return max(self.rules)

    @property
    def newest(self) -> Any:
        """The rules for new matches."""
        return self.rules[self.version]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame(Game):
    """A game that is played in matches, by seats.

    ``fill_options`` completes the wanted options before they are checked, given the names of the
    chosen ones.  ``board``: data that the table's script needs besides the view; as ``words``, by
    folder of scripts, the words that the script has from Python.
    ``hides_presence``: presence could reveal a role, so it is shown by the day and never live,
    nobody watches from a player's device, and a seat's private view is as long as everybody's.
    ``practice``: its practice without an account, if it has one.  ``contest``: its terms for
    contests, if it has them.  ``battles``: public fact -> the battles that it reveals; they make
    the insight after a game.  The last ones are dotted texts: ``town_config``, its configuration
    for the common Mafia pages; ``fates``, a function that gives, from a public view after the end,
    the card and the fate of each seat in words, for profiles; ``rpc``, a function that gives the
    parts of its generated interface for programs other names; ``warned``, a function that gives,
    from users by seat, the seats whose users did not come to their last quick game.
    """

    lists: Lists
    bot: Bot | TimedBots
    replay: Replayed
    moves: Mapping[str, Move] = field(default_factory=dict)
    board: Data = field(default_factory=dict)
    fill_options: Callable[[dict[str, Any], Collection[str]], dict[str, Any]] = _as_they_are
    hides_presence: bool = False
    practice: Practice | None = None
    contest: ContestTerms | None = None
    battles: Mapping[str, Callable[[Data], Iterable[Fought]]] = field(default_factory=dict)
    town_config: str | None = None
    fates: str = ""
    rpc: str | None = None
    warned: str = ""

    @property
    def options(self) -> Any:
        """The type of the options of new matches."""
        return self.newest.Options
