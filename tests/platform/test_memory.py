import os
import sys

import pytest

from tests.platform import forks

#: Twelve threads that stay, as those of pages do, hash three passwords each; prints what is kept.
HASHING = """
import os, threading
from pathlib import Path
from argon2.low_level import Type, hash_secret
from rpsite.processes.limits import give_back_large_blocks

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def work():
    for _ in range(3):
        hash_secret(b"word", b"saltsalt", 2, 19456, 1, 32, Type.ID)
        together.wait()
    done.wait()

give_back_large_blocks()
done, together = threading.Event(), threading.Barrier(13)
before = held()
threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads:
    thread.start()
for _ in range(3):
    together.wait()
print(held() - before)
done.set()
"""
ONE_HASH = 19 * 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and is about glibc")
def test_memory_of_hashes_goes_back_to_the_system():
    assert int(forks.plain("-c", HASHING, env=os.environ).stdout) < 2 * ONE_HASH
