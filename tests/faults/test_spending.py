import asyncio
from typing import Any

import pytest

from tests.faults.client import Client, leave_all, open_all
from tests.faults.rig import Rig, Web
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.both_databases]

SOCKETS = 50
LIMITS = {"SOCKETS_PER_USER": "60", "SOCKETS_PER_ADDRESS": "200"}
#: A grant of 100 points pays for ten times two rocks.
POINTS, PRICE = 100, 10


async def fifty_sockets(rig: Rig, web: Web, who: dict[str, Any]) -> list[Client]:
    table = rig.hand("open_table", opener=who["id"])
    clients = [Client(web, table["public_id"], who["cookie"]) for _ in range(SOCKETS)]
    await open_all(clients)
    return clients


async def test_fault_fifty_sockets_spend_each_point_once(make_rig) -> None:
    with make_rig(**LIMITS) as rig:
        web = rig.web()
        for who in rig.people(form(2, in_long=20)):
            clients = await fifty_sockets(rig, web, who)
            ids = await asyncio.gather(*(client.command("!buy rock 2") for client in clients))
            asked = zip(clients, ids, strict=True)
            answers = await asyncio.gather(*(client.answer(each) for client, each in asked))
            kinds = [answer.get("code", "ack") for answer in answers]
            assert kinds.count("ack") == POINTS // PRICE
            assert kinds.count("ledger/insufficient_points") == SOCKETS - POINTS // PRICE
            owned = rig.hand("owned", user=who["id"])
            assert (owned["POINT"], owned["ROCK"]) == (0, 2 * POINTS // PRICE)
            await leave_all(clients)
        rig.prove_calm()


@pytest.mark.fault_profile
async def test_fault_one_id_on_fifty_sockets_spends_once(make_rig) -> None:
    with make_rig(**LIMITS) as rig:
        (who,) = rig.people(1)
        clients = await fifty_sockets(rig, rig.web(), who)
        one = "the-same-purchase"
        for client in clients:
            client.sent[one] = {"id": one, "type": "command", "text": "!buy rock 2"}
        await asyncio.gather(*(client.send_again() for client in clients))
        answers = await asyncio.gather(*(client.answer(one) for client in clients))
        assert {answer["type"] for answer in answers} == {"ack"}
        assert rig.hand("owned", user=who["id"])["POINT"] == POINTS - PRICE
        for client in clients:
            await client.send("the-same-seat", kind="sit", seat=0, purse=20)
        seats = [await client.answer("the-same-seat") for client in clients]
        assert [seat["type"] for seat in seats] == ["ack"] * SOCKETS
        assert [seat["repeated"] for seat in seats].count(False) == 1
        await leave_all(clients)
        rig.prove_calm()
