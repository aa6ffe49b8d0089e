"""The pages say what is there: links, paths, commands, variables, sections, the worked example."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

from games.kernel.choices import clean_options
from games.kernel.contract import Outcome, Result
from games.kernel.errors import IllegalAction
from games.kernel.facts import SPECTATOR, Instant, Points, SeatNo, SeatSetup, Viewer
from games.kernel.referee import answer_lines
from games.kernel.structs import Reader, canonical
from games.kernel.table import RUNNING, Table

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
#: Rule books name the texts they come from and the pages of games that are not there yet.
SPEAKING = [page for page in PAGES if page.parent.name != "rules"]
#: Made by running the site, or named as a thing of the future.
NOT_KEPT = ("var/", ".venv", "games/<slug>/rules/")
#: What a checkout can do without; the page says so itself.
OPTIONAL = {"docs/pictures/table.png"}

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)")
QUOTED = re.compile(r"`([^`\n]+)`")
CODE_PATH = re.compile(r"^[\w./*-]+/[\w./*-]*$|^[\w-]+\.(?:py|md|txt|toml)$")
ENVIRONMENT = re.compile(r"env(?:\.\w+)?\(\s*\"([A-Z][A-Z_]+)\"")

names = [page.relative_to(ROOT).as_posix() for page in PAGES]


@cache
def known_tops() -> frozenset[str]:
    """Return the names of the repository's directories, by which a quoted path is told."""
    return frozenset(path.name for path in ROOT.iterdir() if path.is_dir())


def quoted_paths(page: Path) -> list[str]:
    """Return what a page quotes as a path of the repository."""
    found = (quoted.strip() for quoted in QUOTED.findall(page.read_text()))
    return [
        path
        for path in found
        if CODE_PATH.match(path)
        and ("/" not in path or path.split("/")[0] in known_tops())
        and not path.startswith(NOT_KEPT)
    ]


def is_there(path: str) -> bool:
    """Whether a quoted path, which may hold a star, names something."""
    found = list(ROOT.glob(path.rstrip("/"))) if "*" in path else [ROOT / path]
    return any(each.exists() for each in found)


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_docs_links_lead_somewhere(page: Path) -> None:
    targets = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    missing = [
        target
        for target in targets
        if target not in OPTIONAL and not (page.parent / target).exists()
    ]
    assert not missing


@pytest.mark.parametrize("page", SPEAKING, ids=[p.relative_to(ROOT).as_posix() for p in SPEAKING])
def test_docs_name_existing_paths(page: Path) -> None:
    missing = [path for path in quoted_paths(page) if not is_there(path) and path not in OPTIONAL]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_docs_stay_inside_the_repository(page: Path) -> None:
    assert not re.search(r"(?<![\w.])/(?:work|home|root)/|\.\./shared", page.read_text())


def test_docs_name_existing_commands() -> None:
    wanted = {
        name
        for page in SPEAKING
        for name in re.findall(r"(?:\./run manage|manage\.py) ([a-z]\w+)", page.read_text())
    }
    assert {"up", "web", "referee", "audit_ledger"} <= wanted
    assert wanted - set(get_commands()) == set()
    run = (ROOT / "run").read_text()
    for page in SPEAKING:
        for name in re.findall(r"\./run ([a-z]+)", page.read_text()):
            assert f'"{name}":' in run, f"{page.name}: ./run {name}"


def test_docs_name_every_environment_variable() -> None:
    sources = [ROOT / "rpsite/env.py", *(ROOT / "rpsite/settings").glob("*.py")]
    read = {name for path in sources for name in ENVIRONMENT.findall(path.read_text())}
    told = set(re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs/operations.md").read_text()))
    assert {"DATABASE_URL", "PUBLIC_URL"} <= read
    assert read - told == set()


def test_docs_sections_that_code_quotes_are_there() -> None:
    """A ``Source: docs/page.md "Section"`` leads to a heading of that page, or to a decision."""
    cited = re.compile(r'docs/(?:(decisions)(?:/\w*)?|([a-z-]+\.md)),? "([^"\n]+)"')
    decisions = "\n".join(page.read_text() for page in (ROOT / "docs/decisions").glob("*.md"))
    lost = []
    for top in ("accounts", "economy", "games", "rpsite"):
        for path in (ROOT / top).rglob("*.py"):
            for decision, page, section in cited.findall(path.read_text()):
                text = decisions if decision else (ROOT / "docs" / page).read_text()
                if not re.search(rf"^#+ (?:\d+\. )?{re.escape(section)}\b", text, re.MULTILINE):
                    lost.append(f"{path.relative_to(ROOT)}: {section}")
    assert not lost


def test_docs_promises_that_code_quotes_are_there() -> None:
    told = (ROOT / "docs/durability.md").read_text()
    quoted = {
        promise
        for top in ("accounts", "economy", "games", "rpsite")
        for path in (ROOT / top).rglob("*.py")
        for line in re.findall(r"docs/durability\.md ([^.\n]*)", path.read_text())
        for promise in re.findall(r"[A-Z]+\d+", line)
    }
    assert "G3" in quoted
    assert [promise for promise in sorted(quoted) if f"| **{promise}**" not in told] == []


# The worked example --------------------------------------------------------------------------


@cache
def example() -> Any:
    """Return the game that docs/adding-a-game.md shows, made from the page's own text."""
    page = (ROOT / "docs/adding-a-game.md").read_text()
    (source,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    space: dict[str, Any] = {"__name__": "docs_example"}
    exec(compile(source, "docs/adding-a-game.md", "exec", dont_inherit=True), space)
    return space["OddsAndEvens"]()


def started() -> Any:
    rules = example()
    seats = [SeatSetup(SeatNo(no), Points(10)) for no in (0, 1)]
    return rules.setup(rules.Options(), seats, "seed", Instant(0)).state


def read_action(rules: Any, number: int) -> Any:
    return Reader(rules.Action).made_of({"kind": "name", "number": number})


def test_docs_example_plays_to_its_end_and_gives_everything_back() -> None:
    rules, state = example(), started()
    one, two = (read_action(rules, n) for n in (1, 2))
    state = rules.apply(state, SeatNo(0), one, Instant(1)).state
    hidden = rules.view(state, Viewer(SeatNo(1)))
    assert hidden == rules.view(state, SPECTATOR)
    assert hidden["seats"][0] == {"no": 0, "has_named": True, "number": None}
    step = rules.apply(state, SeatNo(1), two, Instant(2))
    assert rules.outcome(step.state) == {0: Outcome(Result.LOST, 0), 1: Outcome(Result.WON, 0)}
    assert sum(e.data["amount"] for e in step.events if e.kind == "purse_returned") == 20
    assert Reader(rules.State).stored(canonical(step.state)) == step.state
    assert all(Reader(rules.Fact).stored(canonical(e.fact)) == e.fact for e in step.events)


def test_docs_example_who_is_late_loses_and_nobody_names_twice() -> None:
    rules, state = example(), started()
    named = read_action(rules, 2)
    state = rules.apply(state, SeatNo(1), named, 1).state
    with pytest.raises(IllegalAction) as refusal:
        rules.apply(state, SeatNo(1), named, 2)
    assert refusal.value.code == "action/not_in_phase"
    assert rules.on_deadline(state, Instant(10_000)).state.winner == 1
    assert rules.on_deadline(started(), Instant(10_000)).state.winner is None


def test_docs_example_sits_at_a_table_and_on_the_referees_pipe() -> None:
    table, at = Table(example()), Instant(0)
    state = table.open(clean_options(table.rules.Options, {}), at)
    for no in (0, 1):
        state = table.apply(state, None, {"kind": "sit", "seat": no, "purse": 5}, at).state
        state = table.apply(state, SeatNo(no), {"kind": "ready", "configuration": 1}, at).state
    assert state.starting
    state = table.apply_house(state, {"kind": "start", "seed": "s"}, at).state
    assert state.stage == RUNNING
    lines = ['{"setup":{"seats":2,"seed":"s"}}', '{"void":true}']
    last = list(answer_lines(example(), lines))[-1]
    assert '"over":true' in last
    assert last.count("stake_refunded") == 2
