"""Results of a resolved round: the origin of each player's move, and the totals of each move.
Source: docs/rules/arena.md, "A round".
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import compress
from typing import Any, Final, NamedTuple

from games.arena.rules.columns import NO_TEAM, SECOND_TEAM, Resolved
from games.arena.rules.moves import MOVES, Battles, Counts, Table
from games.arena.rules.options import RoundOptions
from games.arena.rules.scores import LOST, MULTIPLIED_FROM, TIED, WON, streak_after
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
            name: {"wins": each.wins, "losses": each.losses, "ties": each.ties, "score": each.score}
            for name, each in zip(names, last.per_move, strict=True)
        },
        "teams": last.teams and [dict(zip(names, counts, strict=True)) for counts in last.teams],
        "players": last.players,
        "seed": last.seed,
        "commitment": last.commitment,
    }


class Figures(Record, frozen=True):
    """A player's figures; battles and rounds are counted apart."""

    score: int = 0
    streak: int = 0
    best_streak: int = 0
    wins: int = 0
    losses: int = 0
    ties: int = 0
    round_wins: int = 0
    round_losses: int = 0
    round_ties: int = 0

    @property
    def rounds(self) -> int:
        """The rounds with a battle."""
        return self.round_wins + self.round_losses + self.round_ties


def figures_after(old: Figures, fought: Battles, verdict: int, score_delta: int) -> Figures:
    """Return the figures after a round. ``verdict``: ``scores.WON`` and so on."""
    streak = streak_after(old.streak, verdict)
    return Figures(
        old.score + score_delta,
        streak,
        max(old.best_streak, streak),
        old.wins + fought.wins,
        old.losses + fought.losses,
        old.ties + fought.ties,
        old.round_wins + (verdict == WON),
        old.round_losses + (verdict == LOST),
        old.round_ties + (verdict == TIED),
    )


def idle_rounds_after(idle_rounds: int, how: How) -> int:
    """Return the rounds in a row without a choice; one that was sat out says nothing."""
    return 0 if how == How.CHOSEN else idle_rounds + (how != How.NONE)


#: The most broken streaks of a round that are told.
MOST_BROKEN: Final = 3
#: Streaks from this on are worth telling when they break.
BROKEN_FROM: Final = MULTIPLIED_FROM


class Broken(NamedTuple):
    """A broken streak: the index of its player, its length, the index of the one who beat it."""

    of: int
    streak: int
    by: int


def broken_streaks(before: Sequence[int], found: Resolved, is_bot: Sequence[bool]) -> list[Broken]:
    """Return the longest streaks that a round broke, the longest first; bots' do not count. Of the
    players who won a battle against the loser, the one with the best streak has broken it, of equal
    ones the first. ``before``: each player's streak before the round, in the order of ``found``.
    """
    broken = [
        index
        for index in compress(range(len(before)), map(LOST.__eq__, found.verdicts))
        if before[index] >= BROKEN_FROM and not is_bot[index]
    ]
    broken.sort(key=lambda index: (-before[index], index))
    return [Broken(index, before[index], _breaker(index, found)) for index in broken[:MOST_BROKEN]]


def _breaker(loser: int, found: Resolved) -> int:
    key = found.keys[loser]
    team, move = key & SECOND_TEAM, key % SECOND_TEAM - 1
    # Under Team the other team's keys; without teams all keys are the first team's.
    is_split = any(found.numbers[SECOND_TEAM:])
    others = SECOND_TEAM - team if is_split else 0
    winning = {others + other + 1 for other in range(3) if found.table[other][move] > 0}
    rivals = compress(range(len(found.keys)), map(winning.__contains__, found.keys))
    return max(rivals, key=lambda index: (found.streaks[index], -index))
