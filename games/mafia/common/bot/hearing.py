"""The reading of posts by bots: who is named, who claims a role, what is said of whom."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

#: The least letters of the last part of a name by which alone a player is called.
LEAST_LETTERS: Final = 5

_ROLE: Final = re.compile(
    r"\bi(?: am|'m) (?:only |just )?(?:the |a )?(sheriff|doctor|detective|citizen)\b", re.IGNORECASE
)
_VERDICT: Final = r"\b(?:'s file)? (?:is|was|says|reads)(?: the)?( not)? mafia\b"
_SENTENCE: Final = re.compile(r"[^.!?]+")
_PLACE: Final = re.compile(r"\{\w+\}")
_ANYTHING: Final = "xanythingx"


class Claims(NamedTuple):
    """The last role that each seat claims; and by (author, seat) whether the author says that the
    seat is mafia.
    """

    roles: Mapping[int, str]
    verdicts: Mapping[tuple[int, int], bool]

    def claimants(self, role: str) -> list[int]:
        return [seat for seat, claimed in self.roles.items() if claimed == role]


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a post in a form in which repeats are equal.
    >>> sentences_in("Well. My vote goes to Ann!")
    ['well', 'my vote goes to ann']
    """
    return [found.strip().casefold() for found in _SENTENCE.findall(text) if found.strip()]


@lru_cache(64)
def _callings(names: tuple[tuple[int, str], ...]) -> tuple[tuple[int, str], ...]:
    """Return each seat with the pattern of its name, or of the last part of it."""
    lasts = [re.split(r"[_\-\s]", name)[-1].casefold() for _, name in names]
    found = []
    for (no, name), last in zip(names, lasts, strict=True):
        is_enough = len(last) >= LEAST_LETTERS and lasts.count(last) == 1
        pattern = rf"(?:[\w-]*{re.escape(last)})" if is_enough else re.escape(name)
        found.append((no, rf"(?<![\w-]){pattern}(?![\w-])"))
    return tuple(found)


@lru_cache(4096)
def named_in(text: str, names: tuple[tuple[int, str], ...]) -> tuple[int, ...]:
    """Return the seats that a text names, in the order of seats.
    >>> named_in("You voted for Kowalski, @Ann!", ((0, "Ann"), (1, "Crowbar_Kowalski")))
    (0, 1)
    """
    return tuple(no for no, pattern in _callings(names) if re.search(pattern, text, re.IGNORECASE))


@lru_cache(4096)
def _verdicts(text: str, names: tuple[tuple[int, str], ...]) -> tuple[tuple[int, bool], ...]:
    if "mafia" not in text.casefold():
        return ()
    return tuple(
        (no, match.group(1) is None)
        for no, pattern in _callings(names)
        if (match := re.search(pattern + _VERDICT, text, re.IGNORECASE))
    )


def claims_in(posts: Iterable[Mapping[str, Any]], names: Mapping[int, str]) -> Claims:
    called = tuple(sorted(names.items()))
    roles: dict[int, str] = {}
    verdicts: dict[tuple[int, int], bool] = {}
    for each in posts:
        if claimed := _ROLE.search(each["text"]):
            roles[each["seat"]] = claimed.group(1).casefold()
        for about, is_mafia in _verdicts(each["text"], called):
            if about != each["seat"]:
                verdicts[each["seat"], about] = is_mafia
    return Claims(roles, verdicts)


@lru_cache(1024)
def _shapes(template: str) -> tuple[re.Pattern[str], ...]:
    """Return patterns of the sentences of a template, with any words in its places."""
    pieces = sentences_in(_PLACE.sub(_ANYTHING, template))
    return tuple(re.compile(re.escape(piece).replace(_ANYTHING, ".+")) for piece in pieces)


def new_line(
    texts: Sequence[str], said: frozenset[str], words: Mapping[str, Any], *, first: int
) -> str | None:
    """Return the first text, counted from ``first``, that nobody has used in this game and whose
    places are all in ``words``.
    """
    for no in range(len(texts)):
        template = texts[(first + no) % len(texts)]
        if any(shape.fullmatch(each) for shape in _shapes(template) for each in said):
            continue
        try:
            return template.format_map(words)
        except KeyError:
            continue
    return None


def is_new(text: str, said: frozenset[str]) -> bool:
    """Whether no sentence of a text was said before."""
    return not said.intersection(sentences_in(text))
