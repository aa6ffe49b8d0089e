"""Limits on the length and width of code.  Source: CONTRIBUTING.md "Budgets"."""

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

NINE_IN_TEN = 20
LONGEST = 50
MOST_PARAMETERS = 5
USUAL_FILE, LONGEST_FILE = 150, 500


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_are_short(package):
    found = [
        (length(function), function, path)
        for path in modules(package)
        for function in functions(path)
    ]
    lengths = sorted(count for count, _, _ in found)
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
    lines = {
        where(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in modules(*PACKAGES)
    }
    assert statistics.median(lines.values()) <= USUAL_FILE
    assert {path: count for path, count in lines.items() if count > LONGEST_FILE} == {}


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
