"""Tests of imports.  Source: docs/explanation/architecture.md "The four sentences"."""

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.architecture.code import PACKAGES, ROOT, imports, modules, tree, where

#: What rules may import besides their own game.
PURE = {"games.engine", "msgspec"}
#: The packages that are pure.
RULES = (
    *("games/engine", "games/showdown/rules", "games/duel/rules", "games/arena/rules"),
    *("games/mafia/agora/rules", "games/mafia/dynamite/rules", "games/mafia/common/rules"),
    *("games/contests/rules", "games/ladder/rules"),
)
#: Package -> what it may import of this project and of others; the standard library always.
MAY_IMPORT = {
    "games/engine": PURE,
    "games/text": {"games.text", "games.engine", "economy.units"},
    "games/showdown/rules": PURE | {"games.showdown.rules"},
    "games/duel/rules": PURE | {"games.duel.rules"},
    "games/arena/rules": PURE | {"games.arena.rules"},
    "games/mafia/common/rules": PURE | {"games.mafia.common.rules"},
    "games/contests/rules": PURE | {"games.contests.rules"},
    "games/ladder/rules": PURE | {"games.ladder.rules"},
    "games/mafia/agora/rules": PURE | {"games.mafia.agora.rules", "games.mafia.common.rules"},
    "games/mafia/dynamite/rules": PURE | {"games.mafia.dynamite.rules", "games.mafia.common.rules"},
    "economy": {"economy", "django", "celery", "asgiref", "tqdm", "unfold"},
    "accounts": {
        *("accounts", "economy", "django", "allauth", "fido2", "celery", "post_office", "unfold"),
        *("cryptography", "py_vapid", "pywebpush"),
    },
}
#: What the pure rules may not use of the standard library: clock, chance, the world outside.
IMPURE = {
    *("asyncio", "datetime.datetime.now", "io", "logging", "os", "pathlib", "random", "secrets"),
    *("socket", "subprocess", "threading", "time", "urllib", "uuid"),
}
#: What of it one file needs all the same: a lock around a library that threads must not enter at
#: once; no result hangs on it.
NEEDED = {"games/engine/structs.py imports threading"}
OURS = {"accounts", "bench", "economy", "games", "rpsite", "tests", "tools"}


def is_within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def is_standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names or name.startswith("__future__")


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_what_it_may(package):
    allowed = MAY_IMPORT[package]
    strays = [
        f"{where(path)} imports {name}"
        for path in modules(package)
        for name in sorted(imports(path))
        if not is_standard(name) and not is_within(name, allowed)
    ]
    assert strays == []


@pytest.mark.parametrize("package", ["accounts", "economy", "games"])
def test_nothing_imports_the_wiring(package):
    strays = [
        f"{where(path)} imports {name}"
        for path in modules(package)
        for name in imports(path)
        if is_within(name, {"bench", "rpsite", "tests", "tools"})
    ]
    assert strays == []


def test_the_rules_have_no_clock_no_dice_and_no_world():
    strays = {
        f"{where(path)} imports {name}"
        for path in modules(*RULES)
        for name in imports(path)
        if is_within(name, IMPURE)
    }
    calls = [
        where(path, node.lineno)
        for path in modules(*RULES)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and _reaches_out(node.func)
    ]
    assert (strays, calls) == (NEEDED, [])


def _reaches_out(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr in ("now", "utcnow", "today")
    return isinstance(function, ast.Name) and function.id in ("open", "print", "input")


def test_every_package_of_the_project_is_under_some_arrow():
    there = {path.name for path in ROOT.iterdir() if (path / "__init__.py").is_file()}
    assert there == OURS


#: What edges use of the rules all the same: the type of a frame's action, the names of the moves.
EDGES_READ = [
    "games/arena/consumer.py imports games.arena.rules.actions.ArenaAction",
    "games/arena/views.py imports games.arena.rules.moves.MOVES",
]
#: Files and folders at the edge: what pages, sockets, a queue and the admin come in by.
EDGES = {"admin", "consumer", "consumers", "tasks", "urls", "views"}


def test_an_edge_does_not_touch_the_ledger_or_the_rules():
    """The edges hold no decision: they call services and queries."""
    found = {path: EDGES & {*path.parent.parts, path.stem} for path in modules("games")}
    edges = [path for path, words in found.items() if words]
    assert set().union(*found.values()) == EDGES
    forbidden = {"economy.ledger", *(package.replace("/", ".") for package in RULES[1:])}
    strays = [
        f"{where(path)} imports {name}"
        for path in edges
        for name in sorted(imports(path))
        if is_within(name, forbidden)
    ]
    assert strays == EDGES_READ


#: Model -> the only files that may create, change or delete its rows.
WRITERS = {
    "Transfer": {"economy/ledger/rows.py"},
    "Entry": {"games/archives/archiving.py", "games/matches/processing/store.py"},
    "ArchivedJournal": {"games/archives/archiving.py"},
}
WRITES = "create|bulk_create|update|bulk_update|delete|get_or_create|update_or_create"


@pytest.mark.parametrize("model", WRITERS)
def test_one_module_writes_a_model(model):
    pattern = re.compile(
        rf"\b{model}\.objects\b[^\n]*\.({WRITES})\(|\b{model}\([^)]*\)\.save\(|BulkRows\({model}\b"
    )
    strays = [
        where(path)
        for path in modules(*PACKAGES)
        if pattern.search(path.read_text(encoding="utf-8"))
        and str(path.relative_to(ROOT)) not in WRITERS[model]
    ]
    assert strays == []


def test_only_the_write_path_sets_a_matchs_state():
    """``state`` of a match changes in the write path alone, and is first written at opening."""
    strays = [
        where(path, node.lineno)
        for path in modules("games")
        if path not in _may_set_state()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Assign)
        for whole in node.targets
        for target in ast.walk(whole)
        if isinstance(target, ast.Attribute)
        and target.attr == "state"
        and isinstance(target.value, ast.Name)
        and target.value.id == "match"
    ]
    assert strays == []


def _may_set_state() -> set[Path]:
    return {ROOT / "games/matches/processing/locked_match.py"}


def test_only_the_ledger_sets_a_balance():
    strays = [
        where(path, node.lineno)
        for path in modules(*PACKAGES)
        if "ledger" not in path.parts
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute) and target.attr == "balance"
    ]
    assert strays == []
