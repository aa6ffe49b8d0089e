"""The entries of a journal and their texts: facts, public lines, a whole archive.
Source: docs/explanation/performance.md "The journal"; docs/explanation/scale.md "The archive".
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from games.engine.facts import Told
from games.engine.structs import canonical
from games.matches.models import ArchivedJournal
from games.text.telling import Teller

#: The form of an archived journal; the number changes with the fields of an entry.
FORMAT: Final = 1
#: The most public lines in a view.
LINES: Final = 20
_DECODER: Final = json.JSONDecoder()


class EntryRow(msgspec.Struct, frozen=True, array_like=True):
    """A line of the journal, as ``games.matches.models.Entry``."""

    match_id: int
    no: int
    actor_id: int | None
    seat: int | None
    sitter_id: int | None
    action_id: str
    action: str
    asked: str | None
    phase: int
    facts: str
    at_ms: int
    last_seq: int
    last_public: int
    is_whole: bool


class Recorded(NamedTuple):
    """A stored fact, and the seats that may read it (None: everybody)."""

    kind: str
    data: Mapping[str, Any]
    audience: tuple[int, ...] | None


_FACTS: Final = msgspec.json.Decoder(list[tuple[dict[str, Any], tuple[int, ...] | None]])
_ENTRIES: Final = msgspec.json.Decoder(list[EntryRow])


def write_facts(told: Sequence[Told]) -> str:
    return canonical([(t.fact, None if t.audience is None else sorted(t.audience)) for t in told])


def read_facts(text: str) -> list[Recorded]:
    """Decode the text of ``write_facts``; raises ValueError."""
    return [Recorded(fact.pop("kind"), fact, audience) for fact, audience in _FACTS.decode(text)]


class BrokenArchive(ValueError):
    """An archived journal is not what was stored; the message names the match."""


def pack(match_id: int, entries: Sequence[EntryRow]) -> ArchivedJournal:
    """Return a journal as one row that is not stored yet."""
    text = msgspec.json.encode(entries)
    return ArchivedJournal(
        match_id=match_id,
        format=FORMAT,
        last_no=len(entries),
        digest=hashlib.sha256(text).hexdigest(),
        data=zlib.compress(text, level=9),
    )


def unpack(row: ArchivedJournal) -> list[EntryRow]:
    """Return an archived journal's entries; raises BrokenArchive."""
    if row.format != FORMAT:
        raise BrokenArchive(f"the archived journal of match {row.match_id} has an unknown form")
    try:
        text = zlib.decompress(row.data)
        entries = _ENTRIES.decode(text)
    except (zlib.error, msgspec.DecodeError) as problem:
        raise BrokenArchive(f"the archived journal of match {row.match_id}: {problem}") from None
    places = [(row.match_id, no) for no in range(1, row.last_no + 1)]
    found = [(entry.match_id, entry.no) for entry in entries]
    if (hashlib.sha256(text).hexdigest(), found) != (row.digest, places):
        raise BrokenArchive(f"the archived journal of match {row.match_id} was changed")
    return entries


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
    """Return a line for each public fact with a sentence, after ``earlier`` public facts."""
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
    return f"[{','.join([line.text for line in lines])}]"


def newest(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the last lines that fit into 3,500 characters, oldest first; one at least."""
    kept = length = 0
    for line in reversed(lines[-LINES:]):
        length += line.length + 60
        if kept and length > 3_500:
            break
        kept += 1
    return tuple(lines[len(lines) - kept :])
