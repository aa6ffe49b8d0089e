"""The arena's operations of the reading API: rounds, leaderboard, the caller's own rounds."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from games.api.answers import Hash, Inclusion, Instant
from games.api.errors import NotFound
from games.api.operations import DIGITS, HEAVY, Answer, Call, Nothing, Operation, Page, Paging
from games.arena import SLUG, queries
from games.arena.rules.options import RoundOptions
from games.engine.facts import instant, iso
from games.engine.structs import Record

Move = Literal["rock", "paper", "scissors"]


class ListedRound(Record, frozen=True):
    """A resolved round in a list."""

    round: int
    began_at: Instant
    resolved_at: Instant
    players: int
    people: int
    seed: str
    commitment: str


class MoveSums(Record, frozen=True):
    """All players on one move together; ``score`` is the sum of their score changes."""

    wins: int
    losses: int
    ties: int
    score: int


class FightShown(Record, frozen=True):
    """A player's part of a round; there is none once the round is older than is kept."""

    name: str
    move: Literal["", "rock", "paper", "scissors"]
    how: str
    team: int | None
    wins: int
    losses: int
    ties: int
    result: str
    score_delta: int
    streak: int
    score: int


class RoundShown(Record, frozen=True):
    """All that is public of a resolved round: counts, table, and what its seed was made of.
    ``choices`` has a letter for each player; it is empty once the round is older than is kept.
    """

    round: int
    options: RoundOptions
    counts: dict[Move, int]
    table: dict[Move, dict[Move, str]]
    per_move: dict[Move, MoveSums]
    teams: list[dict[Move, int]] | None
    players: int
    people: int
    seed: str
    commitment: str
    drawn: str | None
    began_at: Instant
    ends_at: Instant
    resolved_at: Instant
    survivor_round: int
    carried: dict[str, int]
    is_full: bool
    link: str
    choices: str
    digest: str
    digest_before: str
    anchor: str
    anchor_at: Instant | None
    first: int | None
    fight: FightShown | None


class RoundAnchor(Record, frozen=True):
    """The end of the chain of seeds: the number of its first round, and its leaf in the log."""

    first: int
    inclusion: Inclusion


class RoundProof(Record, frozen=True):
    """The proof of a round, without any name; ``how``, ``moves`` and ``teams`` are by player."""

    format: int
    game: str
    round: int
    options: dict[str, bool]
    link: Hash
    commitment: Hash
    anchor: RoundAnchor
    digest_before: str
    seed: Hash
    choices: str
    digest: Hash
    how: str
    moves: str
    teams: str
    counts: list[int]
    table: list[list[str]]
    at: int | UnsetType = UNSET
    bots: str | UnsetType = UNSET
    candidates: str | UnsetType = UNSET
    chooser: tuple[int, int] | UnsetType | None = UNSET
    parts: Hash | UnsetType = UNSET


class ArenaPlace(Record, frozen=True):
    """A place by ``value``, one of the three figures; equal values share a place."""

    place: int
    name: str
    value: int
    score: int
    best_streak: int
    round_wins: int


class OwnRound(Record, frozen=True):
    """The caller's part of a round, with why it ended so."""

    round: int
    at: Instant
    move: Move | None
    how: str
    why: str | None
    reason: str | None
    team: int | None
    wins: int
    losses: int
    ties: int
    result: str
    score_delta: int
    streak: int
    score: int
    options: RoundOptions
    counts: dict[Move, int]
    players: int


class OfRound(Nothing, frozen=True):
    round: Annotated[int, Meta(ge=1, le=10**DIGITS)]


class OfFight(OfRound, frozen=True):
    """A round, and a player whose part of it is wanted."""

    player: Annotated[str, Meta(max_length=40)] = ""


class OfBoard(Nothing, frozen=True):
    period: Literal["today", "all"] = "today"
    by: Literal["score", "best_streak", "round_wins"] = "score"


def _rounds(call: Call) -> Answer:
    found, has_more = queries.rounds_before(call.number, call.given.limit)
    rows = [
        ListedRound(
            row.no,
            _iso(row.began_at),
            _iso(row.resolved_at),
            row.players,
            row.people,
            row.seed,
            row.commitment,
        )
        for row in found
    ]
    return Answer(Page(rows, str(found[-1].no) if has_more else None))


def _round(call: Call) -> Answer:
    number, player = call.given.round, call.given.player
    shown = queries.round_shown(number)
    if shown is None:
        raise NotFound
    fight = queries.fight_shown(number, player) if shown["is_full"] else None
    return Answer(_written({**shown, "fight": fight}))


def _proof(call: Call) -> Answer:
    found = queries.proof_of(call.given.round)
    if found is None:
        raise NotFound
    return Answer(found)


def _board(call: Call) -> Answer:
    return Answer(queries.board(call.given.period, call.given.by))


def _own_rounds(call: Call) -> Answer:
    limit = call.given.limit
    fights = queries.history(call.caller, call.number, limit + 1)
    following = str(fights[limit - 1]["round"]) if len(fights) > limit else None
    rows = [_written(fight) for fight in fights[:limit]]
    return Answer(Page(rows, following), is_public=False)


def _written(told: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _iso(value) if isinstance(value, datetime) else value for name, value in told.items()
    }


def _iso(at: datetime | None) -> str:
    return iso(instant(at)) if at else ""


PROOF: Final = Operation(
    "round_proof",
    f"{SLUG}/rounds/{{round}}/proof",
    "What shows that the chance of a resolved round was fair",
    RoundProof,
    _proof,
    OfRound,
    HEAVY,
)
OPERATIONS: Final = (
    Operation("arena_rounds", f"{SLUG}/rounds", "Resolved rounds of the arena, the newest first",
              Page[ListedRound], _rounds, Paging),
    Operation("arena_round", f"{SLUG}/rounds/{{round}}",
              "A resolved round of the arena: counts, seed, and a player's part of it", RoundShown,
              _round, OfFight),
    PROOF,
    Operation("arena_leaders", f"leaderboards/{SLUG}", "The best fifty of the arena",
              list[ArenaPlace], _board, OfBoard),
    Operation("own_rounds", f"me/{SLUG}/rounds",
              "Your part of the arena's last rounds, as long as it is kept", Page[OwnRound],
              _own_rounds, Paging),
)  # fmt: skip
