"""The reading of posts by bots: who is named, who claims a role, what is said of whom."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

#: The least letters of the last part of a name by which alone a player is called.
LEAST_LETTERS: Final = 5

_ROLE: Final = re.compile(
    r"\b(?:i am|i'm|im|i claim)(?: only| just)?(?: the| a)? (sheriff|doctor|detective|citizen)\b",
    re.IGNORECASE,
)
_VERDICT: Final = (
    r"\b(?:'s file)? (?:is|was|says|reads)(?: the)?"
    r"(?:( not)? (?:mafia|guilty)|( innocent| clean))\b"
)
_SIDE: Final = re.compile(r"mafia|guilty|innocent|clean", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[^.!?]+")
#: What somebody asks or supposes is no claim.
_SUPPOSED: Final = re.compile(r"[^.!?]*\?|\bif\b[^.!?,;]*", re.IGNORECASE)

#: Questions by kind, the first that fits; those of NAMING need somebody's name besides.
QUESTIONS: Final = {
    kind: re.compile(pattern, re.IGNORECASE)
    for kind, pattern in (
        ("mafia", r"\bare you (\w+ ){0,2}(mafia|guilty|evil|bad|agent|mafioso)\b|\bone of them\b"),
        ("claim", r"\bclaim\b|\byour role\b|\b(who|what) are you\b|\bare you (the|an?) \w+"),
        ("saved", r"\b(save[ds]?|heal\w*|protect\w*)\b"),
        ("read", r"\bfiles?\b|\binvestigat\w*|\bdid you (read|check|find|learn)\b"),
        ("why", r"\bwhy\b|\breasons?\b|\bexplain\b"),
        ("night", r"\blast night\b|\bwhat happened\b|\bwho (died|was killed)\b|\bany news\b"),
        ("danger", r"\bdanger\b|\bfuse\b"),
        ("believes", r"\b(believe|trust) me\b"),
        ("vote", r"\b(vote|hang|lynch|shake)\b"),
        ("clear", r"\bclear\b|\bwhat (about|of)\b|\bthink\b|\btrust\b|\bis\b"),
        ("trusts", r"\btrust\b|\binnocent\b"),
        ("suspects", r"\bwhom?\b"),
        (
            "accused",
            r"\bmafia\b|\b(lie|lies|liar|lying|guilty|vote|hang|lynch)\b|\b(suspect|for) you\b",
        ),
        ("asks", r"\bsuspect\w*|\bthink\b|\?"),
        ("greets", r"\b(hi|hello|hey|morning|good day)\b"),
    )
}
NAMING: Final = frozenset({"vote", "clear"})


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
    """Return the seats that a text names, in the order of their first names in it.
    >>> named_in("You voted for Kowalski, @Ann!", ((0, "Ann"), (1, "Crowbar_Kowalski")))
    (1, 0)
    """
    found = ((no, re.search(pattern, text, re.IGNORECASE)) for no, pattern in _callings(names))
    return tuple(no for _, no in sorted((match.start(), no) for no, match in found if match))


@lru_cache(4096)
def _verdicts(text: str, names: tuple[tuple[int, str], ...]) -> tuple[tuple[int, bool], ...]:
    if not _SIDE.search(text):
        return ()
    return tuple(
        (no, not any(match.groups()))
        for no, pattern in _callings(names)
        if (match := re.search(pattern + _VERDICT, text, re.IGNORECASE))
    )


def claims_in(posts: Iterable[Mapping[str, Any]], names: Mapping[int, str]) -> Claims:
    called = tuple(sorted(names.items()))
    roles: dict[int, str] = {}
    verdicts: dict[tuple[int, int], bool] = {}
    for each in posts:
        said = _SUPPOSED.sub("", each["text"])
        if claimed := _ROLE.search(said):
            roles[each["seat"]] = claimed.group(1).casefold()
        for about, is_mafia in _verdicts(said, called):
            if about != each["seat"]:
                verdicts[each["seat"], about] = is_mafia
    return Claims(roles, verdicts)


def question_in(text: str, *, is_about: bool) -> str:
    """Return the kind of a question; ``is_about``: whether it names somebody besides who is asked.
    >>> question_in("Eddie, whom did you save?", is_about=False)
    'saved'
    """
    fitting = (kind for kind, pattern in QUESTIONS.items() if pattern.search(text))
    return next((kind for kind in fitting if is_about or kind not in NAMING), "other")


@lru_cache(4096)
def shapes_of(text: str, names: tuple[str, ...]) -> frozenset[str]:
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return frozenset(sentences_in(re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", "*", text)))
