"""Count a round: read its players in one statement, resolve it in columns, store the results.

The inputs of a round do not change while it is counted, so no other writer has to wait, and a
process that continues an interrupted round gets the same result.

Source: docs/rules/arena.md "A round"; docs/explanation/arena.md "A round is resolved".
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec

from games.arena.models import Fight, Player, Round
from games.arena.rounds import grant_wishes, is_still, move_idle, options_of, those_fighting
from games.arena.rules.columns import NOT_FIGHTING, Columns, Resolved, resolve_arrays
from games.arena.rules.moves import CHOICES, MOVES, letters
from games.arena.rules.resolve import (
    HOWS,
    TEAMS,
    LastRound,
    broken_streaks,
    team_counts,
    told_round,
    totals,
)
from games.arena.rules.scores import FULL_HEALTH, VERDICTS, is_refill_due
from games.arena.statements import GivenRows, Row, rows_of, stored
from games.engine.draws import digest_of_round, hash_of_parts
from games.engine.facts import instant
from games.engine.structs import canonical

_fights: Final = GivenRows(
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
    """Count a round whose selection is closed, and store its result and each player's part.

    Idempotent: a second run stores the same, and nothing changes once the round is counted.

    Returns:
        the round, as this or another process has counted it.
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
    """Mark a round as resolved, after its players' statistics have been updated. Call it in a
    transaction that has locked the round's row. ``counted``: its state and time are changed, and
    with a refill ``survivor_round``. ``numbers``: the site's, by name.
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
        [old.no, stored(old.ends_at)],
    )
    players = [
        Before(user, bool(is_house), bool(is_bot), streak, score, health, _CODES[move])
        for user, is_house, is_bot, streak, score, health, move in given
    ]
    return sorted(players, key=lambda player: player.user)


def _result(old: Round, found: Resolved) -> LastRound:
    options = options_of(old.options)
    return LastRound(
        old.no,
        options,
        found.counts,
        letters(found.table),
        totals(found),
        old.seed,
        old.commitment,
        team_counts(found) if options.team else None,
    )


def _fight_rows(no: int, players: Sequence[Before], found: Resolved) -> Iterator[Row]:
    battles = zip(*found.battles(), strict=True)
    for index, (player, (wins, losses, ties)) in enumerate(zip(players, battles, strict=True)):
        yield (
            no, player.user, _MOVE_TEXTS[found.moves[index]], _HOW_TEXTS[found.how[index]],
            TEAMS[found.teams[index]], wins, losses, ties, _VERDICT_TEXTS[found.verdicts[index]],
            found.score_deltas[index], found.streaks[index], found.scores[index],
        )  # fmt: skip
