"""A round is resolved: read in one statement, counted in columns, written in one a table.

Source: docs/rules/arena.md "A round"; docs/arena.md "What is stored".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from games.arena.models import DayFigures, Fight, Player, Round
from games.arena.rounds import ENOUGH, forget_day, options_of
from games.arena.rules.columns import CHOSEN, NO_TEAM, Columns, Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, MOVES
from games.arena.rules.outcome import letters
from games.arena.rules.resolve import HOWS, totals
from games.arena.rules.scores import LOST, NONE, TIED, VERDICTS, WON, streak_after
from games.arena.statements import MOST, SUM, GivenRows, rows_of, stored
from games.kernel.structs import canonical, plain

#: What is read of each player, in this order.
READ: Final = (
    "user_id", "is_bot", "leaves", "resets", "wins", "losses", "ties", "round_wins",
    "round_losses", "round_ties", "score", "streak", "best_streak", "health", "idle_rounds",
    "board_score", "board_streak", "board_best_streak", "board_round_wins", "board_rounds",
)  # fmt: skip
#: What is written; the first is the key.
WRITTEN: Final = (
    "user", "is_in", "watching", "leaves", "resets", "wins", "losses", "ties", "round_wins",
    "round_losses", "round_ties", "score", "streak", "best_streak", "health", "idle_rounds",
    "board_score", "board_streak", "board_best_streak", "board_round_wins", "board_rounds",
)  # fmt: skip

_players: Final = GivenRows(Player, WRITTEN, ("user",))
_fights: Final = GivenRows(
    Fight,
    ("round_no", "user", "move", "how", "team", "wins", "losses", "ties", "result", "score_delta",
     "streak", "score"),
)  # fmt: skip
_days: Final = GivenRows(
    DayFigures,
    ("user", "day", "score", "best_streak", "round_wins"),
    ("user", "day"),
    {"score": SUM, "best_streak": MOST, "round_wins": SUM},
)

_CODES: Final = {"": 0, **{move.value: number for number, move in enumerate(MOVES, 1)}}
_MOVE_TEXTS: Final = tuple("" if move is None else move.value for move in CHOICES)
_HOW_TEXTS: Final = tuple(how.value for how in HOWS)
_VERDICT_TEXTS: Final = tuple(verdict.value for verdict in VERDICTS)
_TEAMS: Final = (0, 1, None)
assert len(_TEAMS) == NO_TEAM + 1


class Before(msgspec.Struct, array_like=True):
    """A player as the selection ends; ``choice`` is a number."""

    user: int
    is_bot: bool
    leaves: bool
    resets: bool
    wins: int
    losses: int
    ties: int
    round_wins: int
    round_losses: int
    round_ties: int
    score: int
    streak: int
    best_streak: int
    health: int
    idle_rounds: int
    board_score: int
    board_streak: int
    board_best_streak: int
    board_round_wins: int
    board_rounds: int
    choice: int

    def __repr__(self) -> str:
        return "<Before>"


def resolve(old: Round, at: datetime, numbers: Mapping[str, int]) -> None:
    """Resolve a round whose selection has ended; inside of a transaction that holds its row.

    Args:
        old: its state, time, survivor round, players and result are changed.
    """
    players = read_players(old)
    options = options_of(old.options)
    found = resolve_arrays(
        Columns(
            choices=bytes([player.choice for player in players]),
            streaks=[player.streak for player in players],
            scores=[player.score for player in players],
            healths=[player.health for player in players],
        ),
        options,
        old.seed,
        max(old.survivor_round, 1),
    )
    old.people = sum(not player.is_bot for player in players)
    counts_on_boards = old.people >= ENOUGH
    if players:
        battles = list(zip(*found.battles(), strict=True))
        _fights.insert(list(_fight_rows(old.no, players, found, battles)))
        after = _After(found, battles, counts_on_boards, numbers["arena.idle_rounds"])
        _players.update([after.row(index, player) for index, player in enumerate(players)])
        if counts_on_boards:
            _days.upsert(list(_day_rows(at, players, found)))
        forget_day([player.user for player in players if player.resets], at)
    _close(old, found, at, len(players))


def read_players(old: Round) -> list[Before]:
    """Return those who fight in a round, in the order of their ids: draws go by it."""
    columns = [f'p."{name}"' for name in READ]
    given = rows_of(
        [*columns, "coalesce(c.move, '')"],
        'FROM "arena_player" p LEFT JOIN "arena_choice" c'
        " ON c.user_id = p.user_id AND c.round_no = %s"
        " WHERE p.is_in AND p.joined_at <= %s",
        [old.no, stored(old.ends_at)],
    )
    players = [
        Before(user, bool(bot), bool(leaves), bool(resets), *rest, _CODES[move])  # type: ignore[call-arg]
        for user, bot, leaves, resets, *rest, move in given
    ]
    return sorted(players, key=lambda player: player.user)


def public_result(old: Round, found: Resolved, players: int) -> dict[str, Any]:
    """Return what everybody is told of a round that was fought."""
    table = letters(found.table)
    names = [move.value for move in MOVES]
    per_move = [
        {"wins": each.wins, "losses": each.losses, "ties": each.ties, "score": each.score}
        for each in totals(found)
    ]
    return {
        "round": old.no,
        "options": plain(options_of(old.options)),
        "counts": dict(zip(names, found.counts, strict=True)),
        "table": {
            name: dict(zip(names, row, strict=True)) for name, row in zip(names, table, strict=True)
        },
        "per_move": dict(zip(names, per_move, strict=True)),
        "players": players,
        "seed": old.seed,
        "commitment": old.commitment,
    }


def _fight_rows(
    no: int, players: list[Before], found: Resolved, battles: list[tuple[int, int, int]]
) -> Iterator[tuple[Any, ...]]:
    for index, player in enumerate(players):
        wins, losses, ties = battles[index]
        yield (
            no, player.user, _MOVE_TEXTS[found.moves[index]], _HOW_TEXTS[found.how[index]],
            _TEAMS[found.teams[index]], wins, losses, ties, _VERDICT_TEXTS[found.verdicts[index]],
            found.score_deltas[index], found.streaks[index], found.scores[index],
        )  # fmt: skip


class _After:
    """What players have come to after a round."""

    def __init__(
        self, found: Resolved, battles: list[tuple[int, int, int]], is_on_boards: bool, idle: int
    ) -> None:
        self._found, self._battles = found, battles
        self._is_on_boards, self._idle = is_on_boards, idle

    def row(self, index: int, old: Before) -> tuple[Any, ...]:
        """Return a player's row, as ``WRITTEN`` says."""
        found = self._found
        idle = self._idle_rounds(index, old)
        is_idle = not old.is_bot and idle >= self._idle
        watching = "left" if old.leaves else "idle" if is_idle else ""
        head = (old.user, not watching, watching, False, False)
        if old.resets:
            return (*head, *[0] * 9, found.healths[index], *[0] * 6)
        wins, losses, ties = self._battles[index]
        verdict = found.verdicts[index]
        return (
            *head,
            old.wins + wins,
            old.losses + losses,
            old.ties + ties,
            old.round_wins + (verdict == WON),
            old.round_losses + (verdict == LOST),
            old.round_ties + (verdict == TIED),
            found.scores[index],
            found.streaks[index],
            max(old.best_streak, found.streaks[index]),
            found.healths[index],
            0 if is_idle else idle,
            *self._board(index, old),
        )

    def _idle_rounds(self, index: int, old: Before) -> int:
        """Count the rounds without a choice; one that was sat out says nothing."""
        how = self._found.how[index]
        if how == CHOSEN:
            return 0
        return old.idle_rounds + (how != 0)

    def _board(self, index: int, old: Before) -> tuple[int, ...]:
        verdict = self._found.verdicts[index]
        if not self._is_on_boards or old.is_bot or verdict == NONE:
            return (old.board_score, old.board_streak, old.board_best_streak,
                    old.board_round_wins, old.board_rounds)  # fmt: skip
        streak = streak_after(old.board_streak, verdict)
        return (
            old.board_score + self._found.score_deltas[index],
            streak,
            max(old.board_best_streak, streak),
            old.board_round_wins + (verdict == WON),
            old.board_rounds + 1,
        )


def _day_rows(at: datetime, players: list[Before], found: Resolved) -> Iterator[tuple[Any, ...]]:
    day = at.date()
    for index, player in enumerate(players):
        verdict = found.verdicts[index]
        if player.is_bot or player.resets or verdict == NONE:
            continue
        streak = streak_after(player.board_streak, verdict)
        yield player.user, day, found.score_deltas[index], max(streak, 0), int(verdict == WON)


def _close(old: Round, found: Resolved, at: datetime, players: int) -> None:
    old.state, old.resolved_at, old.players = Round.State.RESOLVED, at, players
    old.result = canonical(public_result(old, found, players))
    if found.is_refilled:
        old.survivor_round = 0
        # Those who joined after the selection had ended are in, too.
        Player.objects.filter(is_in=True).update(health=found.healths[0] if players else 0)
    old.save(
        update_fields=("state", "resolved_at", "players", "people", "result", "survivor_round")
    )
