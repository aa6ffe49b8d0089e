"""The arena's operations of the reading API: rounds, leaderboard, the caller's own rounds."""

from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router
from pydantic import Field

from games.api.answers import ABSENT, Hash, Inclusion, Instant, Page, Shown
from games.api.errors import Refusal
from games.api.operations import DIGITS, HEAVY, WHOLE, Paging, caller_of, reads
from games.arena import SLUG, queries

Move = Literal["rock", "paper", "scissors"]


class RoundOptions(Shown):
    """The options of one round."""

    blitz: bool = False
    classic: bool = False
    count: bool = False
    inverted: bool = False
    survivor: bool = False
    team: bool = False


class ListedRound(Shown):
    """A resolved round in a list."""

    round: Annotated[int, Field(validation_alias="no")]
    began_at: Instant
    resolved_at: Instant
    players: int
    people: int
    seed: str
    commitment: str


class MoveSums(Shown):
    """All players on one move together; ``score`` is the sum of their score changes."""

    losses: int
    score: int
    ties: int
    wins: int


class FightShown(Shown):
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


class RoundShown(Shown):
    """All that is public of a resolved round: counts, table, and what its seed was made of.
    ``choices`` has a letter for each player; it is empty once the round is older than is kept.
    """

    commitment: str
    counts: dict[Move, int]
    options: RoundOptions
    per_move: dict[Move, MoveSums]
    players: int
    round: int
    seed: str
    table: dict[Move, dict[Move, str]]
    teams: list[dict[Move, int]] | None
    drawn: str | None
    began_at: Instant
    ends_at: Instant
    resolved_at: Instant
    people: int
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


class RoundAnchor(Shown):
    """The end of the chain of seeds: the number of its first round, and its leaf in the log."""

    first: int
    inclusion: Inclusion


class RoundProof(Shown):
    """The proof of a round, without any name; ``how``, ``moves`` and ``teams`` are by player."""

    format: int
    game: str
    round: int
    options: dict[str, bool]
    at: int = ABSENT
    bots: str = ABSENT
    candidates: str = ABSENT
    chooser: tuple[int, int] | None = ABSENT
    parts: Hash = ABSENT
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


class ArenaPlace(Shown):
    """A place by ``value``, one of the three figures; equal values share a place."""

    place: int
    value: int
    name: str
    score: int
    best_streak: int
    round_wins: int


class OwnRound(Shown):
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


RoundNo = Annotated[int, WHOLE, Path(alias="round", ge=1, le=10**DIGITS)]
router: Final = Router()


@reads(router, f"{SLUG}/rounds", "Resolved rounds of the arena, the newest first",
       Page[ListedRound])  # fmt: skip
def arena_rounds(request: HttpRequest, part: Query[Paging]) -> Any:
    found, has_more = queries.rounds_before(part.number, part.limit)
    return {"items": found, "next": str(found[-1].no) if has_more else None}


@reads(router, f"{SLUG}/rounds/{{str:round}}",
       "A resolved round of the arena: counts, seed, and a player's part of it",
       RoundShown)  # fmt: skip
def arena_round(
    request: HttpRequest, number: RoundNo, player: Annotated[str, Query(max_length=40)] = ""
) -> Any:
    shown = queries.round_shown(number)
    if shown is None:
        raise Refusal("not_found")
    return {**shown, "fight": queries.fight_shown(number, player) if shown["is_full"] else None}


@reads(router, f"{SLUG}/rounds/{{str:round}}/proof",
       "What shows that the chance of a resolved round was fair", RoundProof, HEAVY)  # fmt: skip
def round_proof(request: HttpRequest, number: RoundNo) -> Any:
    found = queries.proof_of(number)
    if found is None:
        raise Refusal("not_found")
    return found


@reads(router, f"leaderboards/{SLUG}", "The best fifty of the arena", list[ArenaPlace])
def arena_leaders(
    request: HttpRequest,
    period: Literal["today", "all"] = "today",
    by: Literal["score", "best_streak", "round_wins"] = "score",
) -> Any:
    return queries.board(period, by)


@reads(router, f"me/{SLUG}/rounds",
       "Your part of the arena's last rounds, as long as it is kept", Page[OwnRound])  # fmt: skip
def own_rounds(request: HttpRequest, response: HttpResponse, part: Query[Paging]) -> Any:
    user = caller_of(request, response)
    fights = queries.history(user, part.number, part.limit + 1)
    following = str(fights[part.limit - 1]["round"]) if len(fights) > part.limit else None
    return {"items": fights[: part.limit], "next": following}
