"""The pages say what is there: links, paths, commands, variables, sections."""

import re
from functools import cache
from pathlib import Path

from django.core.management import get_commands

from tests.architecture.code import ROOT, where
from tools import reference

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
#: Rule books name the texts they come from and the pages of games that are not there yet.
SPEAKING = [page for page in PAGES if page.parent.name != "rules"]
#: Made by running the site, or named as a thing of the future.
NOT_KEPT = (
    *("var/", ".venv", "games/<slug>/rules/", "tools/referee/<slug>.py", "games/coin/"),
    *("tests/games/coin/", "games/testing/"),
    *("games/matches/services/", "games/matches/views/", "games/matches/admin/"),
    *("templates/pages/questions.html", "templates/account/motto.html"),
    "tests/accounts/test_motto.py",
)

#: Words written by hand, without rule books and the list of changes.
MOST_WORDS = 34_850

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")
QUOTED = re.compile(r"`([^`\n]+)`")
CODE_PATH = re.compile(r"^[\w./*-]+/[\w./*-]*$|^[\w-]+\.(?:py|md|txt|toml)$")
ENVIRONMENT = re.compile(r"\bread\(\s*\"([A-Z][A-Z_]+)\"")


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


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_docs_links_lead_somewhere() -> None:
    missing = []
    for page in PAGES:
        for target, anchor in LINK.findall(page.read_text()):
            to = page.parent / target if target else page
            if "://" in target:
                continue
            if not to.exists() or (anchor and anchor not in anchors(to)):
                missing.append(f"{where(page)}: {target}#{anchor}")
    assert not missing, "\n".join(missing)


def test_docs_name_existing_paths() -> None:
    missing = [
        f"{where(page)}: {path}"
        for page in SPEAKING
        for path in quoted_paths(page)
        if not is_there(path)
    ]
    assert not missing, "\n".join(missing)


def test_docs_by_hand_are_short() -> None:
    generated = set(reference.pages())
    by_hand = [page for page in SPEAKING if page not in generated and page.name != "CHANGELOG.md"]
    assert sum(len(page.read_text().split()) for page in by_hand) <= MOST_WORDS


def test_docs_stay_inside_the_repository() -> None:
    outside = re.compile(r"(?<![\w.])/(?:work|home|root)/|\.\./shared")
    assert [where(page) for page in PAGES if outside.search(page.read_text())] == []


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
    told = set(
        re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs/reference/environment.md").read_text())
    )
    assert {"DATABASE_URL", "PUBLIC_URL"} <= read
    assert read - told == set()


def test_docs_sections_that_code_quotes_are_there() -> None:
    """A ``Source: docs/page.md "Section"`` leads to a heading of that page, or to a decision."""
    cited = re.compile(
        r"docs/(?:explanation/(decisions)(?:/\w*)?|((?:explanation|reference|how-to)/[a-z-]+\.md)),?"
        r' "([^"\n]+)"'
    )
    pages = (ROOT / "docs/explanation/decisions").glob("*.md")
    decisions = "\n".join(page.read_text() for page in pages)
    lost = []
    for top in ("accounts", "economy", "games", "rpsite"):
        for path in (ROOT / top).rglob("*.py"):
            for decision, page, section in cited.findall(path.read_text()):
                text = decisions if decision else (ROOT / "docs" / page).read_text()
                if not re.search(rf"^#+ (?:\d+\. )?{re.escape(section)}\b", text, re.MULTILINE):
                    lost.append(f"{path.relative_to(ROOT)}: {section}")
    assert not lost


def test_docs_promises_that_code_quotes_are_there() -> None:
    told = (ROOT / "docs/explanation/durability.md").read_text()
    quoted = {
        promise
        for top in ("accounts", "economy", "games", "rpsite")
        for path in (ROOT / top).rglob("*.py")
        for line in re.findall(r"docs/explanation/durability\.md ([^.\n]*)", path.read_text())
        for promise in re.findall(r"[A-Z]+\d+", line)
    }
    assert "G3" in quoted
    assert [promise for promise in sorted(quoted) if f"| **{promise}**" not in told] == []
