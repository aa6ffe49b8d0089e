"""Resolve a round player by player; ``columns`` does the computation.

Source: docs/rules/arena.md, "A round".
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Final

from games.arena.rules.columns import NO_TEAM, Columns, Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, Move, number_of
from games.arena.rules.options import RoundOptions
from games.arena.rules.outcome import Counts, Table, letters
from games.arena.rules.scores import VERDICTS, Verdict
from games.engine.structs import SECRET, Hidden, Record


class How(StrEnum):
    """The source of a player's move; none for a player who sat out."""

    NONE = "none"
    CHOSEN = "chosen"
    RANDOM = "random"
    BEST = "best"


#: In the order of their numbers in a column.
HOWS: Final = (How.NONE, How.CHOSEN, How.RANDOM, How.BEST)


class Player(Hidden, frozen=True):
    """A player who is in at the end of the selection; ``health`` is used only under Survivor."""

    id: int
    choice: Annotated[Move | None, SECRET] = None
    streak: int = 0
    score: int = 0
    health: int = 0


class RoundInput(Hidden, frozen=True):
    """A selection that has ended.

    ``survivor_round`` is the number of the round since the last refill of health, from 1.
    """

    options: RoundOptions
    seed: Annotated[str, SECRET]
    players: Sequence[Player]
    survivor_round: int = 1


class MoveTotals(Record, frozen=True):
    """All players on one move together; ``score`` is the sum of their score changes."""

    players: int
    wins: int
    losses: int
    ties: int
    score: int


class RoundResult(Hidden, frozen=True):
    """A resolved round, player by player in the order of the input.

    ``moves`` is None for players who sat out; ``teams`` are 0, 1 or None; ``health`` is that after
    the round, before any refill, and 0 without Survivor.  ``per_move`` are rock, paper, scissors.
    """

    moves: tuple[Move | None, ...]
    was_chosen: tuple[How, ...]
    teams: tuple[int | None, ...]
    wins: tuple[int, ...]
    losses: tuple[int, ...]
    ties: tuple[int, ...]
    result: tuple[Verdict, ...]
    score_delta: tuple[int, ...]
    streak: tuple[int, ...]
    score: tuple[int, ...]
    health: tuple[int, ...]
    counts: Counts
    table: Table
    per_move: tuple[MoveTotals, MoveTotals, MoveTotals]


def resolve(given: RoundInput) -> RoundResult:
    """Resolve a round.

    Raises:
        ValueError: the players are not in the order of their ids, each once; the draws depend on
            that order, so that they can be verified afterwards.
    """
    players = given.players
    if any(one.id >= two.id for one, two in pairwise(players)):
        raise ValueError("players come in the order of their ids, each once")
    return told(
        resolve_arrays(columns_of(players), given.options, given.seed, given.survivor_round)
    )


def columns_of(players: Sequence[Player]) -> Columns:
    """Return players as columns."""
    return Columns(
        choices=bytes([number_of(player.choice) for player in players]),
        streaks=[player.streak for player in players],
        scores=[player.score for player in players],
        healths=[player.health for player in players],
    )


def told(found: Resolved) -> RoundResult:
    """Return a round in columns as a round by player."""
    wins, losses, ties = found.battles()
    teams = (0, 1, None)
    assert len(teams) == NO_TEAM + 1
    return RoundResult(
        moves=tuple([CHOICES[move] for move in found.moves]),
        was_chosen=tuple([HOWS[how] for how in found.how]),
        teams=tuple([teams[team] for team in found.teams]),
        wins=tuple(wins),
        losses=tuple(losses),
        ties=tuple(ties),
        result=tuple([VERDICTS[verdict] for verdict in found.verdicts]),
        score_delta=tuple(found.score_deltas),
        streak=tuple(found.streaks),
        score=tuple(found.scores),
        health=tuple(found.healths),
        counts=found.counts,
        table=letters(found.table),
        per_move=totals(found),
    )


def totals(found: Resolved) -> tuple[MoveTotals, MoveTotals, MoveTotals]:
    """Return the totals of all players on rock, on paper and on scissors."""
    return _totals(found, 1), _totals(found, 2), _totals(found, 3)


def _totals(found: Resolved, move: int) -> MoveTotals:
    both = [(found.numbers[key], found.by_key[key]) for key in (move, move + 4)]
    return MoveTotals(
        players=sum(number for number, _ in both),
        wins=sum(number * each.wins for number, each in both),
        losses=sum(number * each.losses for number, each in both),
        ties=sum(number * each.ties for number, each in both),
        score=found.score_of(move),
    )
