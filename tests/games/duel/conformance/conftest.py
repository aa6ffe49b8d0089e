"""Against what the suite runs: CONFORMANCE_URL, or a site of our own with two web processes.

CONFORMANCE_TOKENS holds the tokens of two users of that server, with a comma between them.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.rig import Rig, Template
from tests.games.duel.conformance.server import Duel, Server

MakeDuel = Callable[..., Awaitable[Duel]]
#: One machine plays everybody, and the suite tries nonsense faster than people do.
LIMITS = dict.fromkeys(("SOCKET_RATE", "SOCKET_BURST", "BAD_FRAMES"), "500")
LIMITS |= {"SOCKETS_PER_USER": "300", "SOCKETS_PER_ADDRESS": "600"}


@pytest.fixture(scope="session")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, prepared: Path
) -> Iterator[Server]:
    url = os.environ.get("CONFORMANCE_URL")
    if url:
        yield Server(url, os.environ["CONFORMANCE_TOKENS"].split(","))
        return
    template = Template.of(request.config, prepared, tmp_path_factory)
    var = tmp_path_factory.mktemp("conformance")
    with Rig(var, template, is_forking=True, **LIMITS) as rig:
        webs = [rig.start_web(), rig.start_web()]
        for web in webs:
            web.wait_until_ready()
        rig.hand("allow", tables__live_seats=300)
        people = rig.hand("programs", names=["ann-1", "bob-2"])
        first, second = (f"http://{web.address}" for web in webs)
        yield Server(first, [one["token"] for one in people], rig.hand, second)
        assert rig.alarms() == []
        assert not any(one["token"] in rig.said() for one in people)
        rig.prove()


@pytest.fixture
async def duel(server: Server) -> AsyncIterator[MakeDuel]:
    opened: list[Duel] = []

    async def make(**options: object) -> Duel:
        opened.append(Duel(server, await server.open_duel(**options)))
        return opened[-1]

    yield make
    for each in opened:
        await each.end()
