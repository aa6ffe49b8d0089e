"""The long forms of the attacks: ``./run hostile [--seconds N] [--only ATTACK]``.

A site of one web process on SQLite, somebody honest who sits down and stands up, and beside them
one attack after the other from a process of its own.  Prints a table for docs/reliability.md:
what the web process held more at most, how long the honest waited, what the attackers got.  Then
how long answers take that must not tell what is there.
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


async def beside(client: Client, web: Web, work: Callable[[], Any]) -> tuple[Any, list[float], int]:
    """Do something while somebody plays; return its result, the waits, the growth in bytes."""
    before, done = web.resident_bytes(), asyncio.Event()
    playing = asyncio.create_task(play_honestly(client, done))
    watching = asyncio.create_task(watch_memory(web, done))
    result = await asyncio.to_thread(work)
    done.set()
    return result, await playing, await watching - before


def attack(rig: Rig, web: Web, name: str, seconds: float, word: str) -> dict[str, int]:
    """Let an attack happen and return what the attackers heard."""
    words = [sys.executable, "-m", "tests.hostile.attacks", name, str(web.port), str(seconds), word]
    done = subprocess.run(
        words, cwd=ROOT, env=rig.environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def row(title: str, heard: dict[str, int], waits: list[float], growth: int) -> str:
    """Return a row of the table."""
    waits = sorted(waits)
    late = [1000 * waits[int((len(waits) - 1) * share)] for share in (0.5, 0.99, 1.0)]
    told = ", ".join(f"{what} {count:,}" for what, count in sorted(heard.items())) or "-"
    cells = [title, f"{growth / MIB:+.0f}", *(f"{wait:.0f}" for wait in late), told]
    return f"| {' | '.join(cells)} |"


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
    print("| attack | MiB more at most | median ms | p99 ms | most ms | what attackers got |")
    print("|---|---|---|---|---|---|", flush=True)
    # Twice: what is made once is made before anything is measured.
    for title in (None, "nothing: calm"):
        _, waits, growth = await beside(client, web, lambda: time.sleep(min(seconds, 10)))
        if title:
            print(row(title, {}, waits, growth), flush=True)
    for name in only or ATTACKS:
        work = attack_of(rig, web, name, seconds, words.get(name, "-"))
        heard, waits, growth = await beside(client, web, work)
        print(row(ATTACKS[name], heard, waits, growth), flush=True)
        await asyncio.sleep(2)
    await client.leave()
    rig.prove()


def attack_of(rig: Rig, web: Web, name: str, seconds: float, word: str) -> Callable[[], Any]:
    """Return the attack as something to be done; a lock is held for as long as pages wait."""
    return lambda: attack(rig, web, name, min(seconds, 8) if name == "locked" else seconds, word)


def medians(rig: Rig) -> None:
    """Print how long answers take that must not tell what is there."""
    web = next(process for process in rig.processes if isinstance(process, Web))
    people = rig.hand("people", names=["carl", "dora", "eve"])
    carl, dora, eve = people
    rig.hand("confirm", user=carl["id"])
    hidden = rig.hand("start_game", users=[carl["id"], dora["id"]], listed=False, spectators=False)
    pages = Pages(web.address)
    token, reset = pages.token("/accounts/login/"), pages.token("/accounts/password/reset/")
    stranger = Pages(web.address, eve["cookie"])

    def log_in(login: str) -> None:
        pages.post("/accounts/login/", {"login": login, "password": "wrong"}, token)

    def ask_reset(address: str) -> None:
        pages.post("/accounts/password/reset/", {"email": address}, reset)

    print("\n| answers that must not differ | there: median ms | not there: median ms |")
    print("|---|---|---|")
    known, unknown = "carl@example.org", "nobody@example.org"
    for title, ask, there, absent in (
        ("a hidden game and an invented one (9)", lambda name: stranger.get(f"/tables/{name}/"),
         hidden["public_id"], "A" * len(hidden["public_id"])),
        ("a wrong log-in by name (47)", log_in, "carl", "nobody-here"),
        ("a wrong log-in by address (47)", log_in, known, unknown),
        ("a reset asked for (47)", ask_reset, known, unknown),
    ):  # fmt: skip
        first, second = middle(ask, there, absent)
        print(f"| {title} | {first:.1f} | {second:.1f} |", flush=True)


def middle(ask: Callable[[str], Any], there: str, absent: str) -> tuple[float, float]:
    """Return the medians of both in milliseconds, asked in turn."""
    taken: dict[str, list[float]] = {there: [], absent: []}
    for number in range(SAMPLES + 5):
        for word in (there, absent) if number % 2 else (absent, there):
            begun = time.perf_counter()
            ask(word)
            if number >= 5:
                taken[word].append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken[there]), statistics.median(taken[absent])


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
            if not given.only:
                medians(rig)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
