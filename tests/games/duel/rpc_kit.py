"""Programs inside the test's own process: tokens, sockets without a network, duels."""

from typing import Any

from channels.testing import WebsocketCommunicator

from accounts import tokens
from accounts.models import User
from games.matches.models import Match
from games.matches.services import matches
from rpsite.routing import websocket_application
from tests.games.duel.conformance.program import PATIENCE, Program
from tests.games.match_kit import new_user


def make_token(user: User) -> str:
    """Return the secret of a new token."""
    return tokens.make_token(user=user, name="test")[1]


def make_duel(people: int = 2, **options: Any) -> tuple[Match, list[User], list[str]]:
    """Return an open duel, people and their tokens."""
    users = [new_user() for _ in range(people)]
    match = matches.open_match(opened_by=users[0], options=options, game="duel")
    return match, users, [make_token(user) for user in users]


class InsideLine:
    """A socket of the application in this process."""

    def __init__(self, path: str, *headers: tuple[bytes, bytes]) -> None:
        given = [(b"host", b"localhost"), *headers]
        self.socket = WebsocketCommunicator(websocket_application, path, given)
        self.code: int | None = None

    async def open(self) -> bool:
        """Connect; False when the handshake is refused."""
        is_open, _ = await self.socket.connect(timeout=PATIENCE)
        return bool(is_open)

    async def send(self, text: str) -> None:
        await self.socket.send_to(text_data=text)

    async def receive(self) -> str:
        # Longer than the tests wait: a time-out here would end the application.
        message = await self.socket.output_queue.get()
        if message["type"] == "websocket.close":
            self.code = message["code"]
            raise EOFError(self.code)
        return str(message["text"])

    async def close(self) -> None:
        await self.socket.disconnect()


def bearer(token: str) -> tuple[bytes, bytes]:
    """Return the header that carries a token."""
    return (b"authorization", f"Bearer {token}".encode())


def path_of(match: Match) -> str:
    """Return the address of a duel's socket for programs."""
    return f"/ws/rpc/duel/{match.public_id}/"


async def program(match: Match, token: str | None) -> Program:
    """Return a program that has been told a duel's state."""
    line = InsideLine(path_of(match), *([bearer(token)] if token else []))
    assert await line.open()
    return await Program(line).begin()


async def programs(match: Match, tokens_: list[str]) -> list[Program]:
    """Return programs that sit on the seats in their order."""
    found = [await program(match, token) for token in tokens_]
    for seat, one in enumerate(found):
        await one.call("sit", seat)
    for one in found:
        await one.until(lambda word: word[:2] == ("player_sat", len(found) - 1))
    return found


async def playing(match: Match, tokens_: list[str]) -> list[Program]:
    """Return two programs whose duel has begun."""
    found = await programs(match, tokens_)
    for one in found:
        await one.call("ready")
    for one in found:
        await one.until("throw_started")
    return found


async def closed(one: Program) -> int:
    """Return the code with which the server ends a program's socket."""
    line = one.line
    assert isinstance(line, InsideLine)
    try:
        while True:
            await one.receive()
    except EOFError:
        assert line.code is not None
        return line.code


async def leave(*some: Program) -> None:
    """Close sockets."""
    for one in some:
        await one.line.close()
