"""A round player by player: what the tests of the rules ask of ``resolve_arrays``."""

from collections.abc import Sequence
from typing import Annotated

from games.arena.rules.columns import Columns, Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, Move, number_of
from games.arena.rules.options import RoundOptions
from games.arena.rules.outcome import Counts, Table, letters
from games.arena.rules.resolve import HOWS, TEAMS, How, MoveTotals, totals
from games.arena.rules.scores import VERDICTS, Verdict
from games.engine.structs import SECRET, Hidden


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
    players = given.players
    return told(
        resolve_arrays(columns_of(players), given.options, given.seed, given.survivor_round)
    )


def columns_of(players: Sequence[Player]) -> Columns:
    return Columns(
        choices=bytes([number_of(player.choice) for player in players]),
        streaks=[player.streak for player in players],
        scores=[player.score for player in players],
        healths=[player.health for player in players],
    )


def told(found: Resolved) -> RoundResult:
    wins, losses, ties = found.battles()
    return RoundResult(
        moves=tuple([CHOICES[move] for move in found.moves]),
        was_chosen=tuple([HOWS[how] for how in found.how]),
        teams=tuple([TEAMS[team] for team in found.teams]),
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
