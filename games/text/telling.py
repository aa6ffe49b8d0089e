"""The building blocks of every game's sentences, and tellers made from patterns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

Data = Mapping[str, Any]
Names = Mapping[int, str]
#: A function that tells an event; None if the log does not show it.
Teller = Callable[[Data, Names], str | None]

#: The key in ``Names`` for the previous player of the seat that a fact is about.
FORMER: Final = -1


def name_of(seat: int, names: Names) -> str:
    """Return the player's name; for an empty seat its number, counted from 1."""
    return names.get(seat) or f"Seat {seat + 1}"


def points(amount: int) -> str:
    """Return an amount with its noun.
    >>> points(1), points(12)
    ('1 point', '12 points')
    """
    return "1 point" if amount == 1 else f"{amount} points"


def shortest_span(seconds: int) -> str:
    """Return a length of time in its largest whole unit.
    >>> shortest_span(90), shortest_span(600), shortest_span(86_400)
    ('90 s', '10 min', '1 d')
    """
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds % length == 0:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"


def listed(words: Iterable[str]) -> str:
    """Join words as a list in a sentence.
    >>> listed(["al", "bo", "cy"])
    'al, bo and cy'
    """
    *first, last = list(words) or ["nobody"]
    return f"{', '.join(first)} and {last}" if first else last


def sentence(text: str) -> str:
    """Return an error message as a sentence.
    >>> sentence("you own no landmine"), sentence("There is none. Try !help.")
    ('You own no landmine.', 'There is none. Try !help.')
    """
    end = "" if text.endswith((".", "!", "?")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def who_pattern(pattern: str) -> Teller:
    """Return a teller that uses only the name of the seat and the plain fields of the event."""

    def tell(data: Data, names: Names) -> str:
        return pattern.format_map({**data, "who": name_of(data["seat"], names)})

    return tell


def plain_pattern(pattern: str) -> Teller:
    """Return a teller for an event without a seat."""
    return lambda data, _names: pattern.format_map(data)


def people(seats: Sequence[int], names: Names) -> str:
    """List players by their seats."""
    return listed(name_of(seat, names) for seat in seats)
