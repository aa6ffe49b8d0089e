import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from bench.children import Hand
from tests.boot import PATIENCE, ROOT
from tests.faults.rig import Rig

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]
#: The load looks for processes by their names.
IS_FORKING = False

#: Each game once, and one or two of everybody else.
FEW = ("--matches", "4", "--arena", "2", "--lurkers", "4", "--spectators", "2", "--guests", "1")
GAMES = {"duel", "showdown", "agora", "dynamite", "arena"}


@pytest.fixture
def seeds(rig: Rig) -> Iterator[list[Hand]]:
    """Processes beside the site: the bench's, which reads what is stored, and the load's."""
    modules = ("bench.seed", "bench.load.seed")
    hands = [Hand(rig.var / f"{module}.log", rig.environment, module) for module in modules]
    yield hands
    for hand in hands:
        hand.close()


def load(rig: Rig, *words: str, **more: str) -> "subprocess.Popen[str]":
    command, environment = [sys.executable, "-m", "bench.load", *words], rig.environment | more
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)


def test_load_plays_all_games_through_a_restart_and_loses_nothing(rig: Rig, seeds: Any) -> None:
    web = rig.web()
    figures = rig.var / "figures.json"
    words = (*FEW, "--think", "0.1", "--enough", "10", "--seconds", "600", "--json", str(figures))
    running = load(rig, f"http://{web.address}", *words)
    try:
        until = time.monotonic() + PATIENCE
        while not seeds[0]("stored_ids", prefix="load-"):
            assert running.poll() is None, running.communicate()
            assert time.monotonic() < until
            time.sleep(0.05)
        web.end()
        second = rig.web(web.port)
        said, problems = running.communicate(timeout=5 * PATIENCE)
    finally:
        running.kill()
    assert running.returncode == 0, problems
    found = json.loads(figures.read_text())["mixed"]
    assert {kind.partition(" ")[0] for kind in found["kinds"]} >= GAMES | {"practice", "GET"}
    assert found["lost"] == found["counts"]["numbers"]["unanswered"] == 0
    assert found["counts"]["reconnects"]["4412"] > 0
    assert found["metrics"][str(second.pid)]["rr_answer_seconds_count"] > 0
    assert f"web {second.pid}" in said
    rig.prove()


def test_load_counts_an_acknowledged_action_that_is_in_no_journal(rig: Rig, seeds: Any) -> None:
    seed, load_seed = seeds
    table = rig.hand("start_game", users=[who["id"] for who in rig.people(2)])
    stored = seed("stored_ids", prefix="")
    acked = {table["public_id"]: [*stored, "load-0-00000001"], "absent": ["load-0-00000002"]}
    assert stored
    assert load_seed("lost", acked=acked) == 2


def test_load_copies_towns_that_replay_to_what_is_stored(rig: Rig, seeds: Any) -> None:
    _, load_seed = seeds
    users = [account["id"] for account in load_seed("people", count=7, programs=1)]
    load_seed("towns", count=3, users=users)
    assert rig.hand("command", words=["replay_match"])
    rig.prove()


def test_load_refuses_a_site_with_another_database(rig: Rig) -> None:
    web = rig.web()
    running = load(rig, f"http://{web.address}", SECRET_KEY="another secret of the shell")
    said, problems = running.communicate(timeout=PATIENCE)
    assert (running.returncode, said) == (2, "")
    assert "does not know the accounts" in problems
    assert len(problems.splitlines()) == 1


def test_web_process_may_open_as_many_sockets_as_the_system_allows(rig: Rig) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
        web = rig.web()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert resource.prlimit(web.pid, resource.RLIMIT_NOFILE) == (hard, hard)
