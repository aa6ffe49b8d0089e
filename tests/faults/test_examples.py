import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.boot import PATIENCE, ROOT
from tests.faults.client import eventually
from tests.faults.rig import Rig, Web

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]


Started = tuple["subprocess.Popen[str]", Path]
Start = Callable[..., Started]


@pytest.fixture
def start(rig: Rig) -> Iterator[Start]:
    """Start an example with a user's token, which is killed afterwards; return it and its file."""
    programs: list[subprocess.Popen[str]] = []

    def make(web: Web, example: str, program: dict[str, Any], *more: str) -> Started:
        said = rig.var / f"{program['name']}.txt"
        script = ROOT / "examples" / f"{example}_client.py"
        words = ["-u", str(script), f"http://{web.address}", program["token"], *more]
        with said.open("w") as file:
            given: Any = {"stdout": file, "stderr": subprocess.STDOUT, "text": True}
            programs.append(subprocess.Popen([sys.executable, *words], **given))
        return programs[-1], said

    yield make
    for each in programs:
        each.kill()
        each.wait()


def end(program: "subprocess.Popen[str]", said: Path) -> str:
    assert program.wait(5 * PATIENCE) == 0, said.read_text()[-2000:]
    return said.read_text()


@pytest.mark.parametrize("game", ["agora", "dynamite"])
def test_examples_play_a_mafia_game_with_each_other(rig: Rig, start: Start, game: str) -> None:
    web = rig.web()
    programs = rig.hand("programs", names=[f"player{number}" for number in range(5)])
    table = runpy.run_path(str(ROOT / "examples" / "table.py"))
    public_id = table["open_match"](
        f"http://{web.address}", programs[0]["token"], game, seats=5, phase_seconds=60
    )
    started = [start(web, game, program, public_id) for program in programs]
    told = [end(*each) for each in started]
    assert any("vote: ok" in each for each in told)
    assert {each.splitlines()[-1].split()[0] for each in told} == {"over"}
    rig.prove()


async def test_example_plays_showdown_though_the_process_is_killed(rig: Rig, start: Start) -> None:
    web = rig.web()
    program, said = start(web, "showdown", *rig.hand("programs", names=["ann"]))
    await eventually(lambda: "attack: ok" in said.read_text() or program.poll() is not None)
    assert program.poll() is None, said.read_text()[-2000:]
    web.kill()
    rig.web(web.port)
    told = end(program, said)
    assert told.splitlines()[-1].startswith("over ")
    rig.prove()


def test_example_fights_in_the_arena(rig: Rig, start: Start) -> None:
    told = end(*start(rig.web(), "arena", *rig.hand("programs", names=["ann"]), "3"))
    assert told.count("round ") >= 3
    assert sum(fight["how"] == "chosen" for fight in rig.hand("arena_fights")) >= 3
