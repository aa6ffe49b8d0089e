"""Duties of a server of the interface towards its programs, case by case.

The rules stand in ``cases/*.txt`` (see ``exchanges``) and in the docstrings of this file.
The suite runs against a site of our own, or against CONFORMANCE_URL with CONFORMANCE_TOKENS.

Source: docs/reference/json-rpc.md; docs/rules/duel.md.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.forms import form
from tests.games.duel.conformance.server import Duel, Server
from tests.games.jsonrpc import exchanges
from tests.games.jsonrpc.program import Program

pytestmark = [pytest.mark.processes]
CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("case", exchanges.cases(CASES), ids=lambda case: case.id)
async def test_case(server: Server, duel, case: exchanges.Case):
    """The texts of calls, answers and notifications are as written down."""

    async def place(options: dict[str, Any] | None) -> Duel:
        return Duel(server, "") if options is None else await duel(**options)

    await exchanges.play(case, place)


async def test_two_who_sit_down_at_once_get_a_seat_each(duel):
    """The first free seat is found when the call is judged, not when it is sent."""
    for _ in range(4):
        room = await duel()
        ann, bob = await room.enter(0), await room.enter(1, second=True)
        seats = await asyncio.gather(ann.call("sit"), bob.call("sit"))
        assert sorted(each["seat_id"] for each in seats) == [0, 1]


async def test_leaving_after_the_start(server, duel):
    """Once the duel has begun, a seat is kept after its connection ends."""
    room = await duel()
    ann, bob = await room.started()
    room.programs.remove(ann)
    await ann.line.close()
    if server.hand is not None:
        server.hand("leave_alone", public_id=room.public_id)
        server.hand("sweep")
    await bob.call("send_state")
    assert (bob.count("player_stood"), bob.words[-1]) == (0, ("state_sent",))
    assert await (await room.enter(0)).call("choose_hand", "rock") == {"repeated": False}


async def test_rematch(server, duel):
    """A rematch is another duel, with both on their seats; its name is told to both."""
    room = await duel()
    ann, bob = await room.started()
    await ann.call("resign")
    await bob.until("end_game")
    await bob.call("rematch")
    name = (await ann.until("rematch"))[2]
    assert (await bob.until("rematch"))[2] == name
    again = type(room)(server, name)
    first = await again.enter(0)
    assert [word[1] for word in first.words if word[0] == "player_sat"] == [0, 1]
    await first.call("ready")
    await first.until("throw_started")
    await again.end()


async def test_two_processes(server, duel):
    """Programs at different processes of a site are told the same, once and in order."""
    if server.second == server.url:
        pytest.skip("a single process is given")
    room = await duel(best_of=9, no_ties=1)
    pair = ann, bob = await room.enter(0), await room.enter(1, second=True)
    for seat, (one, other) in enumerate((pair, (bob, ann))):
        await one.call("sit", seat)
        await other.until(lambda word, seat=seat: word[:2] == ("player_sat", seat))
    for one in pair:
        await one.call("ready")
    for number, hands in enumerate(("rs", "pp", "sr", "rs", "ps"), start=1):
        for one, hand in zip(pair, hands, strict=True):
            await one.until(lambda word, n=number: word == ("throw_started", n))
            await one.call("choose_hand", hand)
    await bob.call("resign")
    for one in pair:
        await one.until("end_game")
    heard = [[word for word in one.words if word[0] != "clock"] for one in pair]
    begins = [[word[0] for word in words].index("player_ready") for words in heard]
    assert heard[0][begins[0] :] == heard[1][begins[1] :]


async def test_binary_messages_and_messages_too_big(duel):
    """A binary message is not JSON; one of more than 8192 bytes ends the socket with 1009."""
    ann = await (await duel()).enter(0)
    await ann.line.socket.send(b'{"jsonrpc":"2.0","method":"server_time","id":1}')
    assert (await ann.answer(None))["error"]["code"] == -32700
    await ann.line.send(" " * 8193)
    assert await ann.until_closed() == 1009


async def test_discovery(server, duel):
    """The description names what a player may call, and may be longer than what comes in."""
    eve = await (await duel()).enter(None)
    document = await eve.call("rpc.discover")
    names = {method["name"] for method in document["methods"]}
    assert {
        *("choose_hand", "no_ties", "best_of", "sit", "stand", "ready", "unready"),
        *("suspend_game", "resume_game", "send_state"),
    } <= names
    if server.hand is not None:
        assert len(eve.texts[-1]) > 8192


@pytest.mark.parametrize("token", ["nonsense", "rrt_" + "x" * 43])
async def test_wrong_tokens_and_unknown_duels(server: Server, duel, token):
    """A wrong token opens no socket, and over HTTP it is 401; an unknown duel has no socket."""
    room = await duel()
    for asked in ((room.public_id, token), ("no-such-duel", server.tokens[0])):
        with pytest.raises(Exception, match="403"):
            await server.socket(*asked)
    call = {"jsonrpc": "2.0", "method": "my_duels", "id": 1}
    status, _ = await server.post(json.dumps(call), token)
    assert status == 401


async def test_tokens_need_no_origin(server: Server, duel):
    """A program says where it comes from or not; with a token it makes no difference."""
    room = await duel()
    line = await server.socket(room.public_id, server.tokens[0], Origin="https://evil.test")
    assert (await Program(line).begin()).words[0] == ("receive_state", "setup")
    await line.close()
    with pytest.raises(Exception, match="403"):
        await server.socket(room.public_id, None, Origin="https://evil.test", Cookie="sessionid=x")


#: Tables at once, and duels one after the other at each; 200 duels at once in the long form.
TABLES, DUELS = form((4, 5), in_long=(200, 1))


async def start(room: Duel) -> list[Program]:
    """Seat both programs, also where they sit already, and begin."""
    pair = [await room.enter(player) for player in (0, 1)]
    for seat, one in enumerate(pair):
        await one.call("sit", seat)
    for one in pair:
        await one.call("ready")
    return pair


async def play_through(room: Duel, pair: list[Program], number: int) -> int:
    """Play duels and rematches at one table; return how many were finished."""
    for finished in range(1, DUELS + 1):
        ends = await asyncio.gather(*(throw_until_the_end(one, number) for one in pair))
        assert ends[0] == ends[1]
        if finished < DUELS:
            await pair[0].call("rematch")
            name = (await pair[1].until("rematch"))[2]
        for one in pair:
            await one.line.close()
        if finished < DUELS:
            room = Duel(room.server, name)
            pair = await start(room)
    return finished


async def throw_until_the_end(one: Program, number: int) -> Any:
    """Throw at every start of a throw; return who won."""
    thrown = number
    while True:
        word = await one.until(lambda word: word[0] in ("throw_started", "end_game"))
        if word[0] == "end_game":
            return word[1:]
        thrown = thrown * 7 + hash(one) % 5
        await one.call("choose_hand", "rps"[thrown % 3])


@pytest.mark.slow
async def test_many_duels_at_once(server: Server):
    """Two programs play many duels at once, with rematches; each ends the same for both."""
    rooms = []
    for _ in range(TABLES):
        # Few tables of one user may wait for players; of those that run there may be many.
        room = Duel(server, await server.open_duel(best_of=3, no_ties=1, clock_seconds=300))
        rooms.append((room, await start(room)))
    plays = [play_through(*pair, number) for number, pair in enumerate(rooms)]
    assert sum(await asyncio.gather(*plays)) == TABLES * DUELS
