import asyncio
import itertools
import time
from collections.abc import Iterator

import pytest

from tests.faults.client import Client, leave_all, open_all
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow]

FRAMES = form(2_000, in_long=10_000)
SOCKETS = 20
GROWTH = 20 * 2**20
ID = '"id":"malformed-frame"'


def act(phase: object, action: str) -> str:
    return f'{{{ID},"type":"act","phase":{phase},"action":{action}}}'


#: Kind of nonsense -> the frame and the code of its answer; tests/hostile/test_frames.py has more.
NONSENSE: dict[str, tuple[str | bytes, str]] = {
    "not json": ("not json", "bad_json"),
    "deep object": ('{"a":' * 1600, "bad_json"),
    "deep action": (act(0, f'{{"kind":"sit","x":{"[" * 99}{"]" * 99}}}'), "bad_field"),
    "infinite": (f'{{{ID},"type":"act","phase":1e400,"action":{{}}}}', "bad_json"),
    "long number": (f'{{{ID},"type":"act","phase":{"9" * 5000},"action":{{}}}}', "bad_json"),
    "surrogate key": (f'{{{ID},"type":"say","room":"table","\\ud800":"x"}}', "bad_field"),
    "binary": (b"\x00\xff\x00\xff", "bad_json"),
    "binary json": (b'{"type":"seen","revision":1}', "bad_json"),
    "no type": (f"{{{ID}}}", "bad_envelope"),
    "unknown type": (f'{{{ID},"type":"__class__"}}', "bad_type"),
    "no id": ('{"type":"command","text":"!sit"}', "bad_envelope"),
    "repeated type": (f'{{{ID},"type":"act","type":"say"}}', "bad_type"),
    "long text": (f'{{{ID},"type":"command","text":"{"x" * 201}"}}', "too_big"),
    "kind of a map": (f'{{{ID},"type":"act","phase":0,"action":{{"kind":{{}}}}}}', "bad_field"),
    "action of an unknown kind": (act(0, '{"kind":"__init__"}'), "bad_field"),
    "seat of a truth": (act(0, '{"kind":"sit","seat":true,"purse":5}'), "bad_field"),
}


async def send_nonsense(client: Client, share: Iterator[str], wrong: list[str]) -> None:
    for name in share:
        frame, code = NONSENSE[name]
        known = len(client.frames)
        await client.line.send(frame)
        errors = await client.until(
            lambda known=known: [f for f in client.frames[known:] if f["type"] == "error"]
        )
        if errors[0]["code"] != code:
            wrong.append(f"{name}: {errors[0]['code']}, not {code}")
        client.frames.clear()
        client.texts.clear()


async def play_honestly(client: Client, done: asyncio.Event) -> list[float]:
    taken = []
    while not done.is_set():
        for action in ({"kind": "sit", "seat": 0, "purse": 5}, {"kind": "stand"}):
            begun = time.monotonic()
            assert (await client.act(**action))["type"] == "ack"
            taken.append(time.monotonic() - begun)
            await asyncio.sleep(0.02)
    return taken


async def test_fault_malformed_frames_get_their_code_and_leave_the_process_as_it_was(make_rig):
    limits = {"BAD_FRAMES": "1000000", "SOCKET_RATE": "10000", "SOCKET_BURST": "10000"}
    with make_rig(**limits, SOCKETS_PER_USER="40") as rig:
        ann, bob = rig.hand("people", names=["ann", "bob"])
        table = rig.hand("open_table", opener=ann["id"])
        web = rig.web()
        honest = await Client(web, table["public_id"], ann["cookie"]).open()
        clients = [Client(web, table["public_id"], bob["cookie"]) for _ in range(SOCKETS)]
        await open_all(clients)
        shares = [*itertools.islice(itertools.cycle(NONSENSE), FRAMES)]
        # What is made once is made before the memory is measured.
        wrong: list[str] = []
        await send_nonsense(clients[0], iter(NONSENSE), wrong)
        before, begun, done = web.resident_bytes(), time.monotonic(), asyncio.Event()
        playing = asyncio.create_task(play_honestly(honest, done))
        parts = [(client, iter(shares[n::SOCKETS])) for n, client in enumerate(clients)]
        await asyncio.gather(*(send_nonsense(*part, wrong) for part in parts))
        done.set()
        taken = sorted(await playing)
        growth = web.resident_bytes() - before
        lasted, late = time.monotonic() - begun, taken[int(len(taken) * 0.99)]
        print(
            f"{FRAMES} frames in {lasted:.1f} s, {growth / 2**20:+.1f} MB;"
            f" honest p99 {late * 1000:.0f} ms of {len(taken)}"
        )
        assert sorted(set(wrong)) == []
        assert growth < GROWTH
        assert late < lasted / 2, "nobody else could play meanwhile"
        assert all(client.code is None for client in clients)
        assert {*rig.hand("action_ids", match=table["pk"])} <= set(honest.acks)
        await leave_all((honest, *clients))
        rig.prove_calm()
