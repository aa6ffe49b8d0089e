"""One run: accounts, the processes that play, looks at the site meanwhile, and the sum."""

import resource
import secrets
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
from tqdm import tqdm

from bench.children import Hand, die_with_bench
from bench.load.asking import fetch
from bench.load.client import Place
from bench.load.counts import Counts
from bench.load.crowd import Share
from bench.load.plan import Plan, shares
from bench.load.watch import Watch, scrape
from rpsite.env import ROOT

#: Seconds between looks at the processes, until the pace is even, and for an answer of the site.
LOOK, WARM = 1.0, 5.0
#: Seconds before a Train, in which the tables are measured without it.
BEFORE: Final = 60.0
#: What is no count in /metrics, so that its last value is kept.
SOCKETS: Final = "rr_sockets"
#: Open files of a process besides its sockets.
OTHER_FILES: Final = 200


class NotPossible(Exception):
    """The load cannot run; with one sentence."""


@dataclass(slots=True)
class Run:
    """The result of a run; ``metrics`` has the change of /metrics for each web process."""

    plan: Plan
    seconds: float
    counts: Counts
    watch: Watch
    lost: int = 0
    metrics: dict[int, dict[str, float]] = field(default_factory=dict)
    busy: float = 0.0
    #: Of a Train: the stations as ``bench.load.seed.course`` tells them.
    stations: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether every action got an answer, and every acknowledged one is stored."""
        return not (self.lost or self.counts.numbers["unanswered"])


def drive(plan: Plan, places: Sequence[Place], environment: Mapping[str, str], log: Path) -> Run:
    """Run the load against a site.

    Args:
        environment: the variables with which the site's own commands run.
        log: the file for what the load's processes say.

    Raises:
        NotPossible: the site does not answer, or is not the one of this environment.
    """
    for place in places:
        _require_answer(place)
    with _hand(log, environment) as hand:
        accounts = _accounts(hand, plan)
        try:
            _require_same_site(places[0], accounts)
            run = f"load-{secrets.token_hex(3)}-"
            parts = list(shares(plan, places, accounts, run))
            return _measure(plan, parts, hand, environment, log)
        finally:
            users = [each["id"] for each in accounts]
            hand("leave", users=users, cookies=[each["cookie"] for each in accounts])


def raise_limit(files: int) -> None:
    """Allow this process and its children this number of open files.

    Raises:
        NotPossible: the system does not.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < files:
        raise NotPossible(
            f"The load needs {files} open files in a process, and this shell allows {hard}:"
            " use ulimit -n, or more --generators."
        )
    if soft != resource.RLIM_INFINITY and soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@contextmanager
def _hand(log: Path, environment: Mapping[str, str]) -> Iterator[Hand]:
    hand = Hand(log, environment, "bench.load.seed")
    try:
        yield hand
    finally:
        hand.close()


def _require_answer(place: Place) -> None:
    try:
        answer = fetch(place.host, place.port, "/healthz", {"Host": place.name})
    except (OSError, ValueError) as problem:
        raise NotPossible(f"No site answers at http://{place.name}/: {problem}.") from None
    if answer.status >= 400:
        raise NotPossible(f"http://{place.name}/healthz answers {answer.status}: no site is there.")


def _accounts(hand: Hand, plan: Plan) -> list[dict[str, Any]]:
    try:
        found: list[dict[str, Any]] = hand("people", count=plan.accounts, programs=plan.players)
    except RuntimeError as problem:
        # The last line of a traceback is the sentence.
        sentence = str(problem).strip().rpartition("\n")[2]
        raise NotPossible(f"The site's database cannot be used: {sentence}") from None
    return found


def _require_same_site(place: Place, accounts: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a site with another database: it does not know the accounts."""
    if not accounts:
        return
    headers = {"Host": place.name, "Cookie": accounts[0]["cookie"]}
    if fetch(place.host, place.port, "/wallet/", headers).status != 200:
        raise NotPossible(
            f"The site at http://{place.name}/ does not know the accounts of this database: set"
            " DATABASE_URL, SITE_VAR and SECRET_KEY as for the site."
        )


def _measure(
    plan: Plan, parts: Sequence[Share], hand: Hand, environment: Mapping[str, str], log: Path
) -> Run:
    watch, token = Watch(), environment.get("METRICS_TOKEN", "")
    crowds = [_Crowd(part, log, environment) for part in parts]
    try:
        for crowd in crowds:
            crowd.expect("ready")
        time.sleep(WARM)
        pids = hand("web_pids")
        before = {pid: scrape(pid, token) for pid in pids}
        watch.look(pids, is_first=True)
        begun, train = time.perf_counter(), {"event": 0, "at": "inf"}
        if plan.train:
            riders = [person.id for part in parts for person in part.riders]
            train = hand("train", users=riders, seconds=BEFORE)
        for crowd in crowds:
            crowd.say(f"count {train['at']}")

        def is_over() -> bool:
            return bool(plan.train) and not hand("is_live", event=train["event"])

        pids = _look_on(plan.seconds, crowds, lambda: hand("web_pids"), watch, is_over)
        taken = time.perf_counter() - begun
        after = {pid: scrape(pid, token) for pid in pids}
        for crowd in crowds:
            crowd.say("end")
        found = [crowd.result() for crowd in crowds]
    finally:
        for crowd in crowds:
            crowd.kill()
    run = Run(plan, taken, Counts.sum(found), watch)
    run.stations = hand("course", event=train["event"]) if plan.train else []
    run.lost = hand("lost", acked=run.counts.acked)
    run.busy = max(part["numbers"]["busy ms"] for part in found) / 1000 / taken
    for pid, samples in after.items():
        if samples:
            earlier = before.get(pid, {})
            change = {name: value - earlier.get(name, 0.0) for name, value in samples.items()}
            run.metrics[pid] = change | {SOCKETS: samples.get(SOCKETS, 0.0)}
    return run


def _look_on(
    seconds: float,
    crowds: Sequence["_Crowd"],
    web_pids: Callable[[], list[int]],
    watch: Watch,
    is_over: Callable[[], bool],
) -> list[int]:
    """Look at the processes until the time is over, all have enough, a Train has ended, or an
    interrupt comes.
    """
    until, pids = time.perf_counter() + seconds, web_pids()
    with tqdm(total=round(seconds), unit=" s", desc="load", disable=None, leave=False) as bar:
        try:
            while (left := until - time.perf_counter()) > 0:
                if all(crowd.has_enough() for crowd in crowds) or is_over():
                    break
                time.sleep(min(LOOK, left))
                bar.update()
                pids = web_pids()
                watch.look(pids)
        except KeyboardInterrupt:
            bar.write("The load ends early; the last answers are awaited.")
    return pids


class _Crowd:
    """A process that plays; see ``bench.load.crowd``."""

    def __init__(self, share: Share, log: Path, environment: Mapping[str, str]) -> None:
        self._log, self._has_enough = log, False
        with log.open("ab") as file:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bench.load.crowd"],
                cwd=ROOT,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                bufsize=0,
                preexec_fn=die_with_bench,  # noqa: PLW1509
            )
        self.say(msgspec.json.encode(share).decode())

    def say(self, line: str) -> None:
        """Write a line to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def expect(self, word: str) -> None:
        """Wait for a line."""
        if self._line().strip() != word:
            said = self._log.read_text(errors="replace").strip().rpartition("\n")[2]
            raise NotPossible(f"A process of the load has ended: {said or 'it says nothing'}.")

    def has_enough(self) -> bool:
        """Whether it has said that each game has had enough answers."""
        assert self._process.stdout is not None
        if not self._has_enough and select.select([self._process.stdout], [], [], 0)[0]:
            self.expect("enough")
            self._has_enough = True
        return self._has_enough

    def result(self) -> dict[str, Any]:
        """Wait for its counts."""
        line = self._line()
        found: dict[str, Any] = msgspec.json.decode(self._line() if line == "enough\n" else line)
        return found

    def kill(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode()
