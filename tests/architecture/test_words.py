"""A sentence stands once: in Python, from where boards get it, or in a script."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from games import registry
from tests.architecture.code import ROOT, docstring, modules, tree

SCRIPTS: Final = ROOT / "static" / "js"
#: The packages of games, and the one that holds several.
PACKAGES: Final = {*registry.GAMES, "games.mafia", "games.simple"}
#: Short labels and states, which some pages need without a board.
LABELS: Final = {
    "a bot",
    "a draw",
    "best of",
    "best streak",
    "not ready",
    "you are ready",
    "your turn",
}
#: The least words of a literal, and of a piece of one beside fields or tags, that counts.
WHOLE, PIECE = 2, 4
COMMENTS: Final = re.compile(r"^\s*//[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL)


def folders() -> list[str]:
    return [".", *sorted(path.name for path in SCRIPTS.iterdir() if path.is_dir())]


def written(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .,:;!?·…()")


def long_ones(literals: set[str], pieces: set[str]) -> set[str]:
    """Return what counts as a sentence, in one form of writing."""
    return {text for one in literals if len((text := written(one)).split()) >= WHOLE} | {
        text for one in pieces if len((text := written(one)).split()) >= PIECE
    }


def sentences_of_scripts(folder: str) -> set[str]:
    texts = [COMMENTS.sub("", path.read_text()) for path in (SCRIPTS / folder).glob("*.js")]
    literals = {found for text in texts for found in re.findall(r'"([^"\n]*)"', text)}
    return long_ones(literals, {one for text in texts for one in re.split(r'[`"${}<>\n]', text)})


def strings(path: Path) -> Iterator[tuple[bool, str]]:
    """Give the strings of a module, without docstrings, and whether each is a part of another."""
    nodes = list(ast.walk(tree(path)))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    skipped = {id(found.value) for node in nodes if isinstance(node, kinds)
               if isinstance(found := docstring(node), ast.Expr)}  # fmt: skip
    parts = {
        id(value) for node in nodes if isinstance(node, ast.JoinedStr) for value in node.values
    }
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and id(node) not in skipped:
            yield id(node) in parts, text


def sentences_of_python(paths: list[Path]) -> set[str]:
    found = [one for path in paths for one in strings(path)]
    literals = {text for is_part, text in found if not is_part}
    return long_ones(literals, {part for _, text in found for part in re.split(r"\{.*?\}", text)})


def is_kin(name: str, own: str) -> bool:
    """Whether one package holds the other, or they are the same."""
    return f"{name}.".startswith(f"{own}.") or f"{own}.".startswith(f"{name}.")


@pytest.mark.parametrize("folder", folders())
def test_no_sentence_stands_in_python_and_in_a_script(folder: str) -> None:
    own = registry.package(folder) if folder in registry.slugs() else f"games.{folder}".strip(".")
    others = {ROOT.joinpath(*name.split(".")) for name in PACKAGES if not is_kin(name, own)}
    paths = [path for path in modules("games") if not others & {*path.parents}]
    assert sentences_of_scripts(folder) & sentences_of_python(paths) <= LABELS
