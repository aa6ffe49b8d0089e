"""Rooms of ``games``: arrows run down, no circles, no game named outside its own folders.

Source: docs/explanation/architecture.md "Layout".
"""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from games import registry
from tests.architecture.code import ROOT, modules, tree, where

#: The rooms of ``games`` from the ground up; a room may import those of its own floor and below.
FLOORS = (
    {"engine"},
    {"text"},
    {"contract"},
    {"simple"},
    {"a game"},
    {"registry"},
    {"matches"},
    {"a feature"},
    {"realtime"},
    {"api", "practice", "contests", "events", "jsonrpc", "ladder", "a game's edges"},
)
#: The features, and which of the others each may import.
FEATURES: dict[str, set[str]] = {
    "posts": set(),
    "replays": {"posts"},
    "proofs": set(),
    "moderation": {"posts"},
    "standings": {"moderation"},
    "goals": set(),
    "reads": set(),
    "people": {"standings", "moderation", "goals"},
    "notices": set(),
    "own_data": {"posts"},
    "archives": set(),
}
#: What stands at the top of ``games``.
TOP = {
    *FEATURES,
    *("contract.py", "registry.py", "engine", "text", "simple", "matches", "realtime"),
    *("api", "practice", "jsonrpc", "contests", "events", "ladder", "__init__.py"),
    *(name.split(".")[1] for name in registry.GAMES),
}
#: The folders of ``games/matches`` from the ground up.
FLOORS_OF_MATCHES = (
    {"models", "migrations"},
    {"journal"},
    {"queries"},
    {"processing"},
    {"services"},
    {"views", "context_processors", "admin"},
    {"apps", "urls", "tasks", "management", "templatetags"},
)
#: The modules of a game that the site asks; the rest are edges and services, above the site.
PURE = {*("__init__", "game", "words", "commands", "bot", "reading", "rules")}
#: The packages of the games, by slug, and what Mafia games share.
PACKAGES = {name.rpartition(".")[2]: name for name in registry.GAMES}
SHARED = {"mafia": "games.mafia.common"}


def package_of(module: str) -> str | None:
    """Return the package of the game, or of the Mafia games, in which a module stands."""
    found = [p for p in (*PACKAGES.values(), *SHARED.values()) if is_in(module, p)]
    return found[0] if found else None


def is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def room_of(module: str) -> str:
    """Return the room of a module of ``games``, by its dotted name."""
    if is_in(module, "games.contests.rules") or is_in(module, "games.ladder.rules"):
        return "a game"
    if package := package_of(module):
        first = module.removeprefix(package).strip(".").partition(".")[0] or "__init__"
        return "a game" if first in PURE else "a game's edges"
    if module.split(".")[1:2] and module.split(".")[1] in FEATURES:
        return "a feature"
    # The packages above those of games hold nothing.
    return "engine" if module in ("games", "games.mafia") else module.split(".")[1]


def folder_of_matches(module: str) -> str:
    return [*module.split("."), "models"][2]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


@cache
def all_names() -> frozenset[str]:
    return frozenset(map(name_of, modules("games")))


def imported(module: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield the modules of ``games`` that a file imports, and whether while it is loaded."""
    loose = {
        id(inner)
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        for inner in ast.walk(node)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "games":
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                target = full if full in all_names() else str(node.module)
                yield target, id(node) not in loose


def arrows_up(floors: tuple[set[str], ...], room: Callable[[str], str], package: str) -> list[str]:
    """Return the imports within a package that go to a higher floor."""

    def floor(module: str) -> int:
        return next(n for n, rooms in enumerate(floors) if room(module) in rooms)

    return [
        f"{where(path)} imports {target}"
        for path in modules(package)
        for target, _ in imported(tree(path))
        if target.startswith(package.replace("/", ".")) and floor(target) > floor(name_of(path))
    ]


def foreign(module: str, source: ast.Module) -> list[str]:
    """Return what a module of a game imports of other games."""
    own = package_of(module)
    allowed = {own, *SHARED.values()}
    return [target for target, _ in imported(source) if package_of(target) not in (None, *allowed)]


def test_layout_the_top_of_games_is_small() -> None:
    there = {path.name for path in (ROOT / "games").iterdir() if path.name != "__pycache__"}
    assert there == TOP
    assert len(FLOORS) <= 10


def test_layout_arrows_run_down() -> None:
    assert arrows_up(FLOORS, room_of, "games") == []


def test_layout_a_feature_imports_only_the_features_that_it_may() -> None:
    strays = [
        f"{where(path)} imports {target}"
        for feature, others in FEATURES.items()
        for path in modules(f"games/{feature}")
        for target, _ in imported(tree(path))
        if room_of(target) == "a feature" and target.split(".")[1] not in {feature, *others}
    ]
    assert strays == []
    assert {f"games.{name}" for name in FEATURES} == set(registry.FEATURES)


def test_layout_arrows_run_down_in_matches() -> None:
    assert arrows_up(FLOORS_OF_MATCHES, folder_of_matches, "games/matches") == []


def test_layout_no_game_imports_another() -> None:
    strays = [
        f"{where(path)} imports {target}"
        for path in modules("games")
        if package_of(name_of(path))
        for target in foreign(name_of(path), tree(path))
    ]
    assert strays == []


def test_layout_a_planted_import_of_one_mafia_game_by_another_is_found() -> None:
    planted = ast.parse("from games.mafia.dynamite.rules.teams import Team")
    assert foreign("games.mafia.agora.rules.roles", planted) == ["games.mafia.dynamite.rules.teams"]
    assert foreign("games.mafia.common.rules.roster", planted) != []
    assert foreign("games.mafia.dynamite.rules.roles", planted) == []


def test_layout_there_are_no_circles_between_rooms() -> None:
    """Between rooms nothing comes back, for any file; edges of games are one room."""
    arrows: dict[str, set[str]] = {}
    for path in modules("games"):
        here = room_of(name_of(path))
        for target, _ in imported(tree(path)):
            there = room_of(target)
            if there != here:
                arrows.setdefault(here, set()).add(there)
    back = {
        (one, two) for one, all_ in arrows.items() for two in all_ if one in arrows.get(two, ())
    }
    assert back == set()


def test_layout_there_are_no_circles_between_files() -> None:
    arrows = {
        name_of(path): {target for target, is_loaded in imported(tree(path)) if is_loaded}
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


def own_folders(slug: str) -> tuple[Path, ...]:
    return (
        ROOT / PACKAGES[slug].replace(".", "/"),
        ROOT / "templates/games" / slug,
        ROOT / "static/js" / slug,
        ROOT / "static/vendor",
    )


def test_layout_no_file_outside_a_games_folders_holds_its_slug() -> None:
    files = [
        path
        for top in ("games", "economy", "accounts", "templates", "static")
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in (".py", ".js", ".html")
        and "migrations" not in path.parts
        and path != ROOT / "games/registry.py"
        # A verifier of proofs knows the draws of all games, and runs without the site.
        and path.parent not in (ROOT / "static/proof", ROOT / "static/js/proofs")
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    strays = [
        f"{where(path)} names {slug}"
        for slug in PACKAGES
        for path, text in texts.items()
        if not any(path.is_relative_to(home) for home in own_folders(slug))
        and re.search(rf"""["'`]{slug}["'`]|{re.escape(PACKAGES[slug])}\b""", text)
    ]
    assert strays == []


def test_layout_the_registry_imports_no_game_when_it_is_loaded() -> None:
    source = tree(ROOT / "games/registry.py")
    assert [target for target, is_loaded in imported(source) if is_loaded] == []
