"""The newest public lines of a match, as its views show them, in canonical text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from games.engine.facts import Told
from games.engine.structs import canonical
from games.matches.journal.entries import Recorded
from games.text.telling import Teller

#: The most public lines in a view.
LINES: Final = 20

_DECODER: Final = json.JSONDecoder()


class Line(msgspec.Struct, frozen=True):
    """A public line in canonical text, and the length of its sentence in characters."""

    text: str
    length: int


def lines_of(
    told: Iterable[Told] | Iterable[Recorded],
    earlier: int,
    phase: int,
    names: Mapping[int, str],
    sentences: Mapping[str, Teller | None],
) -> list[Line]:
    """Return a line for each public fact with a sentence; ``earlier`` public facts came before."""
    lines, number = list[Line](), earlier
    for each in told:
        if each.audience is not None:
            continue
        number += 1
        teller = sentences.get(each.kind)
        if teller is not None and (text := teller(each.data, names)):
            shown = {"n": number, "phase": phase, "kind": each.kind, "text": text}
            lines.append(Line(canonical(shown), len(text)))
    return lines


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


def newest(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the last line and those before it that fit into 3,500 characters, oldest first."""
    kept = length = 0
    for line in reversed(lines[-LINES:]):
        length += line.length + 60
        if kept and length > 3_500:
            break
        kept += 1
    return tuple(lines[len(lines) - kept :])
