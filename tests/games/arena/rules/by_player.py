"""A round player by player: what the tests of the rules ask of ``resolve_arrays``."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import NamedTuple

from games.arena.rules.columns import Columns, Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, Move, letters, number_of
from games.arena.rules.options import RoundOptions
from games.arena.rules.resolve import HOWS, TEAMS, totals
from games.arena.rules.scores import VERDICTS

#: A resolved round: tuples with one value for each player, and the numbers of the whole round.
RoundResult = SimpleNamespace


class Player(NamedTuple):
    """A player who is in at the end of the selection; ``health`` is used only under Survivor."""

    id: int
    choice: Move | None = None
    streak: int = 0
    score: int = 0
    health: int = 0


class RoundInput(NamedTuple):
    """A selection that has ended; ``survivor_round`` counts from 1 since the last refill."""

    options: RoundOptions
    seed: str
    players: Sequence[Player]
    survivor_round: int = 1


def resolve(given: RoundInput) -> RoundResult:
    columns = columns_of(given.players)
    return told(resolve_arrays(columns, given.options, given.seed, given.survivor_round))


def columns_of(players: Sequence[Player]) -> Columns:
    return Columns(
        choices=bytes([number_of(player.choice) for player in players]),
        streaks=[player.streak for player in players],
        scores=[player.score for player in players],
        healths=[player.health for player in players],
    )


def told(found: Resolved) -> RoundResult:
    """Return a round in columns by player, in the order of the input; ``moves`` None: sat out."""
    each = {"score_delta": found.score_deltas, "streak": found.streaks, "score": found.scores}
    each |= zip(("wins", "losses", "ties"), found.battles(), strict=True)
    each |= {"health": found.healths, "result": [VERDICTS[one] for one in found.verdicts]}
    return SimpleNamespace(
        moves=tuple(CHOICES[move] for move in found.moves),
        was_chosen=tuple(HOWS[how] for how in found.how),
        teams=tuple(TEAMS[team] for team in found.teams),
        counts=found.counts,
        table=letters(found.table),
        per_move=totals(found),
        **{name: tuple(values) for name, values in each.items()},
    )
