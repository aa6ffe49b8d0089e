"""``./run bench``: measure and print; see bench/README.md.

./run bench [--least | --quick | --all] [--only SCENARIO ...] [--setup WORDS] [--runs N]
            [--json FILE] [--where DIRECTORY]
./run bench peers      the same duel on boardgame.io and Colyseus too; needs node and npm
./run bench crash      kill -9 under load: acknowledged actions must be stored
"""

import argparse
import contextlib
import gc
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import uvloop
from tqdm import tqdm

from bench import crash, machine, report
from bench.bare import MEETINGS, SIZES, Bare
from bench.baseline.stand import PlainStand
from bench.form import LEAST, QUICK, Form
from bench.form import USUAL as USUAL_FORM
from bench.peers.stand import PEERS, PeerStand, why_not
from bench.plan import LEAST_SETUPS, ONE_OF_EACH, PLAIN, SCENARIOS, SITE, Scenario
from bench.stand import PROGRAMS, Setup, Stand
from bench.stats import Figures, middle
from bench.template import POSTGRESQL, SQLITE, Template, workshop
from rpsite.env import ROOT
from tools import debian, postgres


class Bench:
    """Interleaved runs: every setup of a scenario in turn, repeated."""

    def __init__(self, form: Form, directory: Path, cluster: str | None, runs: int) -> None:
        self.form, self._directory, self._cluster = form, directory, cluster
        self._templates: dict[str, Template] = {}
        self.runs: dict[tuple[str, str], list[Figures]] = {}
        self.skipped: dict[str, str] = {}
        #: The runs and the time left, on a terminal.
        self.bar = tqdm(total=runs, unit=" runs", disable=None)

    def measure(self, scenario: Scenario, setups: list[Setup]) -> None:
        """Measure a scenario in each setup, several times, one after the other."""
        for number in range(self.form.runs):
            for setup in setups:
                if reason := self._reason_to_skip(scenario, setup):
                    self.skipped[f"{scenario.name}, {setup.label}"] = reason
                else:
                    self._say(f"{scenario.name} {number + 1}/{self.form.runs}: {setup.label}")
                    self._once(scenario, setup)
                self.bar.update()

    def _say(self, line: str) -> None:
        """Print a line above the bar."""
        self.bar.write(line)
        sys.stdout.flush()

    def _once(self, scenario: Scenario, setup: Setup) -> None:
        with self._stand(setup) as stand:
            figures = uvloop.run(scenario.run(stand, self.form))
            problems = stand.problems()
        gc.collect()
        self.runs.setdefault((scenario.name, setup.label), []).append(figures)
        short = {name: round(value, 2) for name, value in figures.items()}
        self._say(f"    {short}")
        for line in problems[:3]:
            self._say(f"    the server said: {line}")

    def _stand(self, setup: Setup) -> Stand | Bare:
        if setup.kind in SIZES or setup.kind in MEETINGS:
            return Bare(setup)
        if setup.kind in PEERS:
            return PeerStand(setup, self._directory, self.form.people)
        kind = Stand if setup.kind in PROGRAMS else PlainStand
        return kind(setup, self._template(setup.database))

    def _template(self, database: str) -> Template:
        if database not in self._templates:
            people = self.form.people
            self._say(f"preparing {database}: migrations, {people} users and sessions")
            directory = self._directory / f"template-{database}"
            self._templates[database] = Template(directory, database, self._cluster, people)
        return self._templates[database]

    def _reason_to_skip(self, scenario: Scenario, setup: Setup) -> str | None:
        if setup.kind in PEERS:
            return why_not()
        if setup.database == POSTGRESQL and self._cluster is None:
            return "PostgreSQL is not here"
        if setup.kind == SITE and scenario.game not in self._template(setup.database).games:
            return f"the site has no {scenario.game}"
        return None

    def print(self, facts: dict[str, str]) -> None:
        """Print ratios, figures, the machine and skipped setups."""
        middles = {key: middle(runs) for key, runs in self.runs.items()}
        print(f"\n# Goals\n{report.goals(middles)}\n")
        for scenario in SCENARIOS:
            if text := report.scenario(scenario.name, scenario.title, self.runs):
                print(text)
        print(report.machine(facts))
        for what, reason in self.skipped.items():
            print(f"skipped: {what}: {reason}")


def chosen(given: argparse.Namespace) -> Iterator[tuple[Scenario, list[Setup]]]:
    """Yield the scenarios and setups that the command line selects."""
    for scenario in SCENARIOS:
        if given.only and scenario.name not in given.only:
            continue
        setups = list(scenario.everything if given.all or given.only else scenario.usual)
        if given.what == "peers":
            if scenario.name != "duel":
                continue
            ours = () if given.least else (*ONE_OF_EACH, PLAIN)
            setups = [*ours, *(Setup(name) for name in PEERS)]
        elif given.least and not given.only:
            setups = list(LEAST_SETUPS.get(scenario.name, ()))
        elif given.quick and not given.only:
            setups = [setup for setup in setups if setup.database == SQLITE][:2] or setups
        if given.setup:
            setups = [s for s in setups if set(given.setup.split()) <= set(s.label.split())]
        if setups:
            yield scenario, setups


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="./run bench", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("all", "peers", "crash"), default="all")
    parser.add_argument("--least", action="store_true", help="seconds: whether the bench works")
    parser.add_argument("--quick", action="store_true", help="three minutes, one run of each")
    parser.add_argument("--all", action="store_true", help="the whole matrix")
    parser.add_argument("--only", nargs="+", choices=[s.name for s in SCENARIOS])
    parser.add_argument("--setup", help="words of a setup's name, such as 'uvicorn 2'")
    parser.add_argument("--runs", type=int)
    parser.add_argument(
        "--where", type=Path, default=ROOT / "var",
        help="the directory of the databases, by default on the checkout's disk, so that commits"
        " cost their real time; a directory in memory, such as /dev/shm, leaves out the disk",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, default=ROOT / "var" / "bench.json")
    return parser.parse_args(arguments)


@contextlib.contextmanager
def cluster(is_wanted: bool) -> Iterator[str | None]:
    """Run a durable PostgreSQL, if one is needed and available."""
    if not is_wanted:
        yield None
        return
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(postgres.running_cluster(durable=True))
        except debian.Missing as problem:
            print(problem)
            url = None
        yield url


def main(arguments: list[str]) -> int:
    """Measure the selected scenarios; return the exit code."""
    given = parse(arguments)
    form = LEAST if given.least else QUICK if given.quick else USUAL_FORM
    form = replace(form, runs=given.runs) if given.runs else form
    wanted = list(chosen(given))
    needs_cluster = any(setup.database == POSTGRESQL for _, setups in wanted for setup in setups)
    if given.what == "crash":
        needs_cluster = not given.least
    with workshop(given.where) as directory, cluster(needs_cluster) as url:
        if given.what == "crash":
            return crash.main(directory, url, form, is_least=given.least)
        facts = machine.describe()
        bench = Bench(form, directory, url, form.runs * sum(len(setups) for _, setups in wanted))
        for scenario, setups in wanted:
            bench.measure(scenario, setups)
        bench.bar.close()
    bench.print(facts)
    report.keep(given.json, facts, bench.runs, bench.skipped)
    print(f"run by run: {given.json}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
