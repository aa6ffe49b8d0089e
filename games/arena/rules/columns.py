"""A round in columns: bytes and lists side by side. The outcome of a move (and a team) is computed
once and assigned to all players on it.
Source: docs/rules/arena.md, "A round".
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import add, or_
from typing import Final

from games.arena.rules.moves import (
    MOVES,
    NOTHING,
    ROCK,
    Battles,
    Counts,
    Signs,
    battles,
    signs,
    with_oneself,
    without_oneself,
)
from games.arena.rules.options import RoundOptions
from games.arena.rules.scores import (
    BEST_CHOICE_DOWN_TO,
    LOST,
    NONE,
    TIED,
    WON,
    healths_after,
    score_deltas,
    streaks_after,
)
from games.engine.draws import draw_below, draw_many_below


def draw_teams(seed: str, players: int) -> bytes:
    """Return the team of each player, 0 or 1; every split into halves is as likely. Toss a coin for
    each player (``team``), move surplus players of the larger team, drawn one by one
    (``team/change/1``, …); of an odd number a coin (``team/odd``) decides which team is larger.
    """
    teams = bytearray(draw_many_below(seed, "team", 2, players))
    first = players // 2
    if players % 2:
        first += draw_below(seed, "team/odd", 2)
    excess = teams.count(0) - first
    larger = 0 if excess > 0 else 1
    members = [index for index, team in enumerate(teams) if team == larger] if excess else []
    for number in range(1, abs(excess) + 1):
        picked = draw_below(seed, f"team/change/{number}", len(members))
        members[picked], members[-1] = members[-1], members[picked]
        teams[members.pop()] = 1 - larger
    return bytes(teams)


def random_choices(seed: str, number: int) -> bytes:
    """Return a random move, 1 to 3, for each player without a choice: the k-th number of the stream
    ``random``.
    """
    return _as_choices(draw_many_below(seed, "random", len(MOVES), number))


def best_moves(opponents: Counts, everybody: Counts, options: RoundOptions) -> tuple[int, ...]:
    """Return the moves (0 to 2) with the most battle wins minus losses against ``opponents``.
    Count's numbers are those of ``everybody``, with the tried move.
    """
    gains = []
    for index in range(len(MOVES)):
        counts = with_oneself(everybody, index)
        table = signs(counts, inverted=options.inverted, count=options.count)
        found = battles(table[index], opponents)
        gains.append(found.wins - found.losses)
    return tuple(index for index, gain in enumerate(gains) if gain == max(gains))


def best_choices(seed: str, label: str, best: tuple[int, ...], number: int) -> bytes:
    """Return the best choice, 1 to 3, for each player who gets it; of several the k-th player gets
    that of the k-th number of the stream.
    """
    if len(best) == 1:
        return bytes([best[0] + ROCK]) * number
    picked = draw_many_below(seed, label, len(best), number)
    return _as_choices(picked.translate(bytes(best).ljust(256)))


def _as_choices(indices: bytes) -> bytes:
    return indices.translate(bytes(range(ROCK, 256)).ljust(256))


#: The source of a player's move.
NOT_FIGHTING, CHOSEN, RANDOM, BEST = 0, 1, 2, 3

#: In a column of teams: no team.
NO_TEAM: Final = 2
#: A key is a move's number, plus this for the second team; it determines a player's battles.
SECOND_TEAM: Final = 4
KEYS: Final = 8

_ONE_ARENA: Final = (0,)
_BOTH_TEAMS: Final = (0, SECOND_TEAM)


@dataclass(frozen=True, slots=True, repr=False)
class Columns:
    """All players of a round, in the order of their ids. ``choices`` has a byte for each: 0 for
    nothing, 1 rock, 2 paper, 3 scissors. ``healths`` may be empty without Survivor.
    """

    choices: bytes
    streaks: Sequence[int]
    scores: Sequence[int]
    healths: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.choices)


@dataclass(frozen=True, slots=True, repr=False)
class Resolved:
    """A resolved round, in the columns' order. ``moves`` as ``Columns.choices``, 0 for players who
    sat out; ``teams`` 0, 1 or ``NO_TEAM``; ``by_key`` the battles of a player by key; ``table`` the
    result of each move against each other one.
    """

    moves: bytes
    how: bytes
    teams: bytes
    verdicts: bytes
    score_deltas: list[int]
    streaks: list[int]
    scores: list[int]
    healths: list[int]
    counts: Counts
    table: Signs
    keys: bytes
    by_key: tuple[Battles, ...]
    numbers: tuple[int, ...] = field(default=())

    def battles(self) -> tuple[list[int], list[int], list[int]]:
        """Return each player's wins, losses and ties."""
        wins, losses, ties = zip(*self.by_key, strict=True)
        return (
            list(map(wins.__getitem__, self.keys)),
            list(map(losses.__getitem__, self.keys)),
            list(map(ties.__getitem__, self.keys)),
        )

    def score_of(self, move: int) -> int:
        """Return the sum of the score changes of all players on a move (1 to 3)."""
        return sum(compress(self.score_deltas, self.moves.translate(_only(move))))


def resolve_arrays(
    players: Columns, options: RoundOptions, seed: str, survivor_round: int = 1
) -> Resolved:
    """Resolve a round in O(N). ``survivor_round``: rounds since the last refill of health, from 1.
    Raises ValueError if the columns are not equally long.
    """
    columns = [players.streaks, players.scores, *([players.healths] if options.survivor else [])]
    if any(len(column) != len(players) for column in columns):
        raise ValueError("the columns are equally long")
    is_fighting = bytes(map(bool, players.healths)) if options.survivor else b"\1" * len(players)
    teams = _teams(is_fighting, options, seed)
    moves, how = _moves(players, options, seed, (is_fighting, teams))
    keys = bytes(map(or_, moves, teams.translate(_TEAM_KEYS)))
    numbers = tuple(map(keys.count, range(KEYS)))
    counts = _counts(numbers, _BOTH_TEAMS)
    table = signs(counts, inverted=options.inverted, count=options.count)
    by_key = _battles_by_key(numbers, table, is_split=options.team)
    verdicts = keys.translate(bytes(map(_verdict, by_key)).ljust(256))
    streaks = streaks_after(players.streaks, verdicts)
    deltas = score_deltas(streaks, verdicts, classic=options.classic)
    healths = [0] * len(players)
    if options.survivor:
        healths = healths_after(players.healths, verdicts, survivor_round)
    return Resolved(
        moves=moves,
        how=how,
        teams=teams,
        verdicts=verdicts,
        score_deltas=deltas,
        streaks=streaks,
        scores=list(map(add, players.scores, deltas)),
        healths=healths,
        counts=counts,
        table=table,
        keys=keys,
        by_key=by_key,
        numbers=numbers,
    )


def _teams(is_fighting: bytes, options: RoundOptions, seed: str) -> bytes:
    if not options.team:
        return bytes([NO_TEAM]) * len(is_fighting)
    drawn = draw_teams(seed, is_fighting.count(1))
    if len(drawn) == len(is_fighting):
        return drawn
    each = iter(drawn)
    return bytes(next(each) if fights else NO_TEAM for fights in is_fighting)


def _moves(
    players: Columns, options: RoundOptions, seed: str, given: tuple[bytes, bytes]
) -> tuple[bytes, bytes]:
    """Return each player's move, and the source of it."""
    is_fighting, teams = given
    moves = bytearray(players.choices)
    how = bytearray(players.choices.translate(_HOW))
    for index in _where(is_fighting, 0):
        moves[index], how[index] = NOTHING, NOT_FIGHTING
    missing = _where(how, RANDOM)
    best: list[int] = []
    if not options.classic:
        streaks = players.streaks
        best = [index for index in missing if streaks[index] <= BEST_CHOICE_DOWN_TO]
        if best:
            missing = [index for index in missing if streaks[index] > BEST_CHOICE_DOWN_TO]
    for index, move in zip(missing, random_choices(seed, len(missing)), strict=True):
        moves[index] = move
    for index, move in _best(bytes(moves), teams, best, options, seed):
        moves[index], how[index] = move, BEST
    return bytes(moves), bytes(how)


def _best(
    moves: bytes, teams: bytes, players: list[int], options: RoundOptions, seed: str
) -> list[tuple[int, int]]:
    """Return (index, best choice) for each of these players; they ignore one another."""
    if not players:
        return []
    keys = bytes(map(or_, moves, teams.translate(_TEAM_KEYS)))
    numbers = tuple(map(keys.count, range(KEYS)))
    everybody = _counts(numbers, _BOTH_TEAMS)
    found: list[tuple[int, int]] = []
    for team in (0, 1) if options.team else (NO_TEAM,):
        others = _counts(numbers, ((SECOND_TEAM, 0)[team],) if options.team else _ONE_ARENA)
        own = [index for index in players if teams[index] == team]
        best = best_moves(others, everybody, options)
        picked = best_choices(seed, f"best/{team}", best, len(own))
        found += zip(own, picked, strict=True)
    return found


def _battles_by_key(
    numbers: tuple[int, ...], table: Signs, *, is_split: bool
) -> tuple[Battles, ...]:
    """Return the battles of a player of each key; none for a key without a move."""
    found = [Battles(0, 0, 0)] * KEYS
    for team in _BOTH_TEAMS if is_split else _ONE_ARENA:
        others = _counts(numbers, (SECOND_TEAM - team,) if is_split else _ONE_ARENA)
        for index in range(len(MOVES)):
            if not numbers[team + index + 1]:
                continue
            opponents = others if is_split else without_oneself(others, index)
            found[team + index + 1] = battles(table[index], opponents)
    return tuple(found)


def _counts(numbers: tuple[int, ...], teams: Sequence[int]) -> Counts:
    rock, paper, scissors = (sum(numbers[team + move] for team in teams) for move in (1, 2, 3))
    return rock, paper, scissors


def _verdict(found: Battles) -> int:
    if not any(found):
        return NONE
    return (TIED, WON, LOST)[found.sign]


def _where(column: bytes | bytearray, number: int) -> list[int]:
    """Return the indices of this number in a column."""
    if not column.count(number):
        return []
    return list(compress(range(len(column)), column.translate(_only(number))))


def _only(number: int) -> bytes:
    """Return the translation table that maps this number to 1 and every other one to 0."""
    return bytes(each == number for each in range(256))


_TEAM_KEYS: Final = bytes([0, SECOND_TEAM, 0]).ljust(256)
_HOW: Final = bytes([RANDOM, CHOSEN, CHOSEN, CHOSEN]).ljust(256)
