from datetime import timedelta
from functools import partial

import pytest

from tests import moved_clock
from tests.boot import PATIENCE
from tests.faults.client import eventually
from tests.faults.rig import Process, Rig

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

DAY = 86_400
SEED = "04" * 32
#: Three quiet nights and days end a game as a draw, and each death makes it shorter.
MOST_PHASES = 40


def beat(rig: Rig) -> Process:
    return rig.celery("beat", "--pidfile=")


def worker(rig: Rig) -> Process:
    return rig.celery("worker", "-c", "2", "--without-mingle", "--without-gossip")


def kill(processes: list[Process]) -> None:
    while processes:
        processes.pop().kill()


@pytest.mark.timeout(600)
async def test_a_town_of_days_is_played_to_its_end_by_celery_alone(make_rig, tmp_path) -> None:
    clock = tmp_path / "clock"
    with make_rig(**{moved_clock.VARIABLE: str(clock)}) as rig:
        people = rig.people(7)
        users = [one["id"] for one in people]
        town = rig.hand("start_town", users=users, phase_seconds=DAY, seed=SEED)
        state = partial(rig.hand, "match", match=town)
        movers, ended = [*(beat(rig) for _ in range(3)), worker(rig)], 0
        for turn in range(MOST_PHASES):
            rig.hand("act_by_chance", match=town, seed=f"phase {state()['phase']}")
            now = state()
            if now["status"] != "running":
                break
            if turn == 1:
                movers.pop(0).kill()
                movers.pop(0).kill()
            if turn == 2:
                kill(movers)
            moved_clock.move(clock, timedelta(seconds=now["due_in"] + 1))
            if turn == 2:
                movers = [rig.web()]
            await eventually(lambda: state()["phase"] != now["phase"], 2 * PATIENCE)  # noqa: B023
            ended += 1
            if turn == 2:
                movers.pop().end()
                movers = [beat(rig), worker(rig)]
        assert state()["status"] == "over"
        # A day may end by a majority, everything else by the clock: each once, by one entry.
        assert rig.hand("house_actions", match=town).count("deadline") == ended
        assert ended >= 3
        rig.prove_calm()
