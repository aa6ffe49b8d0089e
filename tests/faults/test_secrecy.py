"""S1: two real games that differ in one planted mine look the same to all but its owner."""

import asyncio
import json
import re
from collections.abc import Iterable
from functools import partial

import pytest

from tests.faults.client import Client, eventually, leave_all
from tests.faults.pages import Pages
from tests.faults.rig import Rig, Web

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

SEED = "5a" * 32
#: What differs in any two runs: instants, and what a page draws at random.
RANDOM = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "INSTANT"),
    (re.compile(r'nonce="[^"]+"'), "NONCE"),
    (re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"'), "TOKEN"),
    (re.compile(r"client-\d{8}"), "ID"),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "ORIGIN"),
    # A commitment binds the public id.
    (re.compile(r'("commitment": ?")[0-9a-f]{64}'), r"\1COMMITMENT"),
    # The front page lays a practice table for every guest.
    (re.compile(r"practice-[\w-]{12}"), "PRACTICE"),
)


def evened(text: str, table: dict[str, str]) -> str:
    text = text.replace(table["public_id"], "PUBLIC-ID")
    for pattern, word in RANDOM:
        text = pattern.sub(word, text)
    return text


class Watchers:
    def __init__(self, web: Web, table: dict[str, str], cookies: dict[str, str | None]) -> None:
        self.web, self.table, self.cookies = web, table, cookies
        of_table = partial(Client, web, table["public_id"])
        self.clients = {name: of_table(cookie) for name, cookie in cookies.items()}
        self.pages: dict[str, list[str]] = {name: [] for name in cookies}

    async def look(self) -> None:
        path = f"/tables/{self.table['public_id']}/"
        for name, cookie in self.cookies.items():
            for page in (path, f"{path}log.json", "/tables/", "/"):
                status, body = await asyncio.to_thread(Pages(self.web.address, cookie).get, page)
                assert status == 200, (name, page)
                self.pages[name].append(body)

    def received(self) -> dict[str, list[str]]:
        return {
            name: [evened(text, self.table) for text in [*client.texts, *self.pages[name]]]
            for name, client in self.clients.items()
        }


async def play(rig: Rig, *, is_mined: bool) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Play a round and the beginning of the next, with or without a mine; return what was sent."""
    people = rig.hand("people", names=["ann", "bob", "cleo", "watcher"])
    ann, bob, cleo, watcher = people
    rig.hand("buy", user=ann["id"], unit="LANDMINE", quantity=1)
    users = [ann["id"], bob["id"], cleo["id"]]
    table = rig.hand("start_game", users=users, seed=SEED, round_clock=120)
    web = rig.web()
    owner = await Client(web, table["public_id"], ann["cookie"]).open()
    cookies = {who["name"]: who["cookie"] for who in (bob, cleo, watcher)} | {"guest": None}
    watchers = Watchers(web, table, cookies)
    for client in watchers.clients.values():
        await client.open()
        await settled([client], 0.5)
    if is_mined:
        assert (await owner.act(kind="mine", target=1))["type"] == "ack"
    # The pages show who is present as of the last heartbeat.
    everybody = {"seats": [0, 1, 2], "watching": 2}
    await eventually(lambda: rig.hand("present", match=table["pk"]) == everybody)
    await watchers.look()
    await choose(owner, watchers, attack="paper", defend="rock")
    await watchers.look()
    owner_has = json.dumps(owner.view["game"]["you"]["mines"])
    await leave_all((owner, *watchers.clients.values()))
    rig.prove_calm()
    return watchers.received(), {"mines": owner_has, **table}


async def settled(clients: Iterable[Client], seconds: float) -> None:
    """Wait until no view comes any more: presence is told in bursts."""
    known, now = -1, 0
    while known != now:
        known = now
        await asyncio.sleep(seconds)
        now = sum(len(client.texts) for client in clients)


async def choose(owner: Client, watchers: Watchers, *, attack: str, defend: str) -> None:
    """All choose and lock: seat 0 beats both others, who tie."""
    for target in (1, 2):
        assert (await owner.act(kind="attack", weapon=attack, target=target))["type"] == "ack"
    await watchers.look()
    for name, others in (("bob", (0, 2)), ("cleo", (0, 1))):
        for target in others:
            answer = await watchers.clients[name].act(kind="attack", weapon=defend, target=target)
            assert answer["type"] == "ack"
    for client in (owner, watchers.clients["bob"], watchers.clients["cleo"]):
        assert (await client.act(kind="lock"))["type"] == "ack"
        phase = client.view["phase"]
        for other in watchers.clients.values():
            await other.until_view(lambda view, phase=phase: view["phase"] >= phase)
    for client in watchers.clients.values():
        await client.until_view(lambda view: view["game"]["round"] == 2)
    await settled(list(watchers.clients.values()), 0.5)


async def test_secrecy_planted_mine_changes_no_byte_for_anybody_else(template, tmp_path) -> None:
    sent = []
    for is_mined in (False, True):
        directory = tmp_path / str(int(is_mined))
        directory.mkdir()
        with Rig(directory, template, is_forking=True) as rig:
            sent.append(await play(rig, is_mined=is_mined))
    (without, owner_without), (with_mine, owner_with) = sent
    assert (owner_without["mines"], owner_with["mines"]) == ("{}", '{"1": 1}')
    for name in without:
        assert len(without[name]) > 10
        assert without[name] == with_mine[name], name
