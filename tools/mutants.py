"""Make random mutants of the product and run the tests that cover the changed line.

    python -m pytest -n 2 --cov --cov-context=test --cov-report= tests     which test covers what
    python -m tools.mutants choose 100 > mutants.json                      a quarter of each area
    python -m tools.mutants run mutants.json DIRECTORY                     one JSON line for each

``run`` changes one place at a time in a clone of the repository, DIRECTORY, and runs the tests that
cover the line.  Running the same mutants before and after a change of the tests shows whether the
tests find less.  It writes no bytecode: two versions of a file may have equal age and length.
"""

import ast
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from coverage import CoverageData

ROOT = Path(__file__).resolve().parent.parent
SEED = 20261123
#: Maximum number of tests for a mutant; of more, a random sample runs.
MOST_TESTS = 60
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


@cache
def covering() -> dict[str, dict[int, list[str]]]:
    """Return path -> line -> the tests that run it."""
    data = CoverageData(str(ROOT / ".coverage"))
    data.read()
    return {
        str(Path(file).relative_to(ROOT)): {
            line: sorted({name.partition("|")[0] for name in names} - {""})
            for line, names in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }


def choose(count: int) -> list[dict[str, Any]]:
    """Return an equal number of mutants of each area, on lines that tests run."""
    found: dict[str, list[dict[str, Any]]] = {area: [] for area in AREAS}
    for name, lines in sorted(covering().items()):
        area = next((area for area, paths in AREAS.items() if re.match(paths, name)), None)
        if area is not None and "/migrations/" not in name:
            for mutant in mutants_of(ROOT / name):
                if tests := lines.get(mutant["line"]):
                    found[area].append({"area": area, **mutant, "tests": tests})
    chance = random.Random(SEED)
    chosen = [one for every in found.values() for one in chance.sample(every, count // len(AREAS))]
    for one in chosen:
        one["tests"] = chance.sample(one["tests"], min(len(one["tests"]), MOST_TESTS))
    return chosen


def try_out(mutant: dict[str, Any], clone: Path) -> dict[str, Any]:
    """Run the tests of a mutant in a clone until one fails."""
    path = clone / mutant["path"]
    before = path.read_text(encoding="utf-8")
    lines = before.splitlines(keepends=True)
    line, start = lines[mutant["line"] - 1], mutant["column"]
    end = start + len(mutant["old"])
    if line[start:end] != mutant["old"]:
        raise SystemExit(f"{path} has changed: choose again")
    lines[mutant["line"] - 1] = line[:start] + mutant["new"] + line[end:]
    path.write_text("".join(lines), encoding="utf-8")
    options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *mutant["tests"]],
            cwd=clone,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        path.write_text(before, encoding="utf-8")
    killer = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    known = {name: mutant[name] for name in ("area", "path", "line", "old", "new")}
    return {**known, "killed": done.returncode != 0, "killer": killer and killer[1]}


def main(arguments: list[str]) -> int:
    """Choose mutants, or run those of a file."""
    match arguments:
        case ["choose", count]:
            print(json.dumps(choose(int(count)), indent=1))
        case ["run", file, clone]:
            for mutant in json.loads(Path(file).read_text(encoding="utf-8")):
                print(json.dumps(try_out(mutant, Path(clone))), flush=True)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
