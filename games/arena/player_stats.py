"""Update player statistics after a round: a hundred players a transaction, each player once.

A player's row stores its last updated round, so a process that continues an interrupted round
updates the rest.  Between the transactions other writers may write.

Source: docs/rules/arena.md "A round"; docs/explanation/arena.md "A round is resolved".
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import msgspec
from django.db import connection, transaction
from msgspec.structs import astuple

from economy.sql import is_any
from games.arena.models import DayFigures, Player, Round
from games.arena.rounds import ENOUGH, options_of
from games.arena.rules.figures import Figures, figures_after, idle_rounds_after
from games.arena.rules.health import healths_after
from games.arena.rules.outcome import Battles
from games.arena.rules.resolve import How
from games.arena.rules.scores import NONE, VERDICTS
from games.arena.statements import GivenRows, Row, rows_of

#: Players in one transaction.
TOGETHER: Final = 100

_FIGURES: Final = Figures.__struct_fields__
#: The figures that boards go by.
_OF_BOARD: Final = ("score", "streak", "best_streak", "round_wins")
_ON_BOARD: Final = tuple(f"board_{name}" for name in _OF_BOARD)

#: What is read of each player, of the player's day and of the round, in this order.
_READ: Final = (
    *(f'p."{name}"' for name in ("user_id", "is_bot", "health", "idle_rounds", "board_rounds")),
    *(f'p."{name}"' for name in (*_FIGURES, *_ON_BOARD)),
    *(f'coalesce(d."{name}", 0)' for name in _OF_BOARD),
    *(f'f."{name}"' for name in ("how", "wins", "losses", "ties", "result", "score_delta")),
)

_players: Final = GivenRows(
    Player,
    ("user", "round_no", "health", "idle_rounds", "board_rounds", *_FIGURES, *_ON_BOARD),
    ("user",),
)
_days: Final = GivenRows(DayFigures, ("user", "day", *_OF_BOARD), ("user", "day"))

_VERDICTS: Final = {verdict.value: number for number, verdict in enumerate(VERDICTS)}


class Fighter(msgspec.Struct):
    """One who was in a round: the player as before it, and what it has made of the player.

    ``board`` and ``day``: the figures that count on boards, and those of them of the round's day.
    """

    user: int
    is_bot: bool
    health: int
    idle_rounds: int
    board_rounds: int
    figures: Figures
    board: Figures
    day: Figures
    how: How
    battles: Battles
    verdict: int
    score_delta: int

    def __repr__(self) -> str:
        return "<Fighter>"

    def after(self, figures: Figures) -> Figures:
        """Return some of the player's figures as the round leaves them."""
        return figures_after(figures, self.battles, self.verdict, self.score_delta)


def give(counted: Round) -> None:
    """Give those who fought in a round that was counted what they come to, if they have not yet."""
    day, is_on_boards = counted.ends_at.date(), counted.people >= ENOUGH
    waiting = _waiting(counted, day)
    healths = [0] * len(waiting)
    if options_of(counted.options).survivor:
        verdicts = bytes(each.verdict for each in waiting)
        before = [each.health for each in waiting]
        healths = healths_after(before, verdicts, counted.survivor_round)
    for first in range(0, len(waiting), TOGETHER):
        some = waiting[first : first + TOGETHER]
        rows = [
            _row(counted.no, each, health, is_on_boards=is_on_boards)
            for each, health in zip(some, healths[first : first + TOGETHER], strict=True)
        ]
        days = [
            (each.user, day, *_board_row(each.after(each.day)))
            for each in some
            if is_on_boards and _counts_today(each)
        ]
        with transaction.atomic():
            new = _held(counted.no, [each.user for each in some])
            _players.update([row for row in rows if row[0] in new])
            _days.upsert([row for row in days if row[0] in new])


def _waiting(counted: Round, day: date) -> list[Fighter]:
    """Return those who have not been given what this round has made of them, by their ids."""
    given = rows_of(
        _READ,
        'FROM "arena_fight" f JOIN "arena_player" p ON p.user_id = f.user_id'
        ' LEFT JOIN "arena_dayfigures" d ON d.user_id = f.user_id AND d.day = %s'
        " WHERE f.round_no = %s AND p.round_no < %s",
        [day.isoformat(), counted.no, counted.no],
    )
    return sorted(map(_fighter, given), key=lambda each: each.user)


def _held(no: int, users: Sequence[int]) -> set[int]:
    """Lock players; return those that no other process has updated for this round meanwhile."""
    is_one, given = is_any("user_id", users, "bigint")
    lock = " ORDER BY user_id FOR UPDATE" if connection.vendor == "postgresql" else ""
    rest = f'FROM "arena_player" WHERE {is_one} AND round_no < %s{lock}'
    return {user for (user,) in rows_of(["user_id"], rest, [given, no])}


def _fighter(row: Sequence[Any]) -> Fighter:
    user, is_bot, health, idle_rounds, board_rounds, *figures = row[:-6]
    how, wins, losses, ties, result, score_delta = row[-6:]
    own, board, day = figures[:-8], figures[-8:-4], figures[-4:]
    return Fighter(
        user,
        bool(is_bot),
        health,
        idle_rounds,
        board_rounds,
        Figures(*own),
        _of_board(*board),
        _of_board(*day),
        How(how),
        Battles(wins, losses, ties),
        _VERDICTS[result],
        score_delta,
    )


def _of_board(score: int, streak: int, best_streak: int, round_wins: int) -> Figures:
    return Figures(score, streak, best_streak, round_wins=round_wins)


def _row(no: int, old: Fighter, health: int, *, is_on_boards: bool) -> Row:
    counts = is_on_boards and _counts_today(old)
    return (
        old.user,
        no,
        health,
        idle_rounds_after(old.idle_rounds, old.how),
        old.board_rounds + counts,
        *astuple(old.after(old.figures)),
        *_board_row(old.after(old.board) if counts else old.board),
    )


def _board_row(figures: Figures) -> Row:
    return figures.score, figures.streak, figures.best_streak, figures.round_wins


def _counts_today(old: Fighter) -> bool:
    return not old.is_bot and old.verdict != NONE
