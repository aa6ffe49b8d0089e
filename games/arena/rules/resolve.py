"""Results of a resolved round: the origin of each player's move, and the totals of each move.
Source: docs/rules/arena.md, "A round".
"""

from enum import StrEnum
from typing import Any, Final

from games.arena.rules.columns import NO_TEAM, SECOND_TEAM, Resolved
from games.arena.rules.moves import MOVES
from games.arena.rules.options import RoundOptions
from games.arena.rules.outcome import Counts, Table
from games.engine.structs import Record, plain

#: In the order of their numbers in a column.
TEAMS: Final = (0, 1, None)
assert len(TEAMS) == NO_TEAM + 1


class How(StrEnum):
    """The source of a player's move; none for a player who sat out."""

    NONE = "none"
    CHOSEN = "chosen"
    RANDOM = "random"
    BEST = "best"


#: In the order of their numbers in a column.
HOWS: Final = (How.NONE, How.CHOSEN, How.RANDOM, How.BEST)


class MoveTotals(Record, frozen=True):
    """All players on one move together; ``score`` is the sum of their score changes."""

    players: int
    wins: int
    losses: int
    ties: int
    score: int


class LastRound(Record, frozen=True):
    """The public result of a round that was fought; ``teams``: the counts of both, under Team."""

    round: int
    options: RoundOptions
    counts: Counts
    table: Table
    per_move: tuple[MoveTotals, MoveTotals, MoveTotals]
    seed: str
    commitment: str
    teams: tuple[Counts, Counts] | None = None

    @property
    def players(self) -> int:
        """The number of players who fought; a player who sat out counts nowhere."""
        return sum(self.counts)


def totals(found: Resolved) -> tuple[MoveTotals, MoveTotals, MoveTotals]:
    """Return the totals of all players on rock, on paper and on scissors."""
    return _totals(found, 1), _totals(found, 2), _totals(found, 3)


def team_counts(found: Resolved) -> tuple[Counts, Counts]:
    """Return the players on rock, on paper and on scissors of the first and the second team."""
    _, *first, _, second_rock, second_paper, second_scissors = found.numbers
    rock, paper, scissors = first
    return (rock, paper, scissors), (second_rock, second_paper, second_scissors)


def _totals(found: Resolved, move: int) -> MoveTotals:
    both = [(found.numbers[key], found.by_key[key]) for key in (move, move + SECOND_TEAM)]
    return MoveTotals(
        players=sum(number for number, _ in both),
        wins=sum(number * each.wins for number, each in both),
        losses=sum(number * each.losses for number, each in both),
        ties=sum(number * each.ties for number, each in both),
        score=found.score_of(move),
    )


def told_round(last: LastRound) -> dict[str, Any]:
    """Build the public result of a round that was fought.
    Source: docs/reference/protocol.md "The arena".
    """
    names = [move.value for move in MOVES]
    rows = [dict(zip(names, row, strict=True)) for row in last.table]
    return {
        "round": last.round,
        "options": plain(last.options),
        "counts": dict(zip(names, last.counts, strict=True)),
        "table": dict(zip(names, rows, strict=True)),
        "per_move": {
            name: {
                "wins": each.wins,
                "losses": each.losses,
                "ties": each.ties,
                "score": each.score,
            }
            for name, each in zip(names, last.per_move, strict=True)
        },
        "teams": last.teams and [dict(zip(names, counts, strict=True)) for counts in last.teams],
        "players": last.players,
        "seed": last.seed,
        "commitment": last.commitment,
    }
