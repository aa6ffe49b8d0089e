"""The answers of the reading API, field by field."""

from datetime import datetime
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from games.contract import Figure
from games.engine.facts import instant, iso

Row = TypeVar("Row")


def _written(value: Any) -> Any:
    return iso(instant(value)) if isinstance(value, datetime) else value


#: An instant, in UTC.
Instant = Annotated[
    str, BeforeValidator(_written), Field(json_schema_extra={"format": "date-time"})
]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
Status = Literal["open", "running", "over", "void", "closed"]
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
#: The value of a field that is not in the answer.
ABSENT: Final[Any] = None


class Shown(BaseModel):
    """A part of an answer, made from a map or an object with these names."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Page(Shown, Generic[Row]):
    """A part of a list."""

    items: list[Row]
    next: Annotated[
        str | None, Field(description="cursor of the part that follows, null after the last")
    ]


class ListedEvent(Shown):
    """An event in a list; ``players``: registered, or at the start."""

    public_id: str
    name: str
    status: Literal["announced", "running", "over", "void", "skipped"]
    opens_at: Instant
    starts_at: Instant
    for_programs: bool
    players: int


class MeetingShown(Shown):
    """A pair of a station, by the players' numbers; ``second`` null rides free. ``how``: won, free,
    wins, throw, draw, absent, barred; empty while it is played.
    """

    no: int
    first: int
    second: int | None
    winner: int | None
    how: str
    match: Annotated[str | None, Field(description="public id of the match")]


class EventShown(ListedEvent):
    """An event with its players, each by number and name, and its stations."""

    names: list[tuple[int, str]]
    places: list[tuple[int, int | None]]
    stations: list[list[MeetingShown]]


class ListedSeat(Shown):
    """A taken seat; result, net (points) and change of rating once the match is over."""

    no: int
    name: str
    bot: bool
    result: Literal["won", "drawn", "lost"] | None
    net: int | None
    rating_change: int | None


class ListedMatch(Shown):
    """A match in a list; ``terms`` says what it is played for, ``news`` how it stands.
    ``old_scale``: its changes of rating do not add up to present ratings. ``pool``: of the rating
    that it changes.
    """

    public_id: str
    game: str
    title: str
    status: Status
    void_reason: str | None
    opened_at: Instant
    started_at: Instant | None
    ended_at: Instant | None
    rated: bool
    pool: str | None
    staked: bool
    spectators: bool
    terms: str
    news: str
    seats: list[ListedSeat]
    old_scale: bool


class MatchHead(Shown):
    """A match; ``seed`` once it is over, ``next`` the public id of the rematch. ``old_scale``: its
    changes of rating do not add up to present ratings.
    """

    public_id: str
    game: str
    title: str
    status: Status
    options: dict[str, Any]
    options_revision: int
    commitment: Hash
    seed: Hash | None
    watching: int
    void_reason: str | None
    next: str | None
    stalled: bool
    rated: bool
    old_scale: bool
    mark: str
    challenge: dict[str, str] | None


class Sitter(Shown):
    """A user on a seat."""

    name: str
    bot: bool
    avatar: str
    rating: int | None


class SeatShown(Shown):
    """A seat of a match; where presence could show a role, ``seen_on`` is the last day instead."""

    no: int
    player: Sitter | None
    purse: int
    ready: bool
    is_open: bool
    replaced: list[str]
    present: bool | None
    seen_on: Day | None = ABSENT
    bonus: int
    award: list[int]
    rating_change: int | None


class MatchShown(Shown):
    """A match as a spectator sees it; ``game`` is the game's own part, null before the start."""

    match: MatchHead
    seats: list[SeatShown]
    phase: int
    start_at: Instant | None
    begins_at: Instant | None
    ready_by: Instant | None
    newcomer: int | None
    due_at: Instant | None
    game: dict[str, Any] | None


class Event(Shown):
    """A fact; ``n`` counts the public ones.  Time and audience (seats) once the match is over."""

    n: int | None
    phase: int
    kind: str
    data: dict[str, Any]
    text: str
    at: Instant = ABSENT
    audience: list[int] | None = ABSENT


class Log(Shown):
    """The facts of a match: the public ones while it runs, all of them once it is over."""

    public_id: str
    status: Status
    commitment: Hash
    seed: Hash | None
    events: list[Event]


class HistoryFact(Shown):
    """A fact of an entry; ``audience`` are seats, null for everybody."""

    kind: str
    data: dict[str, Any]
    audience: list[int] | None
    text: str


class HistoryEntry(Shown):
    """An action and its facts; ``seat`` is null for the house, ``sitter`` who sat down by it."""

    no: int
    at: Instant
    phase: int
    seat: int | None
    sitter: str | None
    action: dict[str, Any]
    facts: list[HistoryFact]


class History(Shown):
    """The whole history of a match that is over; ``analysis`` is what its game makes of it."""

    public_id: str
    title: str
    game: str
    rules_version: int
    status: Status
    void_reason: str | None
    opened_at: Instant
    commitment: Hash
    seed: Hash
    options: dict[str, Any]
    seats: dict[str, str]
    analysis: dict[str, Any] | None
    entries: list[HistoryEntry]


class ProofEntry(Shown):
    """An entry of a proof: instant in milliseconds, action, and facts each with its audience."""

    no: int
    seat: int | None
    at: int
    action: dict[str, Any]
    facts: list[tuple[dict[str, Any], list[int] | None]]


class Draw(Shown):
    """A draw: a number from 0 to ``bound`` - 1, made for an entry."""

    entry: int
    label: str
    bound: int
    result: int


class LogDay(Shown):
    """A finished day of the public log: its leaves' number, root, and place in the chain."""

    day: Day
    first: int
    count: int
    root: Hash
    previous: Hash
    head: Hash


class CountedDay(LogDay):
    """A finished day with the number of commitments opened, and closed by outcome."""

    aborted: int
    closed: int
    dropped: int
    opened: int
    over: int
    void: int


class Inclusion(Shown):
    """A leaf of the public log; with its path once its day is finished."""

    leaf: str
    day: LogDay | None
    index: int = ABSENT
    path: list[Any] = ABSENT


class Proof(Shown):
    """The proof of a finished match, without any name."""

    format: int
    game: str
    public_id: str
    rules_version: int
    status: Status
    options: dict[str, Any]
    opening: dict[str, Any]
    entries: list[ProofEntry]
    commitment: Hash
    seed: Hash
    salts: list[tuple[int, str]]
    draws: list[Draw]
    inclusion: dict[str, Inclusion]


class Leaf(Shown):
    """A leaf of the public log: its number, and the text that is hashed."""

    no: int
    leaf: str


class Seed(Shown):
    """A seed that a finished day of the public log has made public."""

    commitment: Hash
    public_id: str
    rules_version: int
    seed: Hash


class PointsPlace(Shown):
    """A place by net winnings, in points."""

    place: int
    name: str
    avatar: str
    net: int
    games: int
    prize: int


class PointsBoard(Shown):
    """The leaderboard of a week (ISO 8601), or of all time."""

    week: str | None
    games: list[str]
    rows: list[PointsPlace]


class RatingPlace(Shown):
    """A place by rating."""

    place: int
    name: str
    avatar: str
    rating: int
    games: int


class LadderPlace(Shown):
    """A program's place on the ladder, by ``rating`` - ``within``, half of the rating's interval of
    95 %; ``share`` of throws won in percent, ``thinks`` the mean milliseconds a throw.
    """

    place: int
    name: str
    house: Annotated[bool, Field(validation_alias="is_house")]
    author: str
    source: str
    rating: int
    within: int
    provisional: Annotated[bool, Field(validation_alias="is_provisional")]
    matches: int
    share: float
    thinks: float


class LadderRow(Shown):
    """An ended match of the ladder; ``forfeit`` is the seat that forfeits, lists are by seat.
    ``ratings``: mu and sigma before and after, null if it is unrated.
    """

    public_id: str
    programs: list[str]
    won: list[int]
    throws: int
    reason: str
    forfeit: int | None
    thought_ms: list[int]
    ratings: list[list[float]] | None
    began_at: Instant
    ended_at: Instant


class AwardPlace(Shown):
    """A place by awards: points of either axis."""

    place: int
    name: str
    avatar: str
    x: int
    y: int
    games: int


class PoolRating(Shown):
    """A rating in a pool beside the game's own, after the first game in it."""

    name: str
    rating: int
    is_provisional: bool


class GameFigures(Shown):
    """A player's public figures at a game; ``rating`` is null where the game has none."""

    game: str
    rating: int | None
    is_provisional: bool
    figures: list[Figure]
    pools: list[PoolRating]


class Player(Shown):
    """A player's public figures; ``bot`` is one of the house, ``program`` a user's."""

    name: str
    avatar: str
    bot: bool
    program: bool
    games: list[GameFigures]


class Program(Shown):
    """An account that a program plays; ``since`` is the day on which it was made."""

    name: str
    avatar: str
    since: Day


class HeldAmount(Shown):
    """An amount of the caller in a running game, with the path of its page."""

    unit: str
    amount: int
    title: str
    url: str


class Me(Shown):
    """The caller: points on both axes, stock, and what is in running games."""

    name: str
    points: int
    y_points: int
    stock: dict[str, int]
    held: list[HeldAmount]


class StatementLine(Shown):
    """A movement; a negative amount left the wallet; ``balance`` is the one afterwards."""

    id: int
    at: Instant
    code: str
    words: str
    unit: str
    amount: int
    balance: int
    title: str
    url: str


class Export(Shown, extra="allow"):
    """Everything that the site stores about the caller: a list for each section."""

    format: str
