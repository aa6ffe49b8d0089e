"""Store choices of thousands of users: one statement for each batch.

The statement itself checks that the selection is open, so that no read under a lock is needed: a
transaction that closes the round either waits for the statement or commits before it.

Source: docs/arena.md "Choices"; docs/durability.md G6.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from economy.sql import is_any
from games.arena.models import Choice, Round
from games.arena.presenters import OF_PLAYER, OwnStats
from games.arena.rounds import is_fighting, is_still
from games.arena.statements import GivenRows, rows_of, stored

_choices: Final = GivenRows(Choice, ("user", "round_no", "move", "at"), ("user",))


def store(chosen: Mapping[int, str], round_no: int, at: datetime) -> set[int]:
    """Store users' choices for a round; return the users whose choice was stored.

    Of the others, each is not in or sits out, or the round is no longer chosen for.
    """
    fights, in_round = is_fighting(round_no)
    is_open, of = is_still(round_no, Round.State.SELECTING)
    is_player = f'SELECT 1 FROM "arena_player" p WHERE p.user_id = given.user_id AND {fights}'  # noqa: S608
    may = f"EXISTS ({is_player}) AND {is_open}"
    rows = [(user, round_no, chosen[user], at) for user in sorted(chosen)]
    if _choices.upsert_those(rows, may, [*in_round, *of]) == len(rows):
        return set(chosen)
    is_one, users = is_any("user_id", chosen, "bigint")
    is_it = f'FROM "arena_choice" WHERE round_no = %s AND at = %s AND {is_one}'
    return {user for (user,) in rows_of(["user_id"], is_it, [round_no, stored(at), users])}


def players(users: Iterable[int]) -> dict[int, OwnStats]:
    """Return players' stats; without a model object for each row, for there are thousands."""
    is_one, given = is_any("user_id", users, "bigint")
    columns = ["user_id", *(f'"{name}"' for name in OF_PLAYER)]
    rows = rows_of(columns, f'FROM "arena_player" WHERE {is_one}', [given])
    return {user: OwnStats(bool(is_in), *rest) for user, is_in, *rest in rows}
