"""A log-in that ends in one process has ended in all, whether or not anybody is told."""

import contextlib

import pytest
from websockets.exceptions import ConnectionClosed

from tests.faults.client import Client, leave_all, open_all

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.both_databases]


async def test_fault_a_log_in_ended_elsewhere_without_a_word_cannot_act(make_rig) -> None:
    with make_rig() as rig:
        one, two = people = rig.people(2)
        table = rig.hand("start_game", users=[each["id"] for each in people], round_clock=120)
        web, other = rig.web(), rig.web()
        again = rig.hand("cookies", user=one["id"], count=1)[0]
        clients = [
            Client(server, table["public_id"], cookie)
            for server, cookie in ((web, one["cookie"]), (other, again), (web, two["cookie"]))
        ]
        await open_all(clients)
        ended, same_user, opponent = clients

        async def assert_in(client: Client, target: int) -> None:
            answer = await client.act(kind="attack", weapon="rock", target=target)
            assert answer["type"] == "ack" or answer["code"] != "unauthenticated"

        for client, target in ((ended, 1), (same_user, 1), (opponent, 0)):
            await assert_in(client, target)

        async def assert_shut_out(client: Client) -> None:
            """Check that actions are refused, or arrive after the end of the socket."""
            frame_id = client.prepare(kind="attack", weapon="rock", target=1)
            with contextlib.suppress(ConnectionClosed):
                await client.send(frame_id)
            assert await client.until_closed() == 4401
            assert frame_id not in client.acks
            assert client.errors.get(frame_id, {}).get("code") in (None, "unauthenticated")

        rig.hand("end_session", cookie=one["cookie"])
        await assert_shut_out(ended)
        for client, target in ((same_user, 1), (opponent, 0)):
            await assert_in(client, target)
        rig.hand("ban", user=one["id"])
        await assert_shut_out(same_user)
        await leave_all(clients)
        assert rig.alarms() == []
