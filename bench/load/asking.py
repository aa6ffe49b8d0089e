"""Requests over HTTP: opening of tables, and pages."""

import asyncio
import http.client
import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from bench.load.client import Person, World

#: Seconds until a request fails.
TIMEOUT: Final = 15.0
#: Options of a new table; a Mafia game's shortest phase.
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "duel": {"best_of": 9},
    "showdown": {"seats": 4, "target": 5},
    "agora": {"seats": 5, "phase_seconds": 60},
    "dynamite": {"seats": 5, "phase_seconds": 60},
}
SEATS: Final = {"duel": 2, "showdown": 4, "agora": 5, "dynamite": 5}
#: Addresses and methods that differ from game to game.
OPENING: Final = {"duel": ("/rpc/", "open_duel")}


class Answer(msgspec.Struct):
    """An answer over HTTP."""

    status: int
    body: bytes


async def get(world: World, person: Person, path: str) -> Answer | None:
    """Read a page; return None if no answer came."""
    return await _ask(world, person, f"GET {path}", path)


async def open_table(world: World, person: Person, game: str) -> str | None:
    """Open a table and return its public id; None if it was refused."""
    path, method = OPENING.get(game, (f"/rpc/{game}/", "open_match"))
    call = {"jsonrpc": "2.0", "method": method, "params": OPTIONS[game], "id": 1}
    body = msgspec.json.encode(call)
    answer = await _ask(world, person, f"{game} open", path, body)
    if answer is None or answer.status != http.HTTPStatus.OK:
        return None
    told = msgspec.json.decode(answer.body)
    if "error" in told:
        world.counts.refuse(f"{game} open", told["error"]["data"]["token"])
        return None
    public_id: str = told["result"]["public_id"]
    return public_id


async def _ask(
    world: World, person: Person, kind: str, path: str, body: bytes | None = None
) -> Answer | None:
    place, begun = world.place(f"{path} {person.source}"), time.perf_counter()
    headers = {"Host": place.name, "Connection": "close"}
    if body is not None:
        headers |= {"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"}
    elif person.cookie:
        headers["Cookie"] = person.cookie

    def ask() -> Answer:
        return fetch(place.host, place.port, path, headers, body=body, source=person.source)

    try:
        answer = await asyncio.to_thread(ask)
    except (OSError, http.client.HTTPException) as problem:
        world.counts.refuse(kind, type(problem).__name__)
        return None
    if answer.status == http.HTTPStatus.OK:
        world.counts.answer(kind, begun)
    else:
        world.counts.refuse(kind, f"HTTP {answer.status}")
    return answer


def fetch(
    host: str,
    port: int,
    path: str,
    headers: Mapping[str, str],
    *,
    body: bytes | None = None,
    source: str | None = None,
) -> Answer:
    """Send a request and read the whole answer.

    Raises:
        OSError, http.client.HTTPException: no answer came.
    """
    own = (source, 0) if source else None
    line = http.client.HTTPConnection(host, port, timeout=TIMEOUT, source_address=own)
    try:
        line.request("GET" if body is None else "POST", path, body=body, headers=dict(headers))
        answer = line.getresponse()
        return Answer(answer.status, answer.read())
    finally:
        line.close()
