"""How long and how wide code may be.  Source: CONTRIBUTING.md "Budgets"."""

import ast
import statistics

import pytest

from tests.architecture.code import (
    PACKAGES,
    docstring,
    functions,
    length,
    modules,
    parameters,
    tree,
    where,
)

MIDDLE = 8
NINE_IN_TEN = 25
LONGEST = 50
MOST_PARAMETERS = 5
FILE = 300
TABLE = 500
#: Share of a file's lines that must be data for it to be a table.
DATA = 0.5


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_are_short(package):
    found = [
        (length(function), function, path)
        for path in modules(package)
        for function in functions(path)
    ]
    lengths = sorted(count for count, _, _ in found)
    assert statistics.median(lengths) <= MIDDLE
    assert lengths[int(len(lengths) * 0.9)] <= NINE_IN_TEN
    too_long = [where(path, function.lineno) for count, function, path in found if count > LONGEST]
    assert too_long == []


def test_functions_take_few_parameters():
    wide = [
        f"{where(path, function.lineno)} {function.name}"
        for path in modules(*PACKAGES)
        for function in functions(path)
        if len(parameters(function)) > MOST_PARAMETERS
    ]
    assert wide == []


def test_every_function_says_its_types():
    bare = [
        f"{where(path, function.lineno)} {function.name}"
        for path in modules(*PACKAGES)
        for function in functions(path)
        if function.returns is None or any(arg.annotation is None for arg in parameters(function))
    ]
    assert bare == []


def test_files_are_short():
    long = []
    for path in modules(*PACKAGES):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        limit = TABLE if _data_lines(tree(path)) > DATA * lines else FILE
        if lines > limit:
            long.append(f"{where(path)} has {lines} lines")
    assert long == []


def _data_lines(module: ast.Module) -> int:
    """Count the lines of assignments at the top level."""
    return sum(
        (node.end_lineno or 0) - node.lineno + 1
        for node in module.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
    )


def test_every_file_and_public_class_says_what_it_is():
    silent = []
    for path in modules(*PACKAGES):
        module = tree(path)
        if path.name != "__init__.py" and docstring(module) is None:
            silent.append(where(path))
        silent += [
            f"{where(path, node.lineno)} {node.name}"
            for node in module.body
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and not node.name.startswith("_")
            and docstring(node) is None
        ]
    assert silent == []
