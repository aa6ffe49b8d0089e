"""Programs inside the test's own process that play duels."""

from typing import Any

from accounts.models import User
from games.matches import services as matches
from games.matches.models import Match
from tests.games.duel.conformance.program import Program, seat
from tests.games.jsonrpc.kit import InsideLine, bearer, make_token
from tests.games.match_kit import new_user


def make_duel(people: int = 2, **options: Any) -> tuple[Match, list[User], list[str]]:
    """Return an open duel, people and their tokens."""
    users = [new_user() for _ in range(people)]
    match = matches.open_match(opened_by=users[0], options=options, game="duel")
    return match, users, [make_token(user) for user in users]


def path_of(match: Match) -> str:
    """Return the address of a duel's socket for programs."""
    return f"/ws/rpc/duel/{match.public_id}/"


async def program(match: Match, token: str | None) -> Program:
    """Return a program that has been told a duel's state."""
    line = InsideLine(path_of(match), *([bearer(token)] if token else []))
    assert await line.open()
    return await Program(line).begin()


async def playing(match: Match, tokens_: list[str]) -> list[Program]:
    """Return two programs whose duel has begun."""
    found = [await program(match, token) for token in tokens_]
    await seat(*found, is_beginning=True)
    return found


async def leave(*some: Program) -> None:
    """Close sockets."""
    for one in some:
        await one.line.close()
