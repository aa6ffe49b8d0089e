"""A game's pages and scripts stand in its own folders: nothing else in them names a game.

Source: docs/architecture.md "The browser".
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {path.name for path in (ROOT / "templates/games").iterdir() if path.is_dir()}
#: Folders that are no game's; their names may be words of games.
SHARED = ("mafia", "contests")
SLUGS = sorted(FOLDERS - set(SHARED))
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


def test_each_game_brings_what_the_common_pages_include() -> None:
    """The home page, the lobby and the import map ask each game for its part by these names."""
    wanted = {"_list.html", "_mine.html", "_modules.html", "_quick.html", "rules.html"}
    missing = []
    for slug in SLUGS:
        there = {path.name for path in (ROOT / "templates/games" / slug).iterdir()}
        missing += [f"{slug}: {name}" for name in sorted(wanted - there)]
        scripts = ROOT / "static/js"
        if not (scripts / slug / "main.js").exists():
            missing.append(f"{slug}: main.js")
        # How a row of its list is drawn, it has by itself or from what it shares.
        if not any((scripts / home / "list.js").exists() for home in (slug, *SHARED)):
            missing.append(f"{slug}: list.js")
    assert SLUGS
    assert not missing, "\n".join(missing)
