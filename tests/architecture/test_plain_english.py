"""Docstrings, comments and pages are in plain English.  Source: CONTRIBUTING.md "Words"."""

import ast
import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.architecture.code import ROOT, modules, tree

FOLDERS: Final = ("accounts", "bench", "economy", "games", "rpsite", "tests", "tools")
#: A docstring begins with a verb or with what a thing is.
OPENINGS: Final = re.compile(r"(How|Let|So|What|Whatever|Where|Who|Whoever|Whose|Why)\b")
#: Literary or unclear words and phrases; docs/reference/glossary.md names the trade's words.
REFUSED: Final = re.compile(
    r"\b(whoever|whosoever|onlookers?|look(s|ed|ing)? on|deeds?|clerks?|halls?|so many|so much as"
    r"|of (its|his|her|their) own accord|by (itself|themselves)|what is due|who is who"
    r"|what bec(omes|ame) of|let(s|ting)? go|(lies?|lay|lying) beside|in good order|no good"
    r"|says no|for ever|once and for all|whence|hence|thereof|therein|lest|reckon\w*"
    r"|anew|afresh|once more|from here on|(stands?|standing|stood) still|goes by"
    r"|but for|whatever|wherever|whichever|one's own|(told|hears?|heard) of"
    r"|(gives?|gave|giving) way|does no harm)\b",
    re.IGNORECASE,
)
#: Words of the interface that others replaced; a page, a script or a sentence has the new ones.
RETIRED: Final = re.compile(
    r"\b(throw one: a bot|three bots at a table|chips are no points|dearer|one betting in a game"
    r"|choose on\b|no answer folds|is not attacked yet|your turn: nothing to call|own stock"
    r"|not ready after all|points that nobody bet|the target is reached|does not count: (throw|0)"
    r"|ask to suspend|asks to suspend|change the configuration|who may come|clock a throw"
    r"|as long as you like|it rests|of seven, some minutes|moves by itself|the top is free"
    r"|for good, until|no way back|every movement|land mines?|empty hands?|back to it"
    r"|what you pressed|house tables|the house (restarts|is busy))\b",
    re.IGNORECASE,
)
#: Words of the games' own stories.
STORY: Final = {"who is who"}
#: Comments of scripts and styles; an address has no blank before its slashes.
COMMENTS: Final = re.compile(r"/\*.*?\*/|(?:^|(?<=\s))//[^\n]*", re.DOTALL | re.MULTILINE)
#: Tags, and what is inserted, of a template; its own comments are read as text.
MARKUP: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", re.DOTALL)
CODE: Final = re.compile(r"```.*?```|``.*?``|`[^`]*`", re.DOTALL)
#: Documents; rule books have words of their own, and the page on performance is being rewritten.
NOT_READ: Final = {"rules", "performance.md"}
DOCUMENTS: Final = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *(path for path in (ROOT / "docs").rglob("*.md") if not NOT_READ & set(path.parts)),
]


def docstrings(path: Path) -> Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree(path)):
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield text


def comments(path: Path) -> Iterator[str]:
    """Give the comments of a module, those on adjoining lines as one text."""
    last, block = -1, ""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.COMMENT:
            text = token.string.lstrip("#: ")
            block = f"{block} {text}" if token.start[0] == last + 1 else text
            last = token.start[0]
            yield block


def strings(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def refused(texts: Iterator[str], words: re.Pattern[str] = REFUSED) -> set[str]:
    """Return what the texts may not say, without names of code."""
    plain = (" ".join(CODE.sub("", text).split()) for text in texts)
    return {found.group().lower() for text in plain for found in words.finditer(text)}


def sentences(path: Path) -> Iterator[str]:
    """Give the texts of a module that are no docstrings."""
    held = set(docstrings(path))
    yield from (text for text in strings(path) if inspect.cleandoc(text) not in held)


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_begin_with_a_verb_or_a_noun(folder: str) -> None:
    paths = modules(folder)
    assert paths
    wrong = {f"{path.relative_to(ROOT)}: {text.splitlines()[0]}" for path in paths
             for text in docstrings(path) if OPENINGS.match(text)}  # fmt: skip
    assert not wrong


@pytest.mark.parametrize("folder", FOLDERS)
def test_comments_and_texts_are_in_plain_english(folder: str) -> None:
    """Texts are docstrings, help, log messages, refusals, sentences; of tests only docstrings."""
    texts = docstrings if folder == "tests" else strings
    paths = [path for path in modules(folder) if path != Path(__file__)]
    found = {path: (refused(texts(path)) | refused(comments(path))) - STORY for path in paths}
    assert not {str(path.relative_to(ROOT)): words for path, words in found.items() if words}


@pytest.mark.parametrize("pattern", ["static/js/**/*.js", "static/css/*.css"])
def test_comments_and_texts_of_scripts_and_styles_are_in_plain_english(pattern: str) -> None:
    files = {path: path.read_text() for path in ROOT.glob(pattern)}
    assert files
    wrong = {}
    for path, text in files.items():
        starts = (comment.lstrip("/* \n") for comment in COMMENTS.findall(text))
        begun = {start for start in starts if OPENINGS.match(start)}
        words = {found.group().lower() for found in REFUSED.finditer(text)} - STORY
        if words | begun:
            wrong[str(path.relative_to(ROOT))] = words | begun
    assert not wrong


def test_pages_are_in_plain_english() -> None:
    paths = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    assert paths
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    wrong = {name: refused(iter([MARKUP.sub("", text)])) for name, text in texts.items()}
    assert not {name: words for name, words in wrong.items() if words}
    assert not {name for name, text in texts.items() if OPENINGS.match(text.removeprefix("{# "))}


@pytest.mark.parametrize("folder", ["accounts", "economy", "games"])
def test_sentences_of_the_interface_have_no_retired_words(folder: str) -> None:
    found = {path: refused(sentences(path), RETIRED) for path in modules(folder)}
    assert not {str(path.relative_to(ROOT)): words for path, words in found.items() if words}


@pytest.mark.parametrize("pattern", ["static/js/**/*.js", "templates/**/*.*"])
def test_pages_and_scripts_have_no_retired_words(pattern: str) -> None:
    paths = list(ROOT.glob(pattern))
    assert paths
    # The sentences of a script stand between the marks that quote code elsewhere.
    texts = {path: COMMENTS.sub("", path.read_text()).replace("`", "") for path in paths}
    found = {path: refused(iter([text]), RETIRED) for path, text in texts.items()}
    assert not {str(path.relative_to(ROOT)): words for path, words in found.items() if words}


def test_documents_are_in_plain_english() -> None:
    assert len(DOCUMENTS) > 30
    wrong = {str(path.relative_to(ROOT)): refused(iter([path.read_text()])) for path in DOCUMENTS}
    assert not {name: words for name, words in wrong.items() if words}


def test_the_search_finds_such_words() -> None:
    assert refused(iter(["Whoever looks on\nis late"])) == {"whoever", "looks on"}
    assert refused(iter(["the name ``let_go`` and `so many` stay"])) == set()
    assert refused(iter(["No way back,\nand Not  ready after all"]), RETIRED) == {
        "no way back",
        "not ready after all",
    }
    assert refused(iter(["```\nwhatever\n```\nis read anew"])) == {"anew"}
    assert COMMENTS.findall('a("https://b"); // one\n/* two */') == ["// one", "/* two */"]
