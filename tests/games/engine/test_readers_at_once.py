"""Threads that need the same kinds for the first time at once do not end the process."""

import subprocess
import sys

from rpsite.env import ROOT

PROGRAM = """
import sys, threading
import msgspec
from games.engine.structs import Reader, canonical

sys.setswitchinterval(1e-6)
for number in range(200):
    leaf = msgspec.defstruct(f"Leaf{number}", [(f"a{n}", int) for n in range(30)], frozen=True)
    kind = msgspec.defstruct(f"Kind{number}", [(f"b{n}", leaf) for n in range(30)], frozen=True)
    value = {f"b{n}": {f"a{m}": m for m in range(30)} for n in range(30)}
    text, together, read = canonical(value), threading.Barrier(4), []

    def work():
        together.wait()
        reader = Reader(kind)
        read.append(canonical(reader.stored(text)) == canonical(reader.made_of(value)) == text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == [True] * 4, number
"""


def test_kinds_that_threads_need_at_once_are_found_out_one_after_the_other() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
