"""Replays of matches that went through a substitute, an outage and a killed process."""

import json
import runpy
from typing import Any

import pytest

from tests.boot import ROOT
from tests.faults.client import Client, eventually, game_of_two, killed_and_back
from tests.faults.conftest import MakeRig
from tests.faults.pages import Pages
from tests.faults.rig import Rig

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]


def call_off(rig: Rig, public_id: str) -> None:
    """End a match; its replay is there from then on."""
    rig.manage("void_match", public_id, "--reason", "the end of a test")


def moments(pages: Pages, public_id: str, eyes: str) -> list[dict[str, Any]]:
    first, found = 0, []
    while first is not None:
        status, body = pages.get(f"/matches/{public_id}/replay.json?from={first}&as={eyes}")
        assert status == 200
        page = json.loads(body)
        found += page["views"]
        first = page["next"]
    return found


async def test_fault_replay_shows_both_players_of_a_seat_after_the_process_was_killed(
    rig: Rig,
) -> None:
    names = ["ann", "bob", "cyd", "dan", "eve", "new"]
    people = rig.hand("people", names=names)
    ids = [person["id"] for person in people]
    town = rig.hand("offer_seat", users=ids[:5], idle=ids[2])
    one = rig.web()
    newcomer = Client(one, town["public_id"], people[5]["cookie"])
    await newcomer.open()
    frame_id = await newcomer.send(kind="take_over", seat=2)
    assert (await newcomer.answer(frame_id))["type"] == "ack"
    mine = await newcomer.until_view(lambda view: view["you"]["seat"] == 2)
    one.kill()
    other = rig.web()
    pages = Pages(other.address, people[0]["cookie"])
    address = f"/matches/{town['public_id']}/replay.json"
    assert pages.get(address)[0] == 404
    call_off(rig, town["public_id"])

    seen = moments(pages, town["public_id"], "2")
    holders = [moment["view"]["seats"][2]["player"]["name"] for moment in seen]
    assert set(holders) == {"cyd", "new"}
    assert holders == sorted(holders), "the first player of the seat stands before the second"
    taken = seen[holders.index("new")]["view"]
    assert taken["seats"][2]["replaced"] == ["cyd"]
    assert taken["you"]["name"] == "new"
    assert taken["game"]["you"]["role"] == mine["game"]["you"]["role"]
    assert seen[-1]["view"]["match"]["status"] == "void"
    rig.prove_calm()


async def test_fault_replay_goes_through_an_outage_in_mid_round(rig: Rig) -> None:
    table, clients = await game_of_two(rig, rig.web(), round_clock=30, target=3)
    one, two = clients
    assert (await one.act(kind="attack", weapon="paper", target=1))["type"] == "ack"
    assert (await two.act(kind="attack", weapon="rock", target=0))["type"] == "ack"
    again = await killed_and_back(rig, clients)
    assert (await one.act(kind="attack", weapon="scissors", target=1))["type"] == "ack"
    pages = Pages(again.address)
    assert pages.get(f"/matches/{table['public_id']}/replay.json")[0] == 404
    call_off(rig, table["public_id"])

    attacks = {eyes: _attacks(moments(pages, table["public_id"], eyes)) for eyes in ("0", "1")}
    assert attacks["0"][-2:] == [{"1": "paper"}, {"1": "scissors"}]
    assert attacks["1"][-1] == {"0": "rock"}
    last = moments(pages, table["public_id"], "all")[-1]["view"]
    assert last["match"]["status"] == "void"
    rig.prove_calm()


async def test_fault_game_is_dealt_after_its_seed_is_logged_though_the_process_was_killed(
    make_rig: MakeRig,
) -> None:
    with make_rig(FAULTS_DEAL_AFTER_LOG="1") as rig:
        table, clients = await game_of_two(rig, rig.web(), stage="open")
        one, two = clients
        assert (await two.act(kind="ready", configuration=1))["type"] == "ack"
        again = await killed_and_back(rig, clients)
        await one.until_view(lambda view: view["match"]["status"] == "running")
        call_off(rig, table["public_id"])
        pages, address = Pages(again.address), f"/matches/{table['public_id']}/proof.json"
        # There once the log has the end, which the process writes.
        await eventually(lambda: pages.get(address)[0] == 200)
        verifier = runpy.run_path(str(ROOT / "static/proof/verify.py"))
        said = list(verifier["verify"](json.loads(pages.get(address)[1])))
        assert len(said) == len(verifier["CHECKS"])
        rig.prove_calm()


def _attacks(seen: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return a seat's attacks, as they changed while the round ran."""
    found: list[dict[str, str]] = []
    for moment in seen:
        own = moment["view"]["game"]["you"]
        if own["attacks"] and found[-1:] != [own["attacks"]]:
            found.append(own["attacks"])
    return found
