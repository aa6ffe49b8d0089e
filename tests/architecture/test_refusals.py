"""A refusal that no code catches has a row in a table: its code and the code's meaning."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.architecture.code import PACKAGES, ROOT, imports, modules, tree, where

#: Who makes a refusal: name -> the modules that give it.
MAKERS: Final = {
    "refuse": ("economy.errors", "games.engine.errors"),
    "refusal": ("games.engine.errors",),
    "MalformedFrame": ("games.realtime.protocol",),
}
#: The tables whose codes are raised in other packages too.
COMMON: Final = ("economy/errors.py", "games/engine/errors.py", "games/realtime/protocol.py")


def rows(path: Path, *names: str) -> list[str]:
    """Return the codes in a file's tables of these names, in order."""
    return [
        ast.literal_eval(key)
        for node in tree(path).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)
        if isinstance(node.target, ast.Name) and node.target.id in names
        for key in node.value.keys
        if key is not None
    ]


def makers(path: Path) -> set[str]:
    module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    known = imports(path)
    return {
        name
        for name, homes in MAKERS.items()
        if module in homes or known & {f"{home}.{name}" for home in homes}
    }


def made(path: Path) -> Iterator[tuple[str, str]]:
    """Give the codes of the refusals that a file makes, each with its place."""
    ours = makers(path)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ours:
            code, place = node.args[0], where(path, node.lineno)
            if isinstance(code, ast.Constant):
                yield code.value, place
            elif path != ROOT / "games/engine/errors.py":
                raise AssertionError(f"{place}: a code is a literal")


def test_each_code_has_one_row_and_no_row_is_left_over() -> None:
    files = modules(*PACKAGES)
    raised = {code: place for path in modules(*PACKAGES, "tools") for code, place in made(path)}
    all_rows = Counter(code for path in files for code in rows(path, "REFUSALS", "CODES"))
    assert [code for code, count in all_rows.items() if count > 1] == []
    assert {code: place for code, place in raised.items() if code not in all_rows} == {}
    assert {code for path in files for code in rows(path, "REFUSALS")} - raised.keys() == set()


def test_the_codes_of_a_package_are_raised_in_it_alone() -> None:
    own = {
        code: str(Path(*path.relative_to(ROOT).parts[:2]))
        for path in modules(*PACKAGES)
        if str(path.relative_to(ROOT)) not in COMMON
        for code in rows(path, "REFUSALS")
    }
    assert own
    raised = [found for path in modules(*PACKAGES) for found in made(path)]
    strange = [
        (code, place) for code, place in raised if not place.startswith(f"{own.get(code, '')}")
    ]
    assert strange == []
