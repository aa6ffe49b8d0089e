"""A game that is dealt only once its seed is in the public log, by whichever process."""

import json
import runpy

import pytest

from tests.boot import ROOT
from tests.faults.client import eventually, game_of_two, killed_and_back
from tests.faults.pages import Pages

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]


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
