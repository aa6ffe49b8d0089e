import asyncio
import random
import signal
import time
from datetime import datetime
from functools import partial
from statistics import median
from typing import Any

import pytest

from tests.faults.client import Client, leave_all, open_all
from tests.faults.rig import Rig
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

CLOCK = 6
TABLES = 25


async def race(seats: list[Client], chance: random.Random, early: float) -> dict[str, Any]:
    """Start a game, and let whose turn it is call in the very moment in which the clock passes."""
    assert (await seats[-1].act(kind="ready", configuration=1))["type"] == "ack"
    for seat in seats:
        await seat.until_view(lambda view: view["match"]["status"] == "running")
    turn = seats[seats[0].view["game"]["turn"]]
    frame_id = turn.prepare(kind="call")
    due_at = datetime.fromisoformat(turn.view["due_at"]).timestamp()
    # On a slow machine the clock may have passed by now, and wins this race.
    await asyncio.sleep(due_at + chance.uniform(-early, early / 10) - time.time())
    await turn.send_again()
    return await turn.answer(frame_id)


@pytest.mark.both_databases
@pytest.mark.timeout(3600)  # a thousand races take ten minutes and more
async def test_fault_deadline_and_action_at_once_have_one_effect_in_two_processes(make_rig) -> None:
    chance = random.Random(20)
    limits = {"SOCKET_RATE": "1000", "SOCKET_BURST": "1000", "SOCKETS_PER_ADDRESS": "500"}
    with make_rig(**limits) as rig:
        webs = rig.webs()
        fates: list[str] = []
        early, waves = 0.3, form(25, in_long=1000) // TABLES
        for wave in range(waves + 4):
            if wave >= waves:
                if len(set(fates)) == 2:
                    break
                early *= 3  # They were not close, on this machine.
            names = [f"player{wave:03}{n:03}" for n in range(4 * TABLES)]
            people = rig.hand("people", names=names)
            fates += await one_wave(rig, webs, people, partial(race, chance=chance, early=early))
        print({fate: fates.count(fate) for fate in set(fates)})
        assert set(fates) == {"called", "folded"}, "the races were not close"
        rig.prove_calm()


async def one_wave(rig: Rig, webs: list[Any], people: list[dict[str, Any]], race: Any) -> list[str]:
    tables, groups, options = [], [], {"stage": "open", "betting_clock": CLOCK}
    for first in range(0, len(people), 4):
        four = [*enumerate(people[first : first + 4])]
        table = rig.hand("start_game", users=[who["id"] for _, who in four], **options)
        tables.append(table["pk"])
        groups.append([Client(webs[n % 2], table["public_id"], who["cookie"]) for n, who in four])
    everybody = [client for group in groups for client in group]
    await open_all(everybody)
    answers = await asyncio.gather(*(race(group) for group in groups))
    fates = []
    for pk, answer in zip(tables, answers, strict=True):
        (fate,) = await asyncio.to_thread(rig.hand, "fate", match=pk)
        assert (fate == "called") == (answer["type"] == "ack"), (fate, answer)
        assert answer.get("code", "stale") == "stale"
        fates.append(fate)
    for pk, group in zip(tables, groups, strict=True):
        # Everybody at the table, in either process, has seen the one effect.
        phase = rig.hand("match", match=pk)["phase"]
        for client in group:
            await client.until_view(lambda view, phase=phase: view["phase"] >= phase)
    await leave_all(everybody)
    return fates


async def time_across(one: Client, other: Client, rounds: int) -> list[float]:
    """Sit down and stand up in one process; return when the other has seen it."""
    taken = []
    for number in range(rounds):
        begun = time.monotonic()
        action = {"kind": "stand"} if number % 2 else {"kind": "sit", "seat": 0, "purse": 5}
        assert (await one.act(**action))["type"] == "ack"
        await other.until_view(
            lambda view, number=number: (view["seats"][0]["player"] is None) == bool(number % 2)
        )
        taken.append(time.monotonic() - begun)
    return sorted(taken)


async def test_fault_view_reaches_the_other_process_soon_with_the_bus_and_without(rig: Rig) -> None:
    ann, bob = rig.hand("people", names=["ann", "bob"])
    table = rig.hand("open_table", opener=ann["id"])
    webs = rig.webs()
    one = await Client(webs[0], table["public_id"], ann["cookie"]).open()
    other = await Client(webs[1], table["public_id"], bob["cookie"]).open()
    await time_across(one, other, 2)
    with_bus = await time_across(one, other, 10)
    rig.valkey.send(signal.SIGSTOP)
    without = await time_across(one, other, 4)
    rig.valkey.send(signal.SIGCONT)
    print(f"with the bus {with_bus[-1] * 1000:.0f} ms at most, without {without[-1]:.2f} s")
    # Without the bus a view may wait for the comparison every 1.5 s, with it almost never.
    assert median(with_bus) < without[-1] / 2
    await leave_all([one, other])
    rig.prove_calm()


@pytest.mark.both_databases
async def test_fault_sixty_four_threads_that_sweep_fire_each_phase_once(rig: Rig) -> None:
    hands = [rig.another_hand() for _ in range(3)]
    rig.another_hand()("be_web")
    phases = 0
    for wave in range(form(1, in_long=80)):
        people = rig.hand("people", names=[f"player{wave:03}{n:03}" for n in range(3 * TABLES)])
        users = [who["id"] for who in people]
        tables = [
            rig.hand("start_game", users=users[n : n + 3], stage="betting", ago=21)["pk"]
            for n in range(0, len(users), 3)
        ]
        # A heartbeat that is late on a busy machine lets nobody fire for the moment.
        for _ in range(5):
            # They wait for each other; who comes late, comes late.
            sweep = partial(asyncio.to_thread, at=time.time() + 0.3)
            each = zip(hands, (22, 21, 21), strict=True)
            errors = [sweep(hand, "sweep_together", threads=number) for hand, number in each]
            assert await asyncio.gather(*errors) == [[], [], []]
            facts = [rig.hand("facts", match=pk) for pk in tables]
            if all("folded" in some for some in facts):
                break
        assert [some.count("folded") for some in facts] == [1] * TABLES
        fired = [rig.hand("house_actions", match=pk).count("deadline") for pk in tables]
        assert fired == [1] * TABLES
        phases += len(tables)
    print(f"{phases} phases fired once each by 64 threads in 3 processes")
    rig.prove_calm()
