"""Count a round, then give each player what it comes to."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

import msgspec
from django.db import connection, transaction
from msgspec.structs import astuple

from economy.sql import BulkRows, Row, is_any
from games.arena import SLUG
from games.arena.game import REACHED
from games.arena.models import DayFigures, Fight, Player, Round, SeasonFigures
from games.arena.rounds import ENOUGH, grant_wishes, is_still, move_idle, options_of, those_fighting
from games.arena.rules.columns import NOT_FIGHTING, Columns, Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, MOVES, Battles, letters
from games.arena.rules.resolve import (
    HOWS,
    TEAMS,
    Figures,
    How,
    LastRound,
    broken_streaks,
    figures_after,
    idle_rounds_after,
    team_counts,
    told_round,
    totals,
)
from games.arena.rules.scores import FULL_HEALTH, NONE, VERDICTS, healths_after, is_refill_due
from games.arena.rules.seasons import Season
from games.arena.statements import rows_of
from games.engine.draws import digest_of_round, hash_of_parts
from games.engine.facts import instant
from games.engine.structs import canonical
from games.goals.reaching import reach

# Raw SQL: the ORM took 7.1 times the time for 2,000 fights and 860 to update 100 players (SQLite;
# 3.8 and 219 on PostgreSQL; 2026-11-27).
_fights: Final = BulkRows(
    Fight,
    ("round_no", "user", "move", "how", "team", "wins", "losses", "ties", "result", "score_delta",
     "streak", "score"),
    ("round_no", "user"),
)  # fmt: skip
_CODES: Final = {"": 0, **{move.value: number for number, move in enumerate(MOVES, 1)}}
_MOVE_TEXTS: Final = tuple("" if move is None else move.value for move in CHOICES)
#: What each number of a choice is in a round's ``choices``; a dash: nothing was chosen.
_LETTERS: Final = "-" + "".join(move.value[0] for move in MOVES)
_HOW_TEXTS: Final = tuple(how.value for how in HOWS)
_VERDICT_TEXTS: Final = tuple(verdict.value for verdict in VERDICTS)


class Before(msgspec.Struct, array_like=True):
    """A player at the end of the selection; ``choice`` is a number, 0 for nothing. ``is_house``: a
    house bot; ``is_bot``: that, or a program.
    """

    user: int
    is_house: bool
    is_bot: bool
    streak: int
    score: int
    health: int
    choice: int

    def __repr__(self) -> str:
        return "<Before>"


def count(closed: Round) -> Round:
    """Count a round whose selection is closed, and store its result and each player's part; return
    it as this or another process has counted it. A second run stores the same.
    """
    players = read_players(closed)
    found = resolve_arrays(
        Columns(
            choices=bytes([player.choice for player in players]),
            streaks=[player.streak for player in players],
            scores=[player.score for player in players],
            healths=[player.health for player in players],
        ),
        options_of(closed.options),
        closed.seed,
        max(closed.survivor_round, 1),
    )
    choices = "".join(_LETTERS[player.choice] for player in players)
    is_counting, of = is_still(closed.no, Round.State.COUNTING)
    _fights.upsert(list(_fight_rows(closed.no, players, found)), is_counting, of)
    broken = broken_streaks(
        [player.streak for player in players], found, [player.is_bot for player in players]
    )
    Round.objects.filter(no=closed.no, state=Round.State.COUNTING).update(
        state=Round.State.COUNTED,
        broken=canonical(
            [[players[each.of].user, each.streak, players[each.by].user] for each in broken]
        ),
        result=canonical(told_round(_result(closed, found))),
        **_fixed(closed, choices, "".join("-b"[player.is_house] for player in players)),
        players=sum(found.counts),
        people=sum(
            how != NOT_FIGHTING and not player.is_bot
            for how, player in zip(found.how, players, strict=True)
        ),
    )
    return Round.objects.get(no=closed.no)


def _fixed(closed: Round, choices: str, bots: str) -> dict[str, str | None]:
    """Return what no site can change afterwards: the choices, and the digest of all."""
    if closed.candidates is None or closed.chooser is None:
        # It began before 1.2.
        return {"choices": choices, "digest": digest_of_round(closed.no, choices)}
    parts = hash_of_parts(choices, closed.candidates, bots)
    told = {
        "at": instant(closed.ends_at),
        "chooser": msgspec.json.decode(closed.chooser),
        "options": msgspec.json.decode(closed.options),
        "parts": parts,
    }
    return {"choices": choices, "parts": parts, "digest": digest_of_round(closed.no, told)}


def finish(counted: Round, at: datetime, numbers: Mapping[str, int]) -> None:
    """Mark a round, whose row the transaction has locked, as resolved after its players' figures.
    ``numbers``: the site's, by name.
    """
    grant_wishes(at)
    move_idle(numbers["arena.idle_rounds"])
    options = options_of(counted.options)
    if options.survivor and is_refill_due(those_fighting(options).count()):
        # Those who joined after the selection had ended are in, too.
        Player.objects.filter(is_in=True).update(health=FULL_HEALTH)
        counted.survivor_round = 0
    counted.state, counted.resolved_at = Round.State.RESOLVED, at
    counted.save(update_fields=("state", "resolved_at", "survivor_round"))


def read_players(old: Round) -> list[Before]:
    """Return those who are in as a selection ends, in the order of their ids: draws go by it."""
    given = rows_of(
        [
            "p.user_id",
            "p.is_bot",
            "(p.is_bot OR u.is_program)",
            "p.streak",
            "p.score",
            "p.health",
            "coalesce(c.move, '')",
        ],
        'FROM "arena_player" p JOIN "accounts_user" u ON u.id = p.user_id'
        ' LEFT JOIN "arena_choice" c'
        " ON c.user_id = p.user_id AND c.round_no = %s"
        " WHERE p.is_in AND p.joined_at < %s",
        [old.no, old.ends_at],
    )
    players = [
        Before(user, bool(is_house), bool(is_bot), streak, score, health, _CODES[move])
        for user, is_house, is_bot, streak, score, health, move in given
    ]
    return sorted(players, key=lambda player: player.user)


def _result(old: Round, found: Resolved) -> LastRound:
    options = options_of(old.options)
    teams = team_counts(found) if options.team else None
    table, per_move = letters(found.table), totals(found)
    return LastRound(
        old.no, options, found.counts, table, per_move, old.seed, old.commitment, teams
    )


def _fight_rows(no: int, players: Sequence[Before], found: Resolved) -> Iterator[Row]:
    battles = zip(*found.battles(), strict=True)
    for index, (player, (wins, losses, ties)) in enumerate(zip(players, battles, strict=True)):
        yield (
            no, player.user, _MOVE_TEXTS[found.moves[index]], _HOW_TEXTS[found.how[index]],
            TEAMS[found.teams[index]], wins, losses, ties, _VERDICT_TEXTS[found.verdicts[index]],
            found.score_deltas[index], found.streaks[index], found.scores[index],
        )  # fmt: skip


# Figures ----------------------------------------------------------------------------------

#: Players in one transaction; between two of them other writers may write.
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

_players: Final = BulkRows(
    Player,
    ("round_no", "health", "idle_rounds", "board_rounds", *_FIGURES, *_ON_BOARD, "user"),
)
_days: Final = BulkRows(DayFigures, ("user", "day", *_OF_BOARD), ("user", "day"))
_seasons: Final = BulkRows(SeasonFigures, ("user", "began_at", *_OF_SEASON), ("user", "began_at"))

_VERDICTS: Final = {verdict.value: number for number, verdict in enumerate(VERDICTS)}


class Fighter(msgspec.Struct):
    """One who was in a round, as before it, and what it has made of the player. ``board``, ``day``
    and ``season``: the figures that count on boards, and those of the round's day and season.
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
    """Give those who fought in a counted round what they come to, if they have not yet: a hundred
    players a transaction. ``season``: the round's, None outside of seasons.
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
        afters = [each.after(each.figures) for each in some]
        rows = [
            _row(counted.no, each, after, health, is_on_boards=is_on_boards)
            for each, after, health in zip(
                some, afters, healths[first : first + TOGETHER], strict=True
            )
        ]
        counting = [each for each in some if is_on_boards and _counts_today(each)]
        days = [(each.user, day, *_board_row(each.after(each.day))) for each in counting]
        evenings = [
            (each.user, season.begins_at, *_season_row(each.after(each.season)))
            for each in counting
            if season is not None
        ]
        goals = [goal for pair in zip(some, afters, strict=True) for goal in _goals(*pair)]
        with transaction.atomic():
            new = _held(counted.no, [each.user for each in some])
            _players.update([row for row in rows if row[-1] in new])
            _days.upsert([row for row in days if row[0] in new])
            _seasons.upsert([row for row in evenings if row[0] in new])
            reach([goal for goal in goals if goal[0] in new], counted.ends_at)


def _goals(old: Fighter, after: Figures) -> list[tuple[int, str]]:
    """Return the goals that a player reaches by the round."""
    if old.is_bot:
        return []
    return [
        (old.user, f"{SLUG}/{name}")
        for name, (figure, least) in REACHED.items()
        if getattr(old.figures, figure) < least <= getattr(after, figure)
    ]


def _waiting(counted: Round, day: date, season: Season | None) -> list[Fighter]:
    given = rows_of(
        _READ,
        'FROM "arena_fight" f JOIN "arena_player" p ON p.user_id = f.user_id'
        ' LEFT JOIN "arena_dayfigures" d ON d.user_id = f.user_id AND d.day = %s'
        ' LEFT JOIN "arena_seasonfigures" s ON s.user_id = f.user_id AND s.began_at = %s'
        " WHERE f.round_no = %s AND p.round_no < %s",
        [day.isoformat(), season.begins_at if season else None, counted.no, counted.no],
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
        user, bool(is_bot), health, idle_rounds, board_rounds, Figures(*own), _of_board(*board),
        _of_board(*day), Figures(score=season[0], round_wins=season[1]), How(how),
        Battles(wins, losses, ties), _VERDICTS[result], score_delta,
    )  # fmt: skip


def _of_board(score: int, streak: int, best_streak: int, round_wins: int) -> Figures:
    return Figures(score, streak, best_streak, round_wins=round_wins)


def _row(no: int, old: Fighter, after: Figures, health: int, *, is_on_boards: bool) -> Row:
    counts = is_on_boards and _counts_today(old)
    return (
        no,
        health,
        idle_rounds_after(old.idle_rounds, old.how),
        old.board_rounds + counts,
        *astuple(after),
        *_board_row(old.after(old.board) if counts else old.board),
        old.user,
    )


def _board_row(figures: Figures) -> Row:
    return figures.score, figures.streak, figures.best_streak, figures.round_wins


def _season_row(figures: Figures) -> Row:
    return figures.score, figures.round_wins


def _counts_today(old: Fighter) -> bool:
    return not old.is_bot and old.verdict != NONE
