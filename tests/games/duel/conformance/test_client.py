"""Duties of a client of the interface: our example, tested against a scripted server.

``CONFORMANCE_CLIENT`` names another client, as a command line with {url}, TOKEN and ID in it.
"""

import asyncio
import os
import shlex
import sys
from pathlib import Path

import pytest

from tests.games.duel.conformance.program import PATIENCE
from tests.games.duel.conformance.referee import TOKEN, Referee, Stage, last_words, state
from tests.games.duel.conformance.server import Server

EXAMPLE = Path(__file__).resolve().parents[4] / "examples" / "duel_client.py"
HANDS = {"r", "p", "s"}


def client() -> list[str]:
    """Return the command line of the client under test."""
    given = os.environ.get("CONFORMANCE_CLIENT")
    if given:
        return [word.replace("TOKEN", TOKEN).replace("ID", "a-duel") for word in shlex.split(given)]
    return [sys.executable, str(EXAMPLE), "{url}", TOKEN, "a-duel"]


async def sit_down(referee: Referee, *more: tuple[object, ...]) -> None:
    """Tell a state and let the client sit and be ready."""
    await referee.say(*state(*more))
    await referee.expect("sit", {"repeated": False, "seat_id": 0})
    await referee.say(("player_sat", 0, "client"))


async def ready(referee: Referee, revision: int) -> None:
    """The client gets ready for a revision."""
    given = await referee.expect("ready")
    assert given in ([revision], [])
    await referee.say(("player_ready", 0))


async def throw(referee: Referee, number: int) -> None:
    """Start a throw; the client chooses a hand once."""
    await referee.say(("throw_started", number), ("clock", "2026-11-21T13:49:40.000Z"))
    (hand,) = await referee.expect("choose_hand")
    assert hand[0].lower() in HANDS
    await referee.say(("hand_in", 0))


async def end(referee: Referee) -> None:
    """End the duel; the client closes the connection."""
    await referee.say(("end_game", [0], "wins"))
    await referee.socket.wait_closed()


async def test_client_plays_a_duel():
    """It shows its token, sits, is ready for what it saw, throws once a throw, and goes."""
    stage = Stage()

    async def script(referee: Referee) -> None:
        await sit_down(referee)
        await ready(referee, 1)
        await referee.say(("start_game",))
        for number in (1, 2, 3):
            await throw(referee, number)
            await referee.say(
                ("player_chose_hand", 0, "rock"),
                ("player_chose_hand", 1, "rock"),
                ("throw_ended", number, [], False),
                ("score", 0, 0),
            )
        await end(referee)

    code, said = await stage.run(script, client())
    assert code == 0, said
    assert stage.header == f"Bearer {TOKEN}"
    assert stage.path == "/ws/rpc/duel/a-duel/"
    assert TOKEN not in said


async def test_client_gets_ready_anew_when_the_configuration_changes():
    """After a change it is ready for the new revision, not for the old one."""
    stage = Stage()

    async def script(referee: Referee) -> None:
        await sit_down(referee)
        await ready(referee, 1)
        await referee.say(("best_of", 1, 5), ("player_unready", 0), ("configuration", 2))
        await ready(referee, 2)
        await end(referee)

    code, said = await stage.run(script, client())
    assert code == 0, said


async def test_client_survives_words_that_it_does_not_know():
    """Words of a newer interface are passed over, alone and in a batch."""
    stage = Stage()

    async def script(referee: Referee) -> None:
        await referee.say(("something_new", {"a": [1]}))
        await sit_down(referee, ("option", None, "colour", True))
        await ready(referee, 1)
        await referee.say(("something_new",), ("throw_started", 1))
        await referee.expect("choose_hand")
        await end(referee)

    code, said = await stage.run(script, client())
    assert code == 0, said


async def test_client_takes_a_refusal_calmly():
    """After a refused call the duel continues."""
    stage = Stage()
    late = {"code": 1001, "message": "the duel has moved on", "data": {"token": "stale"}}

    async def script(referee: Referee) -> None:
        await sit_down(referee)
        await ready(referee, 1)
        await referee.say(("throw_started", 1))
        await referee.expect("choose_hand", error=late)
        await throw(referee, 2)
        await end(referee)

    code, said = await stage.run(script, client())
    assert code == 0, said


async def test_client_asks_again_when_the_site_was_busy():
    """A call that was refused for now is made again; the same one, after the pause."""
    stage = Stage()
    busy = {"code": 1007, "message": "busy", "data": {"token": "busy", "retry_ms": 100}}

    async def script(referee: Referee) -> None:
        await referee.say(*state())
        await referee.expect("sit", error=busy)
        await referee.expect("sit", {"repeated": False, "seat_id": 0})
        await referee.say(("player_sat", 0, "client"))
        await referee.expect("ready", error=busy)
        await ready(referee, 1)
        await referee.say(("throw_started", 1))
        assert await referee.expect("choose_hand", error=busy) == await referee.expect(
            "choose_hand"
        )
        await end(referee)

    code, said = await stage.run(script, client())
    assert code == 0, said


@pytest.mark.parametrize("reason", [None, 4412])
async def test_client_connects_again_when_the_line_breaks(reason: int | None):
    """It sits where it sat, and throws where no hand of it is in; also when the site restarts."""
    stage = Stage()
    lines = iter((1, 2))

    async def script(referee: Referee) -> None:
        await sit_down(referee)
        await ready(referee, 1)
        await referee.say(("start_game",), ("throw_started", 1))
        await referee.expect("choose_hand")
        if next(lines) == 2:
            await end(referee)
        elif reason is None:
            referee.socket.transport.abort()
        else:
            await referee.socket.close(reason)

    code, said = await stage.run(script, client())
    assert code == 0, said


async def test_client_goes_on_after_a_suspension():
    """When the duel is suspended it says that it is ready to go on."""
    stage = Stage()

    async def script(referee: Referee) -> None:
        await sit_down(referee)
        await ready(referee, 1)
        await referee.say(("suspend_game",), ("clock", "2026-11-28T13:49:40.000Z"))
        await referee.expect("resume_game")
        await referee.say(("resume_game",))
        await end(referee)

    code, said = await stage.run(script, client())
    assert code == 0, said


@pytest.mark.skipif("CONFORMANCE_CLIENT" in os.environ, reason="a habit of our example alone")
async def test_client_does_not_play_for_points():
    """Our example is not ready while there is a stake."""
    stage = Stage()

    async def script(referee: Referee) -> None:
        await sit_down(referee, ("stake", None, 10))
        await referee.expect_nothing()
        await referee.say(("stake", 1, 0), ("configuration", 2))
        await ready(referee, 2)
        await end(referee)

    code, said = await stage.run(script, client())
    assert code == 0, said


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
