"""Which tests are of a game, or built on its kit: ``--without=SLUG`` or ``=every`` omits them."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Game -> how its addresses begin; those of other games begin with "play/<slug>".
PAGES = {
    "showdown": "tables|shop",
    # The bare address of programs is a duel's; those of other games have a slug.
    "duel": r"duels|rpc(?=/[\"']|/openrpc)",
    "arena": "arena",
    "agora": "mafia",
    "dynamite": "rules/dynamite",
}

#: What every test is run by; it may name games.
HARNESS = ("tests.own_tests", "tests.boot", "tests.raw_statements")
#: Instead of a slug: all games of the site.
EVERY = "every"
#: The games that are there then.
OF_THE_TESTS = ("tests.games.odds", "tests.games.small")


def leave_out(slug: str) -> None:
    """Take a game out of the registry before anything has looked at it."""
    from games import registry

    if slug == EVERY:
        registry.GAMES = OF_THE_TESTS
        return
    if slug not in registry.slugs():
        raise ValueError(f"there is no game {slug}")
    left_out = registry.package(slug)
    registry.GAMES = tuple(name for name in registry.GAMES if name != left_out)


@cache
def files_of(slug: str) -> frozenset[Path]:
    if slug == EVERY:
        kept = tuple(ROOT / name.replace(".", "/") for name in OF_THE_TESTS)
        named = frozenset().union(*map(files_of, PAGES))
        # They build on kits that others use with a game, and need none themselves.
        return frozenset(path for path in named if path.parent not in kept)
    files = {module_of(path): path for path in (ROOT / "tests").rglob("*.py")}
    for name in HARNESS:
        files.pop(name, None)
    named = re.compile(
        rf"""["'.]{slug}s?\b|\b{slug.capitalize()}\b|["']/({PAGES.get(slug, f"play/{slug}")})/"""
    )
    found = {name for name, path in files.items() if named.search(_code(path))}
    while more := {name for name in set(files) - found if imports_of(files[name]) & found}:
        found |= more
    return frozenset(files[name] for name in found)


@cache
def _code(path: Path) -> str:
    """Return a file's text without its own description."""
    text = path.read_text(encoding="utf-8")
    told = ast.get_docstring(ast.parse(text), clean=False)
    return text.replace(told, "", 1) if told else text


@cache
def imports_of(path: Path) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
