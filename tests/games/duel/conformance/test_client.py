"""Duties of a client of the interface: our example, tested against a scripted server.

``CONFORMANCE_CLIENT`` names another client, as a command line with {url}, TOKEN and ID in it.
"""

import asyncio
import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from tests.games.duel.conformance.referee import TOKEN, Referee, Stage, last_words, state
from tests.games.duel.conformance.server import Server
from tests.games.jsonrpc.program import PATIENCE

EXAMPLE = Path(__file__).resolve().parents[4] / "examples" / "duel_client.py"
CASES = Path(__file__).parent / "clients.txt"
HANDS = {"r", "p", "s"}


def client() -> list[str]:
    given = os.environ.get("CONFORMANCE_CLIENT")
    if given:
        return [word.replace("TOKEN", TOKEN).replace("ID", "a-duel") for word in shlex.split(given)]
    return [sys.executable, str(EXAMPLE), "{url}", TOKEN, "a-duel"]


def cases() -> dict[str, list[str]]:
    _, *parts = CASES.read_text(encoding="utf-8").split("## ")
    return {
        rule: lines.split("\n") for rule, lines in (part.strip().split("\n", 1) for part in parts)
    }


async def take(referee: Referee, line: str) -> None:
    """Do what a line of a case says; an unknown word is a KeyError."""
    word, _, rest = line.partition(" ")
    given, _, error = rest.partition(" !! ")
    await {
        "state": lambda: referee.say(*state(*json.loads(given or "[]"))),
        "says": lambda: referee.say(*json.loads(given)),
        "calls": lambda: calls(referee, *given.split(), error=json.loads(error or "null")),
        "ready": lambda: ready(referee, int(given)),
        "throw": lambda: throw(referee, int(given)),
        "silent": referee.expect_nothing,
        "ends": lambda: end(referee),
    }[word]()


async def calls(referee: Referee, method: str, *again: str, error: object) -> None:
    """The client calls a method; ``again``: as it did just before."""
    before = referee.calls[-1:]
    result = {"repeated": False, **({"seat_id": 0} if method == "sit" else {})}
    given = await referee.expect(method, result, error)
    assert method != "choose_hand" or given[0][0].lower() in HANDS
    assert not again or before == referee.calls[-1:]


async def ready(referee: Referee, revision: int) -> None:
    assert await referee.expect("ready") in ([revision], [])
    await referee.say(("player_ready", 0))


async def throw(referee: Referee, number: int) -> None:
    """Start a throw; the client chooses a hand once."""
    await referee.say(("throw_started", number), ("clock", "2026-11-21T13:49:40.000Z"))
    await calls(referee, "choose_hand", error=None)
    await referee.say(("hand_in", 0))


async def end(referee: Referee) -> None:
    """End the duel; the client closes the connection."""
    await referee.say(("end_game", [0], "wins"))
    await referee.socket.wait_closed()


@pytest.mark.parametrize("rule", cases())
async def test_client(rule: str) -> None:
    """The client calls what is written down; a line that breaks begins again from the top."""
    if "CONFORMANCE_CLIENT" in os.environ and rule.startswith("Our example"):
        pytest.skip("a habit of our example alone")
    stage, broken = Stage(), 0

    async def script(referee: Referee) -> None:
        nonlocal broken
        still_whole = broken
        for line in cases()[rule]:
            word, _, reason = line.partition(" ")
            if word != "breaks":
                await take(referee, line)
            elif still_whole:
                still_whole -= 1
            else:
                broken += 1
                if not reason:
                    return referee.socket.transport.abort()
                return await referee.socket.close(int(reason))
        return None

    code, said = await stage.run(script, client())
    assert code == 0, said
    assert broken == sum(line.startswith("breaks") for line in cases()[rule])
    assert (stage.header, stage.path) == (f"Bearer {TOKEN}", "/ws/rpc/duel/a-duel/")
    assert TOKEN not in said


def test_client_example_is_short():
    assert len(EXAMPLE.read_text().splitlines()) <= 80


@pytest.mark.processes
async def test_client_example_opens_a_duel_and_plays_it_against_itself(server: Server):
    """Our example against a real server: one opens a duel, the other joins it, both end."""
    if server.hand is None:
        pytest.skip("plays at a server of our own")

    async def start(token: str, *more: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-u", str(EXAMPLE), server.url, token, *more),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    one = await start(server.tokens[0])
    assert one.stdout is not None
    address = (await asyncio.wait_for(one.stdout.readline(), PATIENCE)).decode().strip()
    public_id = address.rstrip("/").rpartition("/")[2]
    two = await start(server.tokens[1], public_id)
    said = [await last_words(each) for each in (one, two)]
    assert (one.returncode, two.returncode) == (0, 0), said
    ends = {line for text in said for line in text.splitlines() if line.startswith("end_game")}
    assert len(ends) == 1
