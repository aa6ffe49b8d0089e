import pytest

from tests.faults.client import Client, eventually, leave_all, open_all
from tests.faults.pages import Pages

pytestmark = [pytest.mark.processes, pytest.mark.slow]


@pytest.mark.fault_profile
async def test_fault_killed_after_a_take_over_loses_nothing_and_the_replaced_see_nothing(rig):
    people = rig.hand("people", names=["ann", "bob", "cyd", "dan", "eve", "new", "late"])
    ids, cookies = zip(*((person["id"], person["cookie"]) for person in people), strict=True)
    town = rig.hand("offer_seat", users=ids[:5], idle=ids[2])
    public_id = town["public_id"]
    assert town["open"] == [2]
    one, other = rig.webs()
    placed = ((one, cookies[5]), (other, cookies[2]), (other, cookies[6]))
    newcomer, replaced, late = clients = [Client(web, public_id, own) for web, own in placed]
    await open_all(clients)
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
    await leave_all(clients)
    await eventually(lambda: "seat_taken_over" in rig.hand("facts", match=town["pk"]))

    # The replay shows both players of the seat.
    pages = Pages(other.address, cookies[0])
    assert pages.get(f"/matches/{public_id}/replay.json")[0] == 404
    rig.call_off(public_id)
    seen = pages.moments(public_id, "2")
    holders = [view["seats"][2]["player"]["name"] for view in seen]
    assert set(holders) == {"cyd", "new"}
    assert holders == sorted(holders), "the first player of the seat stands before the second"
    taken = seen[holders.index("new")]
    assert (taken["seats"][2]["replaced"], taken["you"]["name"]) == (["cyd"], "new")
    assert (taken["game"]["you"]["role"], seen[-1]["match"]["status"]) == (role, "void")
    rig.prove_calm()
