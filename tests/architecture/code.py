"""The repository's Python as trees, for the tests of its architecture."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("accounts", "economy", "games", "rpsite")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*packages: str) -> list[Path]:
    """Return the packages' files, without migrations, which a program writes."""
    return sorted(
        path
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        if "migrations" not in path.parts
    )


@cache
def tree(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> set[str]:
    """Return all that a file imports, at any place in it, by full names."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _base(path, node)
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return found


def _base(path: Path, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = path.relative_to(ROOT).parent.parts
    parents = package[: len(package) - node.level + 1]
    return ".".join([*parents, node.module] if node.module else parents)


def functions(path: Path) -> Iterator[Function]:
    """Give all functions of a file, methods and inner ones too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def docstring(node: Function | ast.ClassDef | ast.Module) -> ast.stmt | None:
    """Return the statement that is the docstring."""
    return node.body[0] if ast.get_docstring(node) is not None else None


def length(function: Function) -> int:
    """Return how many lines a function has, decorators and docstring not counted."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    doc = docstring(function)
    return lines - ((doc.end_lineno or 0) - doc.lineno + 1 if doc else 0)


def parameters(function: Function) -> list[ast.arg]:
    """Return a function's parameters, ``self`` and ``cls`` not counted."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [arg for arg in every if arg.arg not in ("self", "cls")]


@cache
def tracked() -> list[Path]:
    """Return the files that belong to the repository, as git sees them."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [ROOT / name for name in sorted(set(listing.stdout.split("\0"))) if name]
    return [path for path in paths if path.is_file()]


def where(path: Path, line: int | None = None) -> str:
    """Return a place as people write it."""
    name = str(path.relative_to(ROOT))
    return name if line is None else f"{name}:{line}"
