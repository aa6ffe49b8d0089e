"""A game is one folder: arrows run down, there are no circles, and no game is named elsewhere.

Source: docs/architecture.md "The house".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from games import catalog
from tests.architecture.code import ROOT, modules, tree, where

#: The rooms of ``games`` from the ground up; a room may import those of its own floor and below.
FLOORS = (
    {"kernel"},
    {"grammar"},
    {"a house"},
    {"game"},
    {"models", "a game"},
    {"catalog"},
    {"journal"},
    {"reading"},
    {"play"},
    {"services"},
    {"live"},
    {"practice"},
    {"pages", "office", "a game's edges"},
    {"django"},
)
#: What of a game the house may import; the rest are edges and deeds, on top of the house.
PURE = {
    "__init__",
    "game",
    "words",
    "commands",
    "bot",
    "lists",
    "replies",
    "spelling",
    "rules",
    "lesson",
}
#: What Django wants at the top of ``games``.
DJANGO = {"apps", "admin", "urls", "routing", "tasks", "management", "templatetags"}
SLUGS = ("showdown", "duel", "arena", "agora", "dynamite")
#: What several games share, and what of it those games may import.
HOUSES = {
    "mafia": {"__init__", "rules", "words", "commands", "bot", "lists", "replies", "contests"},
    "contests": {"__init__", "rules"},
}


def room_of(module: str) -> str:
    """Return the room of a module of ``games``, by its dotted name."""
    top, *rest = module.split(".")[1:] or ["django"]
    if top in HOUSES:
        return "a house" if not rest or rest[0] in HOUSES[top] else "a game's edges"
    if top in SLUGS:
        return "a game" if not rest or rest[0] in PURE else "a game's edges"
    return "django" if top in DJANGO else top


def floor_of(module: str) -> int:
    return next(n for n, rooms in enumerate(FLOORS) if room_of(module) in rooms)


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


@cache
def all_names() -> frozenset[str]:
    return frozenset(map(name_of, modules("games")))


def imported(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the modules of ``games`` that a file imports, and whether while it is loaded."""
    loose = {
        id(inner)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "games":
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                target = full if full in all_names() else str(node.module)
                yield target, id(node) not in loose


def test_house_every_room_stands_on_a_floor() -> None:
    for name in all_names() - {"games"}:
        floor_of(name)


def test_house_arrows_run_down() -> None:
    up = {
        f"{where(path)} imports {target}"
        for path in modules("games")
        for target, _ in imported(path)
        if target != "games" and floor_of(target) > floor_of(name_of(path))
    }
    assert up == set()


def test_house_no_game_imports_another() -> None:
    strays = [
        f"{where(path)} imports {target}"
        for slug in SLUGS
        if (ROOT / "games" / slug).is_dir()
        for path in modules(f"games/{slug}")
        for target, _ in imported(path)
        if target.split(".")[1] in set(SLUGS) - {slug}
    ]
    assert strays == []


def test_house_there_are_no_circles_between_rooms() -> None:
    """Between rooms nothing comes back, whatever the file; edges of games are one floor."""
    arrows: dict[str, set[str]] = {}
    for path in modules("games"):
        here = room_of(name_of(path))
        for target, _ in imported(path):
            there = room_of(target)
            if target != "games" and there != here:
                arrows.setdefault(here, set()).add(there)
    back = {
        (one, two) for one, all_ in arrows.items() for two in all_ if one in arrows.get(two, ())
    }
    # A game's edges use the common pages, which know no game.
    assert back == set()


def test_house_there_are_no_circles_between_files() -> None:
    arrows = {
        name_of(path): {target for target, is_loaded in imported(path) if is_loaded}
        for path in modules("games")
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name not in done:
            for target in sorted(arrows.get(name, ())):
                visit(target, (*trail, name))
            done.add(name)

    for name in sorted(arrows):
        visit(name, ())


def test_house_the_top_of_games_holds_what_django_wants_and_the_contract() -> None:
    files = {path.stem for path in (ROOT / "games").glob("*.py")}
    assert files == {"__init__", "catalog", "game", "apps", "admin", "urls", "routing", "tasks"}


def own_folders(slug: str) -> tuple[Path, ...]:
    return (
        ROOT / "games" / slug,
        ROOT / "templates/games" / slug,
        ROOT / "static/js" / slug,
        ROOT / "static/vendor",
    )


def test_house_no_file_outside_a_games_folders_holds_its_slug() -> None:
    files = [
        path
        for top in ("games", "economy", "accounts", "templates", "static")
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in (".py", ".js", ".html")
        and "migrations" not in path.parts
        and path != ROOT / "games/catalog.py"
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    strays = [
        f"{where(path)} names {slug}"
        for slug in catalog.slugs()
        for path, text in texts.items()
        if not any(path.is_relative_to(home) for home in own_folders(slug))
        and re.search(rf"""["'`]{slug}["'`]""", text)
    ]
    assert strays == []


def test_house_the_catalog_imports_no_game_when_it_is_loaded() -> None:
    loaded = {target for target, is_loaded in imported(ROOT / "games/catalog.py") if is_loaded}
    assert loaded == set()
    assert set(catalog.GAMES) <= set(SLUGS)
