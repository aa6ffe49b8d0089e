"""A game's pages and scripts stand in its own folders: nothing else in them names a game.

Source: docs/explanation/architecture.md "The browser".
"""

import re
from pathlib import Path

from games import registry

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {path.name for path in (ROOT / "templates/games").iterdir() if path.is_dir()}
#: Folders that are no game's; their names may be words of games.
SHARED = {
    *("mafia", "contests", "events", "ladder"),
    *(name.rpartition(".")[2] for name in registry.FEATURES),
}
SLUGS = sorted(FOLDERS - SHARED)
FILES = sorted(
    path
    for top, kind in (("templates", "*.html"), ("static/js", "*.js"))
    for path in (ROOT / top).rglob(kind)
)


def home_of(path: Path) -> str | None:
    """Return the game in whose folder a template or script stands; None for a common one."""
    found = set(path.relative_to(ROOT).parts[:-1]) & set(SLUGS)
    return found.pop() if found else None


def test_only_the_folders_of_a_game_hold_its_slug_as_a_quoted_word() -> None:
    strays = [
        f"{path.relative_to(ROOT)} names {slug}"
        for path in FILES
        for slug in SLUGS
        if slug != home_of(path) and re.search(rf"""["'`]{slug}["'`]""", path.read_text())
    ]
    assert not strays, "\n".join(strays)


def test_a_part_that_common_pages_include_has_a_common_form() -> None:
    """A game may bring its own form of a part; without one the common form is shown."""
    parts = {
        name
        for page in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'\|part:"(\w+)"', page.read_text())
    }
    assert {"list", "mine", "modules", "quick"} <= parts
    common = {path.name for path in (ROOT / "templates/games").glob("_*.html")}
    assert {f"_{name}.html" for name in parts} <= common
