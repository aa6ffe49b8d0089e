"""Programs inside the test's own process: tokens, sockets without a network, players."""

import json
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from accounts import tokens
from accounts.models import User
from games.jsonrpc import views
from games.jsonrpc.generated import interface_of
from games.matches import services as matches
from games.matches.models import Match
from rpsite.routing import websocket_application
from tests.games.jsonrpc import exchanges
from tests.games.jsonrpc.exchanges import Case
from tests.games.jsonrpc.program import PATIENCE, Program
from tests.games.match_kit import new_user
from tests.games.socket_kit import running_site


def make_token(user: User) -> str:
    return tokens.make_token(user=user, name="test")[1]


def bearer(token: str) -> tuple[bytes, bytes]:
    return (b"authorization", f"Bearer {token}".encode())


class InsideLine:
    def __init__(self, path: str, *headers: tuple[bytes, bytes]) -> None:
        given = [(b"host", b"localhost"), *headers]
        self.socket = WebsocketCommunicator(websocket_application, path, given)
        self.code: int | None = None

    async def open(self) -> bool:
        is_open, _ = await self.socket.connect(timeout=PATIENCE)
        return bool(is_open)

    async def send(self, text: str) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": text})

    async def receive(self) -> str:
        # Longer than the tests wait: a time-out here would end the application.
        message = await self.socket.output_queue.get()
        if message["type"] == "websocket.close":
            self.code = message["code"]
            raise EOFError(self.code)
        return str(message["text"])

    async def close(self) -> None:
        await self.socket.disconnect()


def table(game: str, people: int = 2, **options: Any) -> tuple[Match, list[User]]:
    users = [new_user() for _ in range(people)]
    return matches.open_match(opened_by=users[0], options=options, game=game), users


def path_of(match: Match) -> str:
    return f"/ws/rpc/{match.game}/{match.public_id}/"


async def player(match: Match, user: User | None, *headers: tuple[bytes, bytes]) -> Program:
    """Return a program that was told the state: of a user by a new token or these headers, or of
    nobody.
    """
    if user is not None and not headers:
        headers = (bearer(await sync_to_async(make_token)(user)),)
    line = InsideLine(path_of(match), *headers)
    assert await line.open()
    return await Program(line).begin()


async def leave(*programs: Program) -> None:
    for each in programs:
        await each.line.close()


class Inside:
    """A place for cases in the test's own process, with a table of a game; see ``exchanges``."""

    def __init__(self, game: str, options: dict[str, Any] | None) -> None:
        self.interface = interface_of(game)
        self.users = [new_user(), new_user()]
        self.keys = [make_token(user) for user in self.users]
        if options is not None:
            names = {method.kind: name for name, method in self.interface.methods.items()}
            call = {"jsonrpc": "2.0", "method": names["open_match"], "params": options, "id": 1}
            _, answer = self._post(json.dumps(call), 0)
            self.match = Match.objects.get(public_id=answer["result"]["public_id"])

    async def enter(self, player_no: int | None) -> Program:
        return await player(self.match, None if player_no is None else self.users[player_no])

    async def post(self, text: str, player_no: int | None) -> tuple[int, Any]:
        return await sync_to_async(self._post)(text, player_no)

    def _post(self, text: str, player_no: int | None) -> tuple[int, Any]:
        headers = {} if player_no is None else {"Authorization": f"Bearer {self.keys[player_no]}"}
        address, content = self.interface.http, text.encode()
        answer = Client().post(address, content, "application/json", headers=headers)
        return answer.status_code, json.loads(answer.content) if answer.content else None


async def play_inside(case: Case, game: str) -> None:
    """Play a case at a site in this process."""
    views._buckets.clear()
    async with running_site():
        exchange = await exchanges.play(case, sync_to_async(partial(Inside, game)))
        await leave(*exchange.programs.values())
