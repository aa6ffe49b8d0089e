"""The analysis of a finished duel: how the observer read both sides, in figures and sentences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypedDict

from games.contract import Happened
from games.duel import reading
from games.duel.reading import HANDS, Cell
from games.duel.rules.state import Hand
from games.text.telling import Names, name_of

#: What a best reply would have been worth, in a word.
_WORDS: Final = {1: ": read", 0: "", -1: ": misread"}


class CellView(TypedDict):
    """A throw of one seat. ``expected`` are chances by hand; ``read`` is 1 if ``reply``, the best
    one, would have won, -1 if lost, else 0.
    """

    throw: int
    expected: dict[str, float]
    hand: str | None
    reply: str | None
    read: int
    text: str


class SideView(TypedDict):
    """One seat as it was read; ``dearest`` is the throw that cost most. ``own_lines`` say to the
    player what ``lines`` say to others.
    """

    seat: int
    thrown: int
    read: int
    dearest: int | None
    edge: dict[str, float] | None
    bits: float | None
    cells: list[CellView]
    lines: list[str]
    own_lines: list[str]


class AnalysisView(TypedDict):
    """Both sides; ``lines`` say all of it. ``version`` is the observer's."""

    version: int
    sides: list[SideView]
    lines: list[str]


class _Throw(NamedTuple):
    number: int
    hands: tuple[Hand | None, Hand | None]
    winners: tuple[int, ...]


def analysis_of(facts: Iterable[Happened], names: Names) -> AnalysisView | None:
    """Return the analysis of a duel from all its facts; None if no hand was shown."""
    throws = list(_throws(facts))
    if not any(any(throw.hands) for throw in throws):
        return None
    sides = [_side(seat, throws, name_of(seat, names)) for seat in (0, 1)]
    pairs = zip(*(side["cells"] for side in sides), strict=True)
    told = [
        f"Throw {first['throw']}: {name_of(0, names)}: {first['text']};"
        f" {name_of(1, names)}: {second['text']}."
        for first, second in pairs
    ]
    lines = [*sides[0]["lines"], *sides[1]["lines"], *told]
    return {"version": reading.VERSION, "sides": sides, "lines": lines}


def _throws(facts: Iterable[Happened]) -> Iterator[_Throw]:
    for kind, data in facts:
        if kind == "hands_revealed":
            yield _Throw(data["throw"], reading.hands_in(data), tuple(data["winners"]))
        elif kind == "throw_voided":
            yield _Throw(data["throw"], (None, None), ())


def _side(seat: int, throws: Sequence[_Throw], name: str) -> SideView:
    cells = reading.read((throw.hands[seat], throw.hands[1 - seat]) for throw in throws)
    lost = [place for place, throw in enumerate(throws) if throw.winners == (1 - seat,)]
    place = reading.dearest(cells, lost)
    edge, bits = reading.edge_of(cells), reading.bits_of(cells)
    side: SideView = {
        "seat": seat,
        "thrown": sum(cell.thrown is not None for cell in cells),
        "read": sum(cell.won == 1 for cell in cells),
        "dearest": None if place is None else throws[place].number,
        "edge": edge and {name: round(value, 1) for name, value in edge._asdict().items()},
        "bits": None if bits is None else round(bits, 3),
        "cells": [_cell(throw.number, cell) for throw, cell in zip(throws, cells, strict=True)],
        "lines": [],
        "own_lines": [],
    }
    side["lines"] = list(_lines(side, name, f"{name} was", name))
    side["own_lines"] = list(_lines(side, "You", "You were", "you"))
    return side


def _cell(number: int, cell: Cell) -> CellView:
    chances = (round(chance, 3) for chance in cell.expected)
    by_hand = dict(zip(HANDS, chances, strict=True))
    reply = reading.best_reply(cell.expected)
    expected = ", ".join(f"{hand.value} {100 * chance:.0f} %" for hand, chance in by_hand.items())
    hand = cell.thrown.value if cell.thrown else None
    return {
        "throw": number,
        "expected": {hand.value: chance for hand, chance in by_hand.items()},
        "hand": hand,
        "reply": reply and reply.value,
        "read": cell.won,
        "text": f"{hand or 'nothing in time'}, expected {expected}{_WORDS[cell.won]}",
    }


def _lines(side: SideView, who: str, who_was: str, whom: str) -> Iterator[str]:
    """Yield the sentences on a side, such as "You were read on 3 of 7; chance is 2 or 3."."""
    thrown, edge, bits = side["thrown"], side["edge"], side["bits"]
    if not thrown:
        yield f"{who} threw nothing in time."
        return
    third, rest = divmod(thrown, 3)
    chance = f"{third} or {third + 1}" if rest else third
    throws = "throw" if thrown == 1 else "throws"
    yield f"{who_was} read on {side['read']} of {thrown} {throws}; chance is {chance}."
    for cell in side["cells"]:
        if cell["throw"] == side["dearest"] and (hand := cell["hand"]):
            percent = 100 * cell["expected"][hand]
            cost = f"Throw {cell['throw']} cost {whom} most"
            yield f"{cost}: {hand} was expected with {percent:.0f} %."
    if edge is not None:
        value, spread = round(edge["value"]), round(edge["give_or_take"])
        more, less = ("loses", "wins") if value < 0 else ("wins", "loses")
        than = f"{more} {abs(value)} more than it {less}" if value else "wins as many as it loses"
        yield f"A reader {than} in 100 throws against {whom}; chance is 0, give or take {spread}."
    if bits is not None:
        more = "less" if bits < 0 else "more"
        yield f"The reader knew {abs(bits):.2f} bits a throw {more} about {whom} than chance."
