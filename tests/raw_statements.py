"""Find the places with raw SQL; on PostgreSQL every one must run, else it is ``missed``."""

import ast
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounts", "economy", "games", "rpsite")
#: The environment variable that names the folder in which each process notes what has run.
FOLDER = "RAW_STATEMENTS"
#: Methods that run a statement given as text.
METHODS = {"execute", "executemany", "raw", "extra"}
#: What these modules export makes statements for their callers.
MAKERS = {"economy.sql", "games.arena.statements"}
CLASSES = {"BulkRows"}
FUNCTIONS = {"fetch", "read_rows", "rows_of", "moment"}
#: Django expressions of our own with a text of their own.
EXPRESSION = "Func"
#: What stands in every file that has a place; the others need not be parsed.
HINT = re.compile("|".join([*MAKERS, *CLASSES, EXPRESSION, *(rf"\.{name}\(" for name in METHODS)]))
#: What runs on SQLite only: its database, and the parts of backups of any database.
ONLY_ON_SQLITE = ("rpsite/backups/sqlite.py:", "rpsite/db/sqlite/", "rpsite/backups/journals.py:")
ONLY_ON_SQLITE += ("economy/triggers.py:_on_sqlite#1",)
ONLY_ON_SQLITE += ("games/arena/statements.py:rows_of#2",)


class Place(NamedTuple):
    """A statement of Python that runs SQL: the file, the first and the last line."""

    file: str
    first: int
    last: int


def places() -> dict[str, Place]:
    """Return the places that PostgreSQL can reach, by name: file, function, number in it."""
    return {name: at for name, at in every_place().items() if not name.startswith(ONLY_ON_SQLITE)}


@cache
def every_place() -> dict[str, Place]:
    found: dict[str, Place] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            text = path.read_text(encoding="utf-8")
            if HINT.search(text):
                found |= places_of(file, text)
    return found


def places_of(file: str, text: str) -> dict[str, Place]:
    tree = ast.parse(text)
    makers = _makers(tree)
    found: dict[str, Place] = {}
    for name, statement in _statements(tree, ""):
        bases = statement.bases if isinstance(statement, ast.ClassDef) else ()
        is_expression = EXPRESSION in map(ast.unparse, bases)
        if is_expression or any(_runs(call, makers) for call in _calls(statement)):
            number = 1 + sum(known.startswith(f"{file}:{name}#") for known in found)
            last = statement.end_lineno or statement.lineno
            found[f"{file}:{name}#{number}"] = Place(file, statement.lineno, last)
    return found


def _makers(tree: ast.Module) -> set[str]:
    """Return the names of a module's stores of rows, and of the functions that it imports."""
    found: set[str] = set()
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(kind))) if kind in CLASSES:
                found.add(name)
            case ast.AnnAssign(ast.Name(name), value=ast.Call(ast.Name(kind))) if kind in CLASSES:
                found.add(name)
            case ast.ImportFrom(module, names) if module in MAKERS:
                found |= {alias.name for alias in names} & FUNCTIONS
    return found


def _statements(node: ast.AST, function: str) -> Iterator[tuple[str, ast.stmt]]:
    """Yield all statements below a node, each with the name of its function or class."""
    for child in ast.iter_child_nodes(node):
        name = getattr(child, "name", function) if isinstance(child, ast.stmt) else function
        if isinstance(child, ast.stmt):
            yield name, child
        yield from _statements(child, name)


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    waiting: list[ast.AST] = [statement]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.Call):
                yield child
            if not isinstance(child, ast.stmt):
                waiting.append(child)


def _runs(call: ast.Call, makers: set[str]) -> bool:
    match call.func:
        case ast.Name(name) | ast.Attribute(ast.Name(name)) if name in makers:
            return True
        # Management commands have a method of that name, which they call by super().
        case ast.Attribute(ast.Call(ast.Name("super"))):
            return False
        case ast.Attribute(attr=method):
            return method in METHODS
    return False


class Recorder:
    def __init__(self) -> None:
        self._seen: set[tuple[CodeType, int]] = set()
        self._expressions: set[type] = set()
        self._tops = tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)

    def start(self) -> None:
        """Record every statement of Django's and psycopg's cursors, and compiled expressions."""
        import psycopg
        from django.db.backends.utils import CursorWrapper
        from django.db.models import Func

        for kind in (CursorWrapper, psycopg.Cursor, psycopg.ServerCursor):
            for method in ("execute", "executemany"):
                setattr(kind, method, self._noting(getattr(kind, method)))
        compiled = Func.as_sql

        def as_sql(expression: Func, *given: Any, **named: Any) -> Any:
            self._expressions.add(type(expression))
            return compiled(expression, *given, **named)

        Func.as_sql = as_sql

    def _noting(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def noting(cursor: Any, *given: Any, **named: Any) -> Any:
            frame: FrameType | None = sys._getframe(1)
            while frame:
                if frame.f_code.co_filename.startswith(self._tops):
                    self._seen.add((frame.f_code, frame.f_lasti))
                frame = frame.f_back
            return run(cursor, *given, **named)

        return noting

    def reached(self) -> set[str]:
        lines = {_line(code, instruction) for code, instruction in self._seen}
        return {
            name
            for name, at in places().items()
            if any(file == at.file and at.first <= line <= at.last for file, line in lines)
        } | {
            f"{each.__module__.replace('.', '/')}.py:{each.__name__}#1"
            for each in self._expressions
        }


def _line(code: CodeType, instruction: int) -> tuple[str, int]:
    line = next(line for first, last, line in code.co_lines() if first <= instruction < last)
    return Path(code.co_filename).relative_to(ROOT).as_posix(), line or 0


def note(recorder: Recorder) -> None:
    path = Path(os.environ[FOLDER]) / f"{os.getpid()}.json"
    path.write_text(json.dumps(sorted(recorder.reached())), encoding="utf-8")


def missed(folder: Path) -> list[str]:
    """Return the places that no process of a run has reached."""
    reached = {name for path in folder.glob("*.json") for name in json.loads(path.read_text())}
    return sorted(set(places()) - reached)
