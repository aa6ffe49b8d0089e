"""A seat changes hands between two web processes, and the one that did it is killed."""

import pytest

from tests.faults.client import Client, eventually
from tests.faults.rig import Rig

pytestmark = [pytest.mark.processes, pytest.mark.slow]


@pytest.mark.fault_profile
async def test_fault_killed_after_a_take_over_loses_nothing_and_the_replaced_see_nothing(
    rig: Rig,
) -> None:
    people = rig.hand("people", names=["ann", "bob", "cyd", "dan", "eve", "new", "late"])
    ids = [person["id"] for person in people]
    town = rig.hand("offer_seat", users=ids[:5], idle=ids[2])
    assert town["open"] == [2]
    one, other = rig.web(), rig.web()
    newcomer = Client(one, town["public_id"], people[5]["cookie"])
    replaced = Client(other, town["public_id"], people[2]["cookie"])
    late = Client(other, town["public_id"], people[6]["cookie"])
    for client in (newcomer, replaced, late):
        await client.open()
    role = replaced.view["game"]["you"]["role"]
    frame_id = await newcomer.send(kind="take_over", seat=2)
    assert (await newcomer.answer(frame_id))["type"] == "ack"
    one.kill()

    # What was acknowledged is there, in the process that knows it only from the database.
    lost = await replaced.until_view(lambda view: view["you"]["seat"] is None)
    assert lost["game"]["you"] is None
    assert lost == await late.until_view(lambda view: view["seats"][2]["replaced"] == ["cyd"])
    assert (await replaced.act(kind="done"))["code"] == "action/not_seated"
    assert (await late.act(kind="take_over", seat=2))["code"] == "action/seat_not_open"

    # Who came has the seat in each process, and asking again changes nothing.
    newcomer.web = other
    await newcomer.come_back()
    assert newcomer.view["game"]["you"]["role"] == role
    del newcomer.acks[frame_id]
    await newcomer.send_again()
    assert (await newcomer.answer(frame_id))["repeated"]
    assert (await newcomer.act(kind="done"))["type"] == "ack"
    for client in (newcomer, replaced, late):
        await client.leave()
    await eventually(lambda: "seat_taken_over" in rig.hand("facts", match=town["pk"]))
    rig.prove_calm()
