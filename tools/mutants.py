"""Make random mutants of the product and run the tests that cover the changed line.

    SUITE=more python -m pytest -n 2 --cov --cov-context=test --cov-report= tests
    python -m tools.mutants choose 100 1 > mutants.json    a quarter of each area; sample 1
    python -m tools.mutants run minute mutants.json        one JSON line for each
    python -m tools.mutants count RESULTS                  killed ones by area, and the others

The first line records which test covers what.  ``run`` loads the tests of a form once and forks for
each mutant: the child replaces the code of the changed function, and runs the tests that cover the
line until one fails.  Real processes of the site do not see the change, so they kill nothing.
"""

import ast
import functools
import gc
import importlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from coverage import CoverageData

ROOT = Path(__file__).resolve().parent.parent
#: The environment variable that names the file of mutants, for the plugin.
FILE = "MUTANTS"
#: Maximum number of tests for a mutant: those that run the fewest lines.
MOST_TESTS = 150
#: Maximum seconds for a mutant; one that does not end is killed by it.
PATIENCE = 120.0
#: Area -> its paths; the first match counts.
AREAS = {
    "rules": r"games/engine/|games/(mafia/)?\w+/rules/",
    "ledger": r"economy/",
    "write path": r"games/(matches/(processing|journal|services)|realtime|arena|contests)/",
    "pages": r"games/(matches/(views|queries|admin)|showdown|duel|mafia)/|accounts/",
}
OPPOSITES = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


def changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield the possible changes at a node: the part to replace, and its new text."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            sign = OPPOSITES[type(operator)]
            yield node, f"{ast.unparse(left)} {sign} {ast.unparse(right)}"
        case ast.BoolOp(op=operator, values=values):
            sign = " or " if isinstance(operator, ast.And) else " and "
            yield node, f"({sign.join(f'({ast.unparse(value)})' for value in values)})"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield node, str(value + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, ast.unparse(operand)
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, f"not ({ast.unparse(test)})"
        case ast.Return(value=ast.expr()):
            yield node, "return None"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield node, "pass"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            sign = "-" if isinstance(operator, ast.Add) else "+"
            yield node, f"({ast.unparse(left)} {sign} {ast.unparse(right)})"


def mutants_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the mutants of a file's functions that change one line."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    inside = {
        id(inner): inner
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in inside.values():
        for place, new in changes(node):
            if place.lineno == place.end_lineno and lines[place.lineno - 1].isascii():
                old = lines[place.lineno - 1][place.col_offset : place.end_col_offset]
                if old != new:
                    where = {"line": place.lineno, "column": place.col_offset}
                    yield {"path": str(path.relative_to(ROOT)), **where, "old": old, "new": new}


class Coverage:
    """Which tests run which line, as recorded in ``.coverage``."""

    def __init__(self) -> None:
        data = CoverageData(str(ROOT / ".coverage"))
        data.read()
        #: Path -> line -> tests.
        self.lines: dict[str, dict[int, set[str]]] = {}
        #: Test -> number of lines that it runs.
        self.width: Counter[str] = Counter()
        for file in data.measured_files():
            found = {
                line: {name.partition("|")[0] for name in names} - {""}
                for line, names in data.contexts_by_lineno(file).items()
            }
            self.lines[str(Path(file).relative_to(ROOT))] = found
            self.width.update(name for names in found.values() for name in names)

    def tests_of(self, mutant: dict[str, Any]) -> list[str]:
        """Return the tests of a mutant's line, those that run the fewest lines first."""
        names = self.lines.get(mutant["path"], {}).get(mutant["line"], set())
        return sorted(names, key=lambda name: (self.width[name], name))


def choose(count: int, sample: int) -> list[dict[str, Any]]:
    """Return an equal number of mutants of each area, on lines that tests run.

    The seed is the hash of the commit, with the number of the sample.
    """
    found: dict[str, list[dict[str, Any]]] = {area: [] for area in AREAS}
    for name, lines in sorted(Coverage().lines.items()):
        area = next((area for area, paths in AREAS.items() if re.match(paths, name)), None)
        if area is not None and "/migrations/" not in name:
            every = mutants_of(ROOT / name)
            found[area] += [{"area": area, **each} for each in every if lines.get(each["line"])]
    chance = random.Random(f"{_commit()}/{sample}")
    return [one for every in found.values() for one in chance.sample(every, count // len(AREAS))]


def _commit() -> str:
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(
        asked, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def changed_text(mutant: dict[str, Any]) -> str:
    """Return the text of a mutant's file with the change.

    Raises:
        ValueError: the file is another one than that of which the mutants were chosen.
    """
    lines = (ROOT / mutant["path"]).read_text(encoding="utf-8").splitlines(keepends=True)
    line, start = lines[mutant["line"] - 1], mutant["column"]
    end = start + len(mutant["old"])
    if line[start:end] != mutant["old"]:
        raise ValueError(f"{mutant['path']} has changed: choose again")
    lines[mutant["line"] - 1] = line[:start] + mutant["new"] + line[end:]
    return "".join(lines)


def apply(mutant: dict[str, Any]) -> None:
    """Load a mutant's file, replace the code of its functions, and forget what they cached."""
    path = str(ROOT / mutant["path"])
    importlib.import_module(
        mutant["path"].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    )
    new = dict(_codes(compile(changed_text(mutant), path, "exec")))
    gc.unfreeze()
    for each in gc.get_objects():
        # No isinstance: it would evaluate lazy objects.
        if type(each) is FunctionType and each.__code__.co_filename == path:
            code = new.get(_key(each.__code__))
            # A function that has lost a variable of its outer one stays.
            if code is not None and code.co_freevars == each.__code__.co_freevars:
                each.__code__ = code
        elif type(each) is functools._lru_cache_wrapper and _is_of(each, path):
            each.cache_clear()


def _codes(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    yield _key(code), code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _is_of(cached: Any, path: str) -> bool:
    code = getattr(cached.__wrapped__, "__code__", None)
    return code is not None and code.co_filename == path


# The plugin -----------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of running the tests once, run those of each mutant in a process of its own."""
    coverage = Coverage()
    items = {item.nodeid: item for item in session.items}
    for mutant in json.loads(Path(os.environ[FILE]).read_text(encoding="utf-8")):
        names = [name for name in coverage.tests_of(mutant) if name in items][:MOST_TESTS]
        result = {
            **mutant,
            "tests": len(names),
            **_forked(session, [items[n] for n in names], mutant),
        }
        os.write(3, (json.dumps(result) + "\n").encode())
    return True


def _forked(
    session: pytest.Session, items: list[pytest.Item], mutant: dict[str, Any]
) -> dict[str, Any]:
    """Return whether and by which test a mutant was killed."""
    _forget_database()
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        _run_child(session, items, mutant, begin)
    os.close(begin)
    waited_until = time.monotonic() + PATIENCE
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > waited_until:
            os.killpg(child, 9)
            os.waitpid(child, 0)
            return {"killed": True, "killer": "endless"}
        time.sleep(0.02)
    with os.fdopen(end) as pipe:
        told = pipe.read()
    return {"killed": told != "none", "killer": told or "the process died"}


def _run_child(
    session: pytest.Session, items: list[pytest.Item], mutant: dict[str, Any], told: int
) -> None:
    """Run the tests until one fails, tell its name or "none", and end this process."""
    try:
        apply(mutant)
    except ValueError as problem:
        print(problem, file=sys.stderr, flush=True)
        os._exit(1)
    try:
        for number, item in enumerate(items):
            following = items[number + 1] if number + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                os.write(told, item.nodeid.encode())
                os._exit(0)
        os.write(told, b"none")
    finally:
        os._exit(0)


def _forget_database() -> None:
    """Remove the database of the child before, whose log would be read into the next one's."""
    for path in Path(os.environ["SITE_VAR"]).glob("*.sqlite3*"):
        path.unlink()


# The commands ---------------------------------------------------------------------------------


def run(form: str, file: str) -> int:
    """Run the mutants of a file with the tests of a form; print one line each."""
    from tests.platform import prepared

    options = ["-q", "--no-header", "-p", "tools.mutants", "-p", "no:cacheprovider"]
    (prepared_folder := ROOT / "var/mutants").mkdir(parents=True, exist_ok=True)
    variables = {"SUITE": form, FILE: file, prepared.FOLDER: str(prepared_folder)}
    done = os.dup2(1, 3)
    with Path(os.devnull).open("w") as nowhere:
        command = [sys.executable, "-m", "pytest", *options, "tests"]
        environment = os.environ | variables
        return subprocess.call(command, cwd=ROOT, env=environment, stdout=nowhere, pass_fds=[done])


def count(file: str) -> None:
    """Print how many mutants were killed in each area, and those that were not."""
    results = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    areas: dict[str, list[bool]] = defaultdict(list)
    for one in results:
        areas[one["area"]].append(one["killed"])
        if not one["killed"]:
            print(
                f"{one['path']}:{one['line']}: {one['old']} -> {one['new']} ({one['tests']} tests)"
            )
    for area, kills in areas.items():
        print(f"{area}: {sum(kills)} of {len(kills)}")
    print(f"in all: {sum(one['killed'] for one in results)} of {len(results)}")


def main(arguments: list[str]) -> int:
    """Choose mutants, run those of a file, or count the results."""
    match arguments:
        case ["choose", number, sample]:
            print(json.dumps(choose(int(number), int(sample)), indent=1))
        case ["run", form, file]:
            return run(form, file)
        case ["count", file]:
            count(file)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
