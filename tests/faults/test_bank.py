import json
import random
import signal
import time

import pytest

from tests.boot import PATIENCE
from tests.faults.client import eventually
from tests.faults.rig import Process, Rig, start_command
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

ACCOUNTS, GRANT = 20, 100
WRITERS, READERS = 8, 2
#: It goes on for so long at least, and until there is enough to look at, however slow it is.
SECONDS = form(2.0, in_long=60.0)
#: The nemesis rests so long, and a stopped writer stays stopped for as long.
REST, STANDSTILL = form((1.5, 0.5), in_long=(6.0, 4.0))
LEAST_TRANSFERS = form(2_000, in_long=100_000)
LEAST_READS = form(60, in_long=500)
LEAST_KILLS = form(3, in_long=5)


class Bank:
    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.ids = [str(who["id"]) for who in rig.people(ACCOUNTS)]
        self.started = 0
        self.writers = [self.start("write") for _ in range(WRITERS)]
        self.readers = [self.start("read") for _ in range(READERS)]

    def start(self, task: str) -> Process:
        self.started += 1
        name = f"{task}-{self.started}"
        log = self.rig.var / f"bank-{name}.log"
        command = ("-m", "tests.faults.bank", task, name, *self.ids)
        client = Process(log, start_command(log, self.rig.environment, *command, is_forking=True))
        self.rig.processes.append(client)
        return client

    def reads(self) -> list[dict[str, int]]:
        """Return all whole reads so far; a reader may be in the middle of a line."""
        lines = [line for reader in self.readers for line in reader.log.read_text().splitlines()]
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    def end(self) -> None:
        for client in (*self.writers, *self.readers):
            client.send(signal.SIGCONT)
            client.kill()


def torment(bank: Bank, seconds: float) -> tuple[int, int]:
    chance = random.Random(2)
    kills = stops = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until or not is_enough(bank, kills):
        time.sleep(REST)
        number = chance.randrange(WRITERS)
        bank.writers[number].kill()
        bank.writers[number] = bank.start("write")
        kills += 1
        stopped = bank.writers[(number + 1) % WRITERS]
        stopped.send(signal.SIGSTOP)
        time.sleep(STANDSTILL)
        stopped.send(signal.SIGCONT)
        stops += 1
    return kills, stops


def is_enough(bank: Bank, kills: int) -> bool:
    reads = bank.reads()
    made = max((read["transfers"] for read in reads), default=0)
    return kills >= LEAST_KILLS and made >= LEAST_TRANSFERS and len(reads) >= LEAST_READS


@pytest.mark.both_databases
async def test_fault_bank_is_right_in_every_whole_read(make_rig) -> None:
    with make_rig() as rig:
        bank = Bank(rig)
        await eventually(lambda: any(read["transfers"] for read in bank.reads()), 2 * PATIENCE)
        kills, stops = torment(bank, SECONDS)
        alive = [writer.is_alive for writer in bank.writers]
        bank.end()
        reads = bank.reads()
        made = max(read["transfers"] for read in reads)
        print(f"{made} transfers, {len(reads)} reads, {kills} killed, {stops} stopped")
        assert {read["total"] for read in reads} == {ACCOUNTS * GRANT}
        assert {read["accounts"] for read in reads} == {ACCOUNTS}
        for mistake in ("wrong", "negative", "torn", "doubled"):
            assert {read[mistake] for read in reads} == {0}, mistake
        assert all(alive), "a writer gave up by itself"
        rig.manage("audit_ledger", "--whole")
        assert rig.alarms() == []
