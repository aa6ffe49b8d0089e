"""Programs inside the test's own process that play duels."""

from typing import Any

from accounts.models import User
from games.matches import services as matches
from games.matches.models import Match
from tests.games.duel.conformance.program import Program, seat
from tests.games.jsonrpc.kit import InsideLine, bearer, make_token
from tests.games.match_kit import new_user


def make_duel(people: int = 2, **options: Any) -> tuple[Match, list[User], list[str]]:
    users = [new_user() for _ in range(people)]
    match = matches.open_match(opened_by=users[0], options=options, game="duel")
    return match, users, [make_token(user) for user in users]


def path_of(match: Match) -> str:
    return f"/ws/rpc/duel/{match.public_id}/"


async def program(match: Match, token: str | None) -> Program:
    line = InsideLine(path_of(match), *([bearer(token)] if token else []))
    assert await line.open()
    return await Program(line).begin()


async def playing(match: Match, tokens_: list[str]) -> list[Program]:
    found = [await program(match, token) for token in tokens_]
    await seat(*found, is_beginning=True)
    return found


async def leave(*some: Program) -> None:
    for one in some:
        await one.line.close()
