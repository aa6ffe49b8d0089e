"""The long forms of the attacks: ``./run hostile [--seconds N] [--only ATTACK]``.

A site of one web process on SQLite, somebody honest who sits down and stands up, and beside them
one attack after the other from a process of its own.  Prints a table for docs/reliability.md:
what the web process held more at most, how long the honest waited, what the attackers got.  Then
how long answers take that must not tell what is there; the exit code is 1 when they do.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.boot import ROOT
from tests.faults.client import Client
from tests.faults.pages import Pages
from tests.faults.rig import Rig, Template, Web
from tests.platform.prepared import prepare
from tests.platform.site import environment

MIB = 2**20
SHARED = "shared@example.org"
#: Attack -> what it is, in the words of docs/security.md.
ATTACKS = {
    "unread": "24 sockets ask by RPC and never read",
    "frames": "10 sockets send as fast as they can",
    "gigabyte": "4 sockets send a message without end (19)",
    "bodies": "200 MB posted, announced and not (66)",
    "log_ins": "12 at once log in by an address of 60 accounts (47)",
    "locked": "the database is locked, 12 at once log in",
}
SAMPLES = 60
#: Seconds after which whoever was ended is gone.
FAREWELL = 3.0
PASSWORD = "a long password"
#: The first answers are not counted.
WARM = 5


async def play_honestly(client: Client, done: asyncio.Event) -> list[float]:
    """Sit down and stand up; return how many seconds each answer took."""
    taken = []
    while not done.is_set():
        for action in ({"kind": "sit", "seat": 0, "purse": 5}, {"kind": "stand"}):
            begun = time.monotonic()
            answer = await client.act(**action)
            if answer["type"] == "ack":
                taken.append(time.monotonic() - begun)
            await asyncio.sleep(0.08)
    return taken


async def watch_memory(web: Web, done: asyncio.Event) -> int:
    """Return the most bytes that the web process held."""
    most = 0
    while not done.is_set():
        most = max(most, web.resident_bytes())
        await asyncio.sleep(0.05)
    return most


@dataclass(frozen=True, slots=True)
class Figures:
    """What an attack cost: answers to it, seconds that the honest waited, bytes held more."""

    heard: dict[str, int]
    waits: list[float]
    most: int
    left: int

    def row(self, title: str) -> str:
        """Return a row of the table."""
        waits = sorted(self.waits)
        late = [1000 * waits[int((len(waits) - 1) * share)] for share in (0.5, 0.99, 1.0)]
        told = ", ".join(f"{what} {count:,}" for what, count in sorted(self.heard.items())) or "-"
        memory = [f"{size / MIB:+.0f}" for size in (self.most, self.left)]
        return f"| {' | '.join([title, *memory, *(f'{wait:.0f}' for wait in late), told])} |"


async def beside(client: Client, web: Web, work: Callable[[], Any]) -> Figures:
    """Do something while somebody plays; return what it cost."""
    before, done = web.resident_bytes(), asyncio.Event()
    playing = asyncio.create_task(play_honestly(client, done))
    watching = asyncio.create_task(watch_memory(web, done))
    heard = await asyncio.to_thread(work)
    done.set()
    waits, most = await playing, await watching
    await asyncio.sleep(FAREWELL)
    return Figures(heard or {}, waits, most - before, web.resident_bytes() - before)


def attack(rig: Rig, web: Web, name: str, seconds: float, word: str) -> dict[str, int]:
    """Let an attack happen and return what the attackers heard."""
    words = [sys.executable, "-m", "tests.hostile.attacks", name, str(web.port), str(seconds), word]
    done = subprocess.run(
        words, cwd=ROOT, env=rig.environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def open_duel(web: Web, token: str) -> str:
    """Open a duel by RPC and return the address of its socket."""
    call = {"jsonrpc": "2.0", "method": "open_duel", "id": 1}
    request = urllib.request.Request(
        f"http://{web.address}/rpc/",
        json.dumps(call).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        result = json.load(answer)["result"]
    return str(result["socket"])


async def measure(rig: Rig, seconds: float, only: list[str]) -> None:
    """Print the table of the attacks."""
    ann, bob = rig.hand("people", names=["ann", "bob"])
    (program,) = rig.hand("programs", names=["robot"])
    rig.hand("claim", address=SHARED, names=[f"claimant{n}" for n in range(60)])
    table = rig.hand("open_table", opener=bob["id"])
    web = rig.web()
    words = {
        "unread": open_duel(web, program["token"]),
        "log_ins": SHARED,
        "locked": str(rig.var / "site.sqlite3"),
    }
    client = await Client(web, table["public_id"], ann["cookie"]).open()
    head = ("attack", "MiB more at most", "and afterwards", "median ms", "p99 ms", "most ms", "got")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    # Twice: what is made once is made before anything is measured.
    for title in (None, "nothing: calm"):
        figures = await beside(client, web, lambda: time.sleep(min(seconds, 10)))
        if title:
            print(figures.row(title), flush=True)
    for name in only or ATTACKS:
        work = attack_of(rig, web, name, seconds, words.get(name, "-"))
        print((await beside(client, web, work)).row(ATTACKS[name]), flush=True)
    await client.leave()
    rig.prove()


def attack_of(rig: Rig, web: Web, name: str, seconds: float, word: str) -> Callable[[], Any]:
    """Return the attack as something to be done; a lock is held for as long as pages wait."""
    return lambda: attack(rig, web, name, min(seconds, 8) if name == "locked" else seconds, word)


def medians(rig: Rig) -> bool:
    """Print how long answers take that must not tell what is there; whether they tell nothing."""
    web = next(process for process in rig.processes if isinstance(process, Web))
    carl, dora, eve = rig.hand("people", names=["carl", "dora", "eve"], password=PASSWORD)
    owners = rig.hand("people", names=[f"owner{n}" for n in range(SAMPLES + WARM)])
    for user in (carl, *owners):
        rig.hand("confirm", user=user["id"])
    hidden = rig.hand("start_game", users=[carl["id"], dora["id"]], listed=False, spectators=False)
    guest, stranger = Pages(web.address), Pages(web.address)
    token, reset = guest.token("/accounts/login/"), guest.token("/accounts/password/reset/")
    form = {"login": eve["name"], "password": PASSWORD}
    stranger.post("/accounts/login/", form, stranger.token("/accounts/login/"))
    adding = stranger.token("/accounts/email/")

    def log_in(login: str) -> int:
        return guest.post("/accounts/login/", {"login": login, "password": "wrong"}, token)

    def ask_reset(address: str) -> int:
        return guest.post("/accounts/password/reset/", {"email": address}, reset)

    def add(address: str) -> int:
        return stranger.post("/accounts/email/", {"action_add": "1", "email": address}, adding)

    def look(name: str) -> int:
        return stranger.get(f"/tables/{name}/")[0]

    many = SAMPLES + WARM
    known, unknown = ["carl@example.org"] * many, ["nobody@example.org"] * many
    found = [
        Answers("a hidden game and an invented one (9)", 5, look,
                [hidden["public_id"]] * many, ["A" * len(hidden["public_id"])] * many),
        Answers("an address that is added (46)", 20, add,
                [f"{owner['name']}@example.org" for owner in owners],
                [f"nobody{n}@example.org" for n in range(many)]),
        Answers("a wrong log-in by name (47)", 20, log_in, ["carl"] * many, ["nobody"] * many),
        Answers("a wrong log-in by address (47)", 20, log_in, known, unknown),
        Answers("a reset asked for (47)", 20, ask_reset, known, unknown),
    ]  # fmt: skip
    head = ("must not differ", "status", "there: median ms", "not there", "may differ by")
    print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    alike = [answers.are_alike() for answers in found]
    return all(alike)


@dataclass(frozen=True, slots=True)
class Answers:
    """One question, asked of what is there and of what is not, in turn."""

    title: str
    most_apart: float
    ask: Callable[[str], int]
    there: list[str]
    absent: list[str]

    def are_alike(self) -> bool:
        """Ask, print a row, and say whether the answers tell nothing."""
        taken: tuple[list[float], list[float]] = ([], [])
        statuses: tuple[set[int], set[int]] = (set(), set())
        for number, pair in enumerate(zip(self.there, self.absent, strict=True)):
            for side in (0, 1) if number % 2 else (1, 0):
                begun = time.perf_counter()
                statuses[side].add(self.ask(pair[side]))
                if number >= WARM:
                    taken[side].append(1000 * (time.perf_counter() - begun))
        first, second = (statistics.median(each) for each in taken)
        told = ", ".join(map(str, sorted(statuses[0] | statuses[1])))
        print(
            f"| {self.title} | {told} | {first:.1f} | {second:.1f} | {self.most_apart:.0f} |",
            flush=True,
        )
        return abs(first - second) <= self.most_apart and statuses[0] == statuses[1]


@contextlib.contextmanager
def rig_without_its_logs(rig: Rig) -> Iterator[None]:
    """Run a rig that does not print, at its end, what its processes have said."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(rig)
        with contextlib.redirect_stdout(sys.__stdout__):
            try:
                yield
            except BaseException:
                print(rig.said()[-4000:])
                raise


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run hostile", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each attack goes on")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), default=[])
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="rps-hostile-") as directory:
        prepared, var = Path(directory, "prepared"), Path(directory, "var")
        prepared.mkdir()
        var.mkdir()
        settings = {"DJANGO_SETTINGS_MODULE": "rpsite.settings.site"}
        prepare(environment(prepared, REDIS_URL="unix:///nowhere", **settings))
        more = {"DJANGO_SETTINGS_MODULE": "tests.hostile.settings"}
        rig = Rig(var, Template(prepared, "sqlite"), **more)
        with rig_without_its_logs(rig):
            asyncio.run(measure(rig, given.seconds, given.only))
            is_well = bool(given.only) or medians(rig)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
