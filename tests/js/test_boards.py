"""The modules of the boards pass their own tests, in Node."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def test_board_modules_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.lstrip("v").split(".")[0]) < 20:
        pytest.skip("needs node 20 or newer")
    suites = [str(path) for path in sorted(HERE.glob("*.test.mjs"))]
    command = [node, "--import", str(HERE / "hooks.mjs"), "--test", *suites]
    done = subprocess.run(
        command, capture_output=True, check=False, text=True, timeout=60, cwd=HERE.parents[1]
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
