import asyncio

import pytest

from tests.faults.client import (
    Client,
    assert_journals,
    eventually,
    leave_all,
    sat_down,
    tables_of_two,
    under_load,
)
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]
IS_FORKING = False


RELEASES = form(2, in_long=8)


async def play_on_both(pairs: list[list[Client]], count: int) -> None:
    wanted = [sum(len(client.acks) for client in pair) + count for pair in pairs]

    def is_played() -> bool:
        played = [sum(len(client.acks) for client in pair) for pair in pairs]
        return all(have >= want for have, want in zip(played, wanted, strict=True))

    async with under_load([client for pair in pairs for client in pair]):
        await eventually(is_played, pause=0.02)


async def test_fault_rolling_restart_old_and_new_play_the_same_matches_side_by_side(make_rig):
    with make_rig(SOCKET_RATE="1000", SOCKET_BURST="1000", SOCKETS_PER_ADDRESS="200") as rig:
        people, tables = tables_of_two(rig, 8)
        old = rig.web()
        clients = await sat_down(old, tables, people)
        pairs = [[*pair] for pair in zip(clients[::2], clients[1::2], strict=True)]
        for _ in range(RELEASES):
            await play_on_both(pairs, 20)
            new = rig.web()
            # One of each pair goes over first: every match is written by both processes.
            for pair in pairs:
                await pair[0].leave()
                pair[0].web = new
                await pair[0].open()
            await play_on_both(pairs, 40)
            await asyncio.to_thread(old.end)
            assert old.popen.returncode == 0
            for pair in pairs:
                assert await pair[1].until_closed() == 4412
                pair[1].web = new
                await pair[1].come_back()
            old = new
        await play_on_both(pairs, 20)
        assert_journals(rig, tables, clients)
        await leave_all(clients)
        rig.prove_calm()
