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
from games.arena.models import DayFigures, Player, Round, SeasonFigures
from games.arena.rounds import ENOUGH, options_of
from games.arena.rules.moves import Battles
from games.arena.rules.resolve import Figures, How, figures_after, idle_rounds_after
from games.arena.rules.scores import NONE, VERDICTS, healths_after
from games.arena.rules.seasons import Season
from games.arena.statements import GivenRows, Row, rows_of, stored

#: Players in one transaction.
TOGETHER: Final = 100

_FIGURES: Final = Figures.__struct_fields__
#: The figures that boards go by.
_OF_BOARD: Final = ("score", "streak", "best_streak", "round_wins")
_ON_BOARD: Final = tuple(f"board_{name}" for name in _OF_BOARD)

#: The figures of a season.
_OF_SEASON: Final = ("score", "round_wins")

#: What is read of each player, of the player's day, season and round, in this order.
_READ: Final = (
    *(f'p."{name}"' for name in ("user_id", "is_bot", "health", "idle_rounds", "board_rounds")),
    *(f'p."{name}"' for name in (*_FIGURES, *_ON_BOARD)),
    *(f'coalesce(d."{name}", 0)' for name in _OF_BOARD),
    *(f'coalesce(s."{name}", 0)' for name in _OF_SEASON),
    *(f'f."{name}"' for name in ("how", "wins", "losses", "ties", "result", "score_delta")),
)

_players: Final = GivenRows(
    Player,
    ("user", "round_no", "health", "idle_rounds", "board_rounds", *_FIGURES, *_ON_BOARD),
    ("user",),
)
_days: Final = GivenRows(DayFigures, ("user", "day", *_OF_BOARD), ("user", "day"))
_seasons: Final = GivenRows(SeasonFigures, ("user", "began_at", *_OF_SEASON), ("user", "began_at"))

_VERDICTS: Final = {verdict.value: number for number, verdict in enumerate(VERDICTS)}


class Fighter(msgspec.Struct):
    """One who was in a round: the player as before it, and what it has made of the player.
    ``board``, ``day`` and ``season``: the figures that count on boards, and those of the round's
    day and season.
    """

    user: int
    is_bot: bool
    health: int
    idle_rounds: int
    board_rounds: int
    figures: Figures
    board: Figures
    day: Figures
    season: Figures
    how: How
    battles: Battles
    verdict: int
    score_delta: int

    def __repr__(self) -> str:
        return "<Fighter>"

    def after(self, figures: Figures) -> Figures:
        """Return some of the player's figures as the round leaves them."""
        return figures_after(figures, self.battles, self.verdict, self.score_delta)


def give(counted: Round, season: Season | None) -> None:
    """Give those who fought in a round that was counted what they come to, if they have not yet.
    ``season``: the round's, None outside of seasons.
    """
    day, is_on_boards = counted.ends_at.date(), counted.people >= ENOUGH
    waiting = _waiting(counted, day, season)
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
        counting = [each for each in some if is_on_boards and _counts_today(each)]
        days = [(each.user, day, *_board_row(each.after(each.day))) for each in counting]
        evenings = [
            (each.user, season.begins_at, *_season_row(each.after(each.season)))
            for each in counting
            if season is not None
        ]
        with transaction.atomic():
            new = _held(counted.no, [each.user for each in some])
            _players.update([row for row in rows if row[0] in new])
            _days.upsert([row for row in days if row[0] in new])
            _seasons.upsert([row for row in evenings if row[0] in new])


def _waiting(counted: Round, day: date, season: Season | None) -> list[Fighter]:
    """Return those who have not been given what this round has made of them, by their ids."""
    given = rows_of(
        _READ,
        'FROM "arena_fight" f JOIN "arena_player" p ON p.user_id = f.user_id'
        ' LEFT JOIN "arena_dayfigures" d ON d.user_id = f.user_id AND d.day = %s'
        ' LEFT JOIN "arena_seasonfigures" s ON s.user_id = f.user_id AND s.began_at = %s'
        " WHERE f.round_no = %s AND p.round_no < %s",
        [day.isoformat(), stored(season.begins_at) if season else None, counted.no, counted.no],
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
    own, board, day, season = figures[:-10], figures[-10:-6], figures[-6:-2], figures[-2:]
    return Fighter(
        user,
        bool(is_bot),
        health,
        idle_rounds,
        board_rounds,
        Figures(*own),
        _of_board(*board),
        _of_board(*day),
        Figures(score=season[0], round_wins=season[1]),
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


def _season_row(figures: Figures) -> Row:
    return figures.score, figures.round_wins


def _counts_today(old: Fighter) -> bool:
    return not old.is_bot and old.verdict != NONE
