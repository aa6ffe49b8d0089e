"""The long forms of the attacks: ``./run hostile``.

A site of one web process, an honest player who sits down and stands up, and beside them one attack
after the other from a process of its own.  Prints a table, such as those of bench/results/: the
memory of the web process, the waits of the honest player, what the attackers got.  Then it measures
whether response times tell what exists, whether a flood of wishes harms the arena and tables,
whether the traffic of a town's night tells who has a night action, and whether an odd text fails
anywhere; the exit code is 1 when one of them fails.
"""

import argparse
import asyncio
import contextlib
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tests.boot import POSTGRESQL, ROOT, SQLITE
from tests.faults.client import Client
from tests.faults.pages import Pages
from tests.faults.rig import Rig, Template, Web
from tests.hostile import arena_flood, traffic
from tests.hostile.arena_flood import play_honestly, share_of
from tests.platform.prepared import migrate_database, prepare
from tests.platform.site import environment
from tools import postgres

MIB = 2**20
SHARED = "shared@example.org"
#: Attack -> what it is, with its number in docs/reference/attacks.md.
ATTACKS = {
    "unread": "24 sockets ask by RPC and never read",
    "frames": "10 sockets send as fast as they can",
    "gigabyte": "4 sockets send a message without end (19)",
    "bodies": "200 MB posted, announced and not (66)",
    "log_ins": "12 at once log in by an address of 60 accounts (47)",
    "locked": "the database is locked, 12 at once log in",
    "pages": "100 at once load the leaderboard (92)",
    "many_pages": "400 at once load the leaderboard (92)",
    "forms": "100 at once follow somebody and stop (92)",
}
#: What is measured besides.
ANSWERS, ARENA, TRAFFIC, ODD = "answers", "arena", "traffic", "odd"
#: Odd texts for all addresses, forms and sockets (75).
ODD_TESTS = "tests/hostile/test_odd_text.py"
#: Seconds after which ended processes are gone.
FAREWELL = 3.0
#: Players who let their clocks run out beside the attacks.
CLOCKS = 20


@dataclass(frozen=True, slots=True)
class Figures:
    """Cost of an attack: answers to it, waits and ends of honest clients, bytes of more memory."""

    heard: dict[str, int]
    waits: list[float]
    closed: list[int]
    most: int
    left: int

    def row(self, title: str) -> str:
        late = [share_of(self.waits, share) for share in (0.5, 0.99, 1.0)]
        heard = [f"{what} {count:,}" for what, count in sorted(self.heard.items())]
        told = ", ".join([*heard, *(f"THE HONEST CLOSED {code}" for code in self.closed)]) or "-"
        memory = [f"{size / MIB:+.0f}" for size in (self.most, self.left)]
        return f"| {' | '.join([title, *memory, *(f'{wait:.0f}' for wait in late), told])} |"


async def beside(client: Client, web: Web, work: Callable[[], Any]) -> Figures:
    """Do something while somebody plays; return what it cost."""
    before, done = web.resident_bytes(), asyncio.Event()
    playing = asyncio.create_task(play_honestly(client, done))
    working, most = asyncio.create_task(asyncio.to_thread(work)), before
    while not working.done():
        most = max(most, web.resident_bytes())
        await asyncio.sleep(0.05)
    heard = await working
    done.set()
    waits, closed = await playing
    await asyncio.sleep(FAREWELL)
    return Figures(heard or {}, waits, closed, most - before, web.resident_bytes() - before)


def attack(rig: Rig, web: Web, name: str, seconds: float, word: str) -> dict[str, int]:
    words = [sys.executable, "-m", "tests.hostile.attacks", name, str(web.port), str(seconds), word]
    done = subprocess.run(
        words, cwd=ROOT, env=rig.environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def open_duel(web: Web, token: str) -> str:
    call = json.dumps({"jsonrpc": "2.0", "method": "open_duel", "id": 1}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"http://{web.address}/rpc/", call, headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return str(json.load(answer)["result"]["socket"])


async def measure(rig: Rig, web: Web, seconds: float, names: list[str]) -> bool:
    """Print the table of the attacks; whether nobody honest was closed meanwhile."""
    ann, bob = rig.hand("people", names=["ann", "bob"])
    (program,) = rig.hand("programs", names=["robot"])
    rig.hand("claim", address=SHARED, names=[f"claimant{n}" for n in range(60)])
    table = rig.hand("open_table", opener=bob["id"])
    words = {
        "unread": open_duel(web, program["token"]),
        "log_ins": SHARED,
        "locked": rig.database,
        "forms": ann["cookie"],
    }
    users = [each["id"] for each in rig.hand("people", names=[f"late{n}" for n in range(CLOCKS)])]
    for pair in zip(users[::2], users[1::2], strict=True):
        late = rig.hand("start_game", users=pair, round_clock=5, target=15)
        await Client(web, late["public_id"]).open()
    client = await Client(web, table["public_id"], ann["cookie"]).open()
    head = ("attack", "MiB more at most", "and afterwards", "median ms", "p99 ms", "most ms", "got")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    # Twice: what is made once is made before anything is measured.
    for _ in range(2):
        figures = await beside(client, web, lambda: time.sleep(min(seconds, 10)))
    print(figures.row("nothing: calm"), flush=True)
    closed = list(figures.closed)
    for name in names:
        # A lock is held for as long as pages wait.
        so_long = min(seconds, 8) if name == "locked" else seconds
        work = partial(attack, rig, web, name, so_long, words.get(name, "-"))
        figures = await beside(client, web, work)
        print(figures.row(ATTACKS[name]), flush=True)
        closed += figures.closed
    await client.leave()
    rig.prove()
    fired, in_time = (clocks_of(web, bound) for bound in ("+Inf", "0.5"))
    outages = rig.said().count("get their time back")
    print(f"\n{fired} clocks fired, {fired - in_time} later than 0.5 s; {outages} outages noted")
    if closed:
        said = [line for line in rig.said().splitlines() if "ws.close" in line or "ws.lost" in line]
        print("\nSomebody honest was closed; the site said:\n" + "\n".join(said))
    return not closed and not outages


def clocks_of(web: Web, bound: str) -> int:
    """Return how many clocks of matches fired at most this many seconds late."""
    with urllib.request.urlopen(f"http://{web.address}/metrics", timeout=20) as answer:
        said = answer.read().decode()
    found = re.search(rf'rr_deadline_late_seconds_bucket{{le="{re.escape(bound)}"}} (\d+)', said)
    return int(found[1]) if found else 0


@contextlib.contextmanager
def site(rig: Rig) -> Iterator[Rig]:
    """Run a rig that does not print, at its end, what its processes have said."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(rig)
        with contextlib.redirect_stdout(sys.__stdout__):
            try:
                yield rig
            except BaseException:
                print(rig.said()[-4000:])
                raise


@contextlib.contextmanager
def sites(server: str, database: str) -> Iterator[Callable[..., Rig]]:
    """Yield a function that starts sites on a server and a database, each in its own directory."""
    with contextlib.ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rps-hostile-")))
        if database == POSTGRESQL:
            os.environ["TEST_DATABASE_URL"] = stack.enter_context(postgres.running_cluster())
        prepared = directory / "prepared"
        prepared.mkdir()
        settings = {"DJANGO_SETTINGS_MODULE": "rpsite.settings.site"}
        prepare(environment(prepared, REDIS_URL="unix:///nowhere", **settings))
        migrated = migrate_database(prepared) if database == POSTGRESQL else None
        template = Template(prepared, migrated)

        def make(**more: str) -> Rig:
            var = Path(tempfile.mkdtemp(dir=directory))
            rig = Rig(var, template, DJANGO_SETTINGS_MODULE="tests.hostile.settings", **more)
            rig.server = server
            return rig

        yield make


SAMPLES = 60
PASSWORD = "a long password"
#: The first answers are not counted.
WARM = 5


def medians(rig: Rig, web: Web) -> bool:
    """Print how long answers take that must not tell what is there; whether they tell nothing."""
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

    def sent(
        browser: Pages, path: str, token: str, field: str, **more: str
    ) -> Callable[[str], int]:
        return lambda value: browser.post(path, {field: value, **more}, token)

    log_in = sent(guest, "/accounts/login/", token, "login", password="wrong")
    ask_reset = sent(guest, "/accounts/password/reset/", reset, "email")
    add = sent(stranger, "/accounts/email/", adding, "email", action_add="1")
    many = SAMPLES + WARM
    emails = ["carl@example.org"] * many, ["nobody@example.org"] * many
    of_owners = [f"{owner['name']}@example.org" for owner in owners]
    names = [hidden["public_id"]] * many, ["A" * len(hidden["public_id"])] * many
    head = ("must not differ", "status", "there: median ms", "not there", "may differ by")
    print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    alike = [
        are_alike("a hidden game and an invented one (9)", 5,
                  lambda name: stranger.get(f"/tables/{name}/")[0], *names),
        are_alike("an address that is added (46)", 20, add,
                  of_owners, [f"nobody{n}@example.org" for n in range(many)]),
        are_alike("a wrong log-in by name (47)", 20, log_in, ["carl"] * many, ["nobody"] * many),
        are_alike("a wrong log-in by address (47)", 20, log_in, *emails),
        are_alike("a reset asked for (47)", 20, ask_reset, *emails),
    ]  # fmt: skip
    return all(alike)


def are_alike(
    title: str, most_apart: float, ask: Callable[[str], int], there: list[str], absent: list[str]
) -> bool:
    """Ask what is there and what is not, in turn; print a row, and say whether both look alike."""
    taken: tuple[list[float], list[float]] = ([], [])
    statuses: tuple[set[int], set[int]] = (set(), set())
    for number, pair in enumerate(zip(there, absent, strict=True)):
        for side in (0, 1) if number % 2 else (1, 0):
            begun = time.perf_counter()
            statuses[side].add(ask(pair[side]))
            if number >= WARM:
                taken[side].append(1000 * (time.perf_counter() - begun))
    first, second = (statistics.median(each) for each in taken)
    told = ", ".join(map(str, sorted(statuses[0] | statuses[1])))
    print(f"| {title} | {told} | {first:.1f} | {second:.1f} | {most_apart:.0f} |", flush=True)
    return abs(first - second) <= most_apart and statuses[0] == statuses[1]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./run hostile", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each attack goes on")
    parser.add_argument("--towns", type=int, default=500, help="how many nights are listened to")
    parser.add_argument("--only", nargs="+", choices=[*ATTACKS, ANSWERS, ARENA, TRAFFIC, ODD])
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--database", choices=(SQLITE, POSTGRESQL), default=SQLITE)
    given = parser.parse_args(arguments)
    wanted = given.only or [*ATTACKS, ANSWERS, ARENA, TRAFFIC, ODD]
    attacks = [name for name in wanted if name in ATTACKS]
    is_well = True
    print(f"{given.server} on {given.database}\n", flush=True)
    with sites(given.server, given.database) as make:
        if attacks or ANSWERS in wanted:
            with site(make()) as rig:
                web = rig.web()
                if attacks:
                    is_well &= asyncio.run(measure(rig, web, given.seconds, attacks))
                if ANSWERS in wanted:
                    is_well &= medians(rig, web)
        if ARENA in wanted:
            with site(make(**arena_flood.LIMITS)) as rig:
                is_well &= asyncio.run(arena_flood.measure(rig, given.seconds))
        if TRAFFIC in wanted:
            with site(make(**traffic.LIMITS)) as rig:
                is_well &= traffic.measure(rig, given.towns)
        if ODD in wanted:
            # In their long form.
            options = ["-q", "--timeout=0", f"--database={given.database}", ODD_TESTS]
            command, environ = [sys.executable, "-m", "pytest", *options], {"SUITE": "long"}
            is_well &= not subprocess.call(command, cwd=ROOT, env=os.environ | environ)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
