"""Every command of ``./run`` runs once, in its shortest form.  Source: the file ``run``."""

import importlib.util
import json
import re
import runpy
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from bench.peers.stand import PEERS
from tests.boot import PATIENCE, ROOT
from tests.faults.cluster import Cluster
from tests.faults.test_load import FEW
from tests.platform.prepared import copy_all
from tests.platform.site import Site, environment, wait_until_gone
from tools import check, nginx, postgres, reference, sbom

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

RUN = str(ROOT / "run")
#: What a copy of the checkout does not need.
LEFT_OUT = (".*", "node_modules", "var")


class Place(NamedTuple):
    """A directory for what commands write, and a migrated database."""

    var: Path
    prepared: Path

    def run(self, *words: str, root: Path = ROOT) -> str:
        """Run a command, which must end well; return what it said."""
        done = subprocess.run(
            [str(root / "run"), *words], cwd=self.var, env=environment(self.var),
            capture_output=True, text=True, timeout=10 * PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def run_in_copy(self, word: str, *files: Path) -> tuple[str, list[Path]]:
        """Run a command in a copy of the checkout whose files are stale; return what it writes."""
        copy = self.var / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        (copy / ".venv").symlink_to(ROOT / ".venv")
        copies = [copy / file.relative_to(ROOT) for file in files]
        for each in copies:
            each.write_text("stale")
        return self.run(word, root=copy), copies

    @contextmanager
    def site(self) -> Iterator[Site]:
        with SiteOfRun(copy_all(self.prepared, self.var)) as site:
            pids = site.wait_until_complete()
            yield site
            assert site.end() == 0
            assert wait_until_gone(pids) == []
            assert site.lines[-1].endswith("stopped")


class SiteOfRun(Site):
    words = (RUN, "site")


class ClusterOfRun(Cluster):
    words = (RUN, "cluster")


@pytest.fixture
def place(tmp_path_factory, prepared):
    # A short name: the path of a socket has at most 107 characters.
    return Place(tmp_path_factory.mktemp("run"), prepared)


COMMANDS = runpy.run_path(RUN)["COMMANDS"]
#: The words after ./run, or those of two commands -> what shows that they work.
CASES: dict[str, Callable[[Place], None]] = {}


def case(words: str) -> Callable[[Callable[[Place], None]], None]:
    return lambda shown: CASES.update({words: shown})


@case("site + load")
def load_plays_on_a_running_site(place: Place) -> None:
    figures = place.var / "figures.json"
    with place.site() as site:
        pace = ("--think", "0.5", "--enough", "1", "--seconds", "60", "--json", str(figures))
        assert site.get("/healthz") == (200, b"ok")
        said = place.run("load", site.url, *FEW, *pace)
    found = json.loads(figures.read_text())["mixed"]
    assert "# mixed" in said
    assert found["lost"] == found["counts"]["numbers"]["unanswered"] == 0
    assert {kind.partition(" ")[0] for kind in found["kinds"]} >= {"duel", "showdown", "agora"}


@case("cluster")
def cluster_deploys_and_goes_back(place: Place) -> None:
    if postgres.find_programs() is None or nginx.find_program() is None:
        pytest.skip("needs nginx and PostgreSQL: ./run test --all")
    with ClusterOfRun(place.var, environment(place.var), web=1, drain=1) as cluster:
        before = cluster.ports()
        for word, after in (("deploy", [before[0] + 100]), ("back", before)):
            told = cluster.tell(word, side_by_side=0.2)
            said, _ = told.communicate(timeout=5 * PATIENCE)
            assert told.returncode == 0, said
            assert cluster.ports() == after
    assert cluster.process.returncode == 0


@case("bench")
def bench_measures_site_and_baseline(place: Place) -> None:
    figures = place.var / "figures.json"
    said = place.run("bench", "--least", "--json", str(figures), "--where", str(place.var))
    measured = re.findall(r"^(\w+) 1/1: (.+)$", said, re.MULTILINE)
    assert measured == [
        ("duel", "site sqlite daphne 1"),
        ("duel", "unstored sqlite uvicorn 1"),
        ("duel", "baseline sqlite daphne 1"),
        ("arena", "1,000 players"),
    ]
    assert_measured(figures, len(measured))
    assert "the server said" not in said


@case("bench peers")
def bench_measures_other_servers(place: Place) -> None:
    figures = place.var / "figures.json"
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("needs node and npm")
    options = ("--json", str(figures), "--where", str(place.var))
    said = place.run("bench", "peers", "--least", *options)
    if "npm could not install them" in said:
        pytest.skip("npm could not install the other servers")
    assert re.findall(r"^duel 1/1: (.+)$", said, re.MULTILINE) == list(PEERS)
    assert_measured(figures, len(PEERS))


def assert_measured(figures: Path, count: int) -> None:
    found = json.loads(figures.read_text())
    assert (found["skipped"], len(found["runs"])) == ({}, count)
    for each in found["runs"]:
        (run,) = each["runs"]
        assert run.get("rate", 1) > 0
        assert run.get("lost", 0) == run.get("refused", 0) == 0


@case("bench crash")
def bench_kills_and_loses_nothing(place: Place) -> None:
    said = place.run("bench", "crash", "--least", "--where", str(place.var))
    (line,) = said.splitlines()
    found = re.match(r"sqlite, duel: (\d+) acknowledged, 0 of them lost; .* 0 broken", line)
    assert found is not None, said
    assert int(found[1]) > 0
    assert line.endswith("ledger and replay hold")


@case("docs")
def docs_writes_the_reference(place: Place) -> None:
    said, pages = place.run_in_copy("docs", *reference.pages())
    assert said.split() == [str(page.relative_to(ROOT)) for page in reference.pages()]
    assert "stale" not in [page.read_text() for page in pages]


@case("sbom")
def sbom_lists_the_parts(place: Place) -> None:
    said, (file, page) = place.run_in_copy("sbom", sbom.BOM, sbom.PAGE)
    parts = json.loads(file.read_text())["components"]
    names = {part["name"] for part in parts}
    assert f"{len(parts)} parts in" in said
    assert {"Django", "uvicorn"} <= names
    assert "pytest" not in names
    assert all(f"| {name} |" in page.read_text() for name in names)


@case("hostile")
def hostile_attacks_beside_the_honest(place: Place) -> None:
    said = place.run("hostile", "--only", "frames", "--seconds", "0.3")
    (row,) = [line for line in said.splitlines() if line.startswith("| 10 sockets send")]
    sent = re.search(r"frames ([\d,]+)", row)
    assert sent is not None, said
    assert int(sent[1].replace(",", "")) > 0
    assert "THE HONEST CLOSED" not in said


@case("check")
def check_runs_a_step_and_each_is_a_command(place: Place) -> None:
    assert place.run("check", "--only", "settings").splitlines()[-1] == "all checks passed"
    for _, *words in check.steps().values():
        if words[0] == "-m":
            assert importlib.util.find_spec(words[1]) is not None, words
        else:
            assert (ROOT / words[0]).is_file(), words


@case("test")
def suite_runs_what_is_named(place: Place) -> None:
    said = place.run("test", "tests/bench/test_stats.py")
    passed = re.fullmatch(r"(\d+) passed, 0 failed, 0 skipped", said.splitlines()[-1])
    assert passed is not None, said
    assert int(passed[1]) > 0


@case("manage")
def manage_runs_a_command(place: Place) -> None:
    found = json.loads(place.run("manage", "referee", "duel", "--random", "3"))
    assert (found["game"], found["games"], found["violations"]) == ("duel", 3, [])


@case("manage doctor + site")
def doctor_finds_a_running_site_well(place: Place) -> None:
    with place.site():
        found = json.loads(place.run("manage", "doctor", "--json"))
    verdicts = {each["topic"]: each["verdict"] for each in found}
    assert "broken" not in verdicts.values()
    assert verdicts["database"] == verdicts["redis"] == verdicts["clock"] == "well"


SHOWN = {words.split()[0] for key in CASES for words in key.split(" + ")}


@pytest.mark.parametrize("words", [*CASES, *sorted(COMMANDS.keys() - SHOWN)])
def test_command_of_run_works_in_its_shortest_form(words: str, place: Place) -> None:
    assert words in CASES, "a new command needs a case here"
    CASES[words](place)
