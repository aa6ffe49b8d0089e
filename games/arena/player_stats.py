"""Update player statistics after a round: a hundred players a transaction, each player once.

A player's row stores its last updated round, so a process that continues an interrupted round
updates the rest.  Between the transactions other writers may write.

Source: docs/rules/arena.md "A round"; docs/arena.md "A round is resolved".
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from django.db import connection, transaction

from economy.sql import is_any
from games.arena.models import DayFigures, Player, Round
from games.arena.rounds import ENOUGH, is_refilled, options_of
from games.arena.rules.columns import CHOSEN, NOT_FIGHTING
from games.arena.rules.health import FULL_HEALTH, healths_after
from games.arena.rules.resolve import HOWS
from games.arena.rules.scores import LOST, NONE, TIED, VERDICTS, WON, streak_after
from games.arena.statements import MOST, SUM, GivenRows, Row, rows_of

#: Players in one transaction.
TOGETHER: Final = 100

#: The columns read of each player, in this order.
_READ: Final = (
    "user_id", "is_bot", "wins", "losses", "ties", "round_wins", "round_losses", "round_ties",
    "best_streak", "health", "idle_rounds", "board_score", "board_streak", "board_best_streak",
    "board_round_wins", "board_rounds",
)  # fmt: skip
#: The columns read of each player's fight, after those.
_PART: Final = ("how", "wins", "losses", "ties", "result", "score_delta", "streak", "score")

_players: Final = GivenRows(
    Player,
    ("user", "round_no", "wins", "losses", "ties", "round_wins", "round_losses", "round_ties",
     "score", "streak", "best_streak", "health", "idle_rounds", "board_score", "board_streak",
     "board_best_streak", "board_round_wins", "board_rounds"),
    ("user",),
)  # fmt: skip
_days: Final = GivenRows(
    DayFigures,
    ("user", "day", "score", "best_streak", "round_wins"),
    ("user", "day"),
    {"score": SUM, "best_streak": MOST, "round_wins": SUM},
)

_HOWS: Final = {how.value: number for number, how in enumerate(HOWS)}
_VERDICTS: Final = {verdict.value: number for number, verdict in enumerate(VERDICTS)}


class Fighter(msgspec.Struct, array_like=True):
    """One player of a round: the figures before it, and the player's part of it."""

    user: int
    is_bot: bool
    wins: int
    losses: int
    ties: int
    round_wins: int
    round_losses: int
    round_ties: int
    best_streak: int
    health: int
    idle_rounds: int
    board_score: int
    board_streak: int
    board_best_streak: int
    board_round_wins: int
    board_rounds: int
    how: int
    won: int
    lost: int
    tied: int
    verdict: int
    score_delta: int
    streak: int
    score: int

    def __repr__(self) -> str:
        return "<Fighter>"


def give(counted: Round) -> None:
    """Update the statistics of the players of a counted round who have not been updated yet."""
    waiting = _waiting(counted.no)
    healths = _healths(counted, waiting)
    is_on_boards = counted.people >= ENOUGH
    for first in range(0, len(waiting), TOGETHER):
        some = waiting[first : first + TOGETHER]
        rows = [
            _row(counted.no, each, health, is_on_boards=is_on_boards)
            for each, health in zip(some, healths[first : first + TOGETHER], strict=True)
        ]
        days = [_day_row(counted, each) for each in some if is_on_boards and _counts_today(each)]
        with transaction.atomic():
            new = _held(counted.no, [each.user for each in some])
            _players.update([row for row in rows if row[0] in new])
            _days.upsert([row for row in days if row[0] in new])


def _waiting(no: int) -> list[Fighter]:
    """Return the players whose statistics lack this round, in the order of their ids."""
    given = rows_of(
        [*(f'p."{name}"' for name in _READ), *(f'f."{name}"' for name in _PART)],
        'FROM "arena_fight" f JOIN "arena_player" p ON p.user_id = f.user_id'
        " WHERE f.round_no = %s AND p.round_no < %s",
        [no, no],
    )
    return sorted(map(_fighter, given), key=lambda each: each.user)


def _held(no: int, users: Sequence[int]) -> set[int]:
    """Lock players; return those that no other process has updated for this round meanwhile."""
    is_one, given = is_any("user_id", users, "bigint")
    lock = " ORDER BY user_id FOR UPDATE" if connection.vendor == "postgresql" else ""
    rest = f'FROM "arena_player" WHERE {is_one} AND round_no < %s{lock}'
    return {user for (user,) in rows_of(["user_id"], rest, [given, no])}


def _fighter(row: Sequence[Any]) -> Fighter:
    user, is_bot, *figures = row[: len(_READ)]
    how, wins, losses, ties, result, *rest = row[len(_READ) :]
    part = (_HOWS[how], wins, losses, ties, _VERDICTS[result], *rest)
    return Fighter(user, bool(is_bot), *figures, *part)


def _healths(counted: Round, waiting: Sequence[Fighter]) -> list[int]:
    if not options_of(counted.options).survivor:
        return [0] * len(waiting)
    if is_refilled(counted):
        return [FULL_HEALTH] * len(waiting)
    verdicts = bytes(each.verdict for each in waiting)
    return healths_after([each.health for each in waiting], verdicts, counted.survivor_round)


def _row(no: int, old: Fighter, health: int, *, is_on_boards: bool) -> Row:
    return (
        old.user,
        no,
        old.wins + old.won,
        old.losses + old.lost,
        old.ties + old.tied,
        old.round_wins + (old.verdict == WON),
        old.round_losses + (old.verdict == LOST),
        old.round_ties + (old.verdict == TIED),
        old.score,
        old.streak,
        max(old.best_streak, old.streak),
        health,
        _idle_rounds(old),
        *_board(old, is_on_boards=is_on_boards),
    )


def _idle_rounds(old: Fighter) -> int:
    """Return the rounds in a row without a choice; a round sat out does not change them."""
    return 0 if old.how == CHOSEN else old.idle_rounds + (old.how != NOT_FIGHTING)


def _board(old: Fighter, *, is_on_boards: bool) -> tuple[int, ...]:
    if not is_on_boards or not _counts_today(old):
        return (old.board_score, old.board_streak, old.board_best_streak, old.board_round_wins,
                old.board_rounds)  # fmt: skip
    streak = streak_after(old.board_streak, old.verdict)
    return (
        old.board_score + old.score_delta,
        streak,
        max(old.board_best_streak, streak),
        old.board_round_wins + (old.verdict == WON),
        old.board_rounds + 1,
    )


def _counts_today(old: Fighter) -> bool:
    return not old.is_bot and old.verdict != NONE


def _day_row(counted: Round, old: Fighter) -> Row:
    streak = streak_after(old.board_streak, old.verdict)
    day = counted.ends_at.date()
    return old.user, day, old.score_delta, max(streak, 0), int(old.verdict == WON)
