import itertools
import json
import runpy

import pytest

from tests.boot import ROOT
from tests.faults.client import (
    assert_clock_was_given_back,
    assert_journal,
    assert_journals,
    eventually,
    game_of_two,
    killed_and_back,
    leave_all,
    sat_down,
    tables_of_two,
    under_load,
    until_played,
)
from tests.faults.pages import Pages
from tests.faults.rig import Rig
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow]
#: The processes of these tests are the real commands; those of the first form are forked.
IS_FORKING = False


@pytest.mark.plain
@pytest.mark.parametrize("is_forking", [True], indirect=True)
async def test_fault_a_killed_process_loses_nothing_and_folds_nobody(rig: Rig) -> None:
    await play_on_after_a_kill(rig)


@pytest.mark.both_databases
async def test_fault_killed_in_mid_round_loses_nothing_and_folds_nobody(rig: Rig) -> None:
    public_id, pages = await play_on_after_a_kill(rig)
    # Its replay goes through the outage.
    assert pages.get(f"/matches/{public_id}/replay.json")[0] == 404
    rig.call_off(public_id)
    for eyes, wanted in (("0", [{"1": "paper"}, {"1": "scissors"}]), ("1", [{"0": "rock"}])):
        owns = [view["game"]["you"]["attacks"] for view in pages.moments(public_id, eyes)]
        assert [attacks for attacks, _ in itertools.groupby(owns) if attacks] == wanted
    assert pages.moments(public_id, "all")[-1]["match"]["status"] == "void"
    rig.prove_calm()


async def play_on_after_a_kill(rig: Rig) -> tuple[str, Pages]:
    # Everything slow has been done when the clock begins to run.
    table, clients = await game_of_two(rig, rig.web(), round_clock=8, target=3)
    old, (one, two) = rig.hand("clock", match=table["pk"]), clients
    assert (await one.act(kind="attack", weapon="paper", target=1))["type"] == "ack"
    assert (await two.act(kind="attack", weapon="rock", target=0))["type"] == "ack"
    await killed_and_back(rig, clients)
    assert one.view["game"]["you"]["attacks"] == {"1": "paper"}
    assert two.view["game"]["you"]["attacks"] == {"0": "rock"}
    # The old clock passes: the time of the outage has been given back, with 20 s at least.
    await eventually(lambda: rig.hand("clock", match=table["pk"])["resumed"])
    assert_clock_was_given_back(rig, table["pk"])
    await eventually(lambda: rig.hand("has_passed", due_at=old["due_at"]))
    assert (await one.act(kind="attack", weapon="scissors", target=1))["type"] == "ack"
    for client in clients:
        assert (await client.act(kind="lock"))["type"] == "ack"
    view = await one.until_view(lambda view: view["game"]["last_round"] is not None)
    assert view["game"]["last_round"]["battles"][0]["winner"] == 1
    assert not {"folded", "gave_up", "absent_warned"} & set(rig.hand("facts", match=table["pk"]))
    await leave_all(clients)
    assert_journal(rig, table["pk"], clients)
    rig.prove_calm()
    return table["public_id"], Pages(one.web.address)


@pytest.mark.fault_profile
async def test_fault_killed_under_load_loses_no_acknowledged_action_and_doubles_none(make_rig):
    with make_rig(SOCKET_RATE="1000", SOCKET_BURST="1000") as rig:
        people, tables = tables_of_two(rig, 8)
        clients = await sat_down(rig.web(), tables, people)
        for kill in range(form(2, in_long=30)):
            async with under_load(clients):
                await until_played(clients, 100 + kill % 3 * 37)
                await killed_and_back(rig, clients)
            again = [await client.send_again() for client in clients]
            for client, ids in zip(clients, again, strict=True):
                for frame_id in ids:
                    await client.answer(frame_id)
            print(f"kill {kill}: {sum(map(len, again))} sent again")
        print("acknowledged:", sum(len(client.acks) for client in clients))
        await leave_all(clients)
        assert_journals(rig, tables, clients)
        assert not any("folded" in rig.hand("facts", match=table["pk"]) for table in tables)
        rig.prove_calm()


@pytest.mark.fault_profile
async def test_fault_game_is_dealt_after_its_seed_is_logged_though_the_process_was_killed(make_rig):
    with make_rig(FAULTS_DEAL_AFTER_LOG="1") as rig:
        table, clients = await game_of_two(rig, rig.web(), stage="open")
        one, two = clients
        assert (await two.act(kind="ready", configuration=1))["type"] == "ack"
        again = await killed_and_back(rig, clients)
        await one.until_view(lambda view: view["match"]["status"] == "running")
        rig.call_off(table["public_id"])
        pages, address = Pages(again.address), f"/matches/{table['public_id']}/proof.json"
        # There once the log has the end, which the process writes.
        await eventually(lambda: pages.get(address)[0] == 200)
        verifier = runpy.run_path(str(ROOT / "static/proof/verify.py"))
        said = list(verifier["verify"](json.loads(pages.get(address)[1])))
        assert len(said) == len(verifier["CHECKS"])
        rig.prove_calm()
