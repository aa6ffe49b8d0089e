"""The newest public lines of a match, as its views show them, in canonical text."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.engine.facts import Told
from games.engine.structs import canonical

#: The most public lines in a view, and the most characters of them.
LINES: Final = 20
LINES_LENGTH: Final = 3_500

_DECODER: Final = json.JSONDecoder()

Tell = Callable[[str, Mapping[str, Any], Mapping[int, str]], str | None]


class Line(NamedTuple):
    """A public line in canonical text, and the length of its sentence in characters."""

    text: str
    length: int


def line_of(number: int, phase: int, kind: str, text: str) -> Line:
    """Return a fact's sentence as a line."""
    shown = {"n": number, "phase": phase, "kind": kind, "text": text}
    return Line(canonical(shown), len(text))


def told_lines(
    told: Sequence[Told], last_public: int, phase: int, names: Mapping[int, str], tell: Tell
) -> Iterator[Line]:
    """Yield a line for each public fact of an entry that has a sentence.

    Args:
        last_public: the number of the last public fact.
    """
    public = [each for each in told if each.audience is None]
    for number, each in enumerate(public, last_public - len(public) + 1):
        if text := tell(each.kind, each.data, names):
            yield line_of(number, phase, each.kind, text)


def read_lines(stored: str) -> list[Line]:
    """Decode the text of ``write_lines``; each line keeps its own piece of the text."""
    lines, place = [], 1
    while place < len(stored) - 1:
        line, end = _DECODER.raw_decode(stored, place)
        lines.append(Line(stored[place:end], len(line["text"])))
        place = end + 1
    return lines


def write_lines(lines: Iterable[Line]) -> str:
    """Join lines into one canonical text."""
    return f"[{','.join([line.text for line in lines])}]"


def newest(lines: Sequence[Line]) -> list[Line]:
    """Return the newest lines that fit into a view, oldest first."""
    if len(lines) <= LINES and sum(line.length + 60 for line in lines) <= LINES_LENGTH:
        return list(lines)
    kept: list[Line] = []
    length = 0
    for line in reversed(lines[-LINES:]):
        length += line.length + 60
        if kept and length > LINES_LENGTH:
            break
        kept.append(line)
    return kept[::-1]
