"""The reading of posts by bots: who is named, who claims a role, what is said of whom."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.mafia.common.bot.lines import read_lines

#: The least letters of a last part that calls its player as the end of a word. Other parts of four
#: letters call a player in any case, shorter ones as they are spelled.
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

_WH: Final = "who|whom|whose|what|why|how|where|when|which|any|tell|claim|role|explain|vote"
_VERB: Final = "do|did|does|are|is|was|were|can|could|would|will|should|have|has"
#: What begins a question or a request, after a greeting and the name of who is called.
_ASKS: Final = re.compile(
    r"\?|^\W*(?:(?:hey|hi|ok|so|and|but|well|now|then|please|everybody|all)\W+)?"
    rf"(?:(?!i\b|you\b|we\b|they\b)(?-i:[A-Z])[\w-]*\s+(?:{_WH})"
    rf"|(?:@?[\w-]+\s*[,:]\s*|@[\w-]+\s+)?(?:please\W+)?(?:{_WH}|{_VERB}|say|answer|give|name|hang"
    r"|lynch|shake|believe|trust|let us|join))\b",
    re.IGNORECASE,
)
_PATTERNS: Final = read_lines(Path(__file__).with_name("hearing.txt"))


def _kinds(of: str) -> dict[str, re.Pattern[str]]:
    return {
        name.removeprefix(of): re.compile("|".join(patterns), re.IGNORECASE)
        for name, patterns in _PATTERNS.items()
        if name.startswith(of)
    }


#: Questions and statements by kind, the first that fits; those of NAMING need a name besides.
QUESTIONS, STATEMENTS = _kinds("question "), _kinds("said ")
NAMING: Final = frozenset({"vote", "clear"})
_CHAT: Final = dict(line.split(" ", 1) for line in _PATTERNS["chat"])
_SPELLED: Final = " ".join(_PATTERNS["spelled"]).split()
_WORDS: Final = frozenset(" ".join(_PATTERNS["words"]).split())


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
    parts = [re.split(r"[_\-\s]", name) for _, name in names]
    counts = Counter(part for some in parts for part in {*some})
    found = []
    for (no, name), last, own in zip(names, lasts, parts, strict=True):
        patterns = [re.escape(name)]
        if len(last) >= LEAST_LETTERS and lasts.count(last) == 1:
            patterns.append(rf"[\w-]*{re.escape(last)}")
        called = [part for part in own if counts[part] == 1 and part not in _WORDS and part[1:]]
        called = [re.escape(part) for part in called if part[0].isupper()]
        patterns += [part if part[3:] else f"(?-i:{part})" for part in called]
        found.append((no, rf"(?<![\w-])(?:{'|'.join(patterns)})(?![\w-])"))
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


@lru_cache(4096)
def _spelled(text: str) -> str:
    """Return a text with the words of chats in full, and the nearest known ones for misspelled.
    >>> _spelled("r u the sherrif?")
    'are you the sheriff?'
    """

    def spelled(found: re.Match[str]) -> str:
        word = found[0].casefold()
        near = get_close_matches(word, _SPELLED, 1, 0.8) if len(word) >= LEAST_LETTERS else []
        is_typo = near and near[0][0] == word[0]
        return _CHAT.get(word, near[0] if is_typo else found[0])

    return re.sub(r"(?<![@_-])\b[A-Za-z']+\b(?![_-])", spelled, text)


def asked_in(text: str) -> str:
    parts = re.findall(r"[^.!?]+[.!?]*", text)
    return "".join(part for part in parts if _ASKS.search(_spelled(part))).strip()


def question_in(text: str, *, is_about: bool) -> str:
    """Return the kind of what is asked, else of what is said; ``is_about``: whether it names
    somebody besides who is asked.
    >>> question_in("Eddie, whom did you save?", is_about=False)
    'saved'
    """
    asked = asked_in(text)
    kinds, read = (QUESTIONS if asked else STATEMENTS), _spelled(asked or text)
    fitting = (kind for kind, pattern in kinds.items() if pattern.search(read))
    return next((kind for kind in fitting if is_about or kind not in NAMING), "other")


@lru_cache(4096)
def shapes_of(text: str, names: tuple[str, ...]) -> frozenset[str]:
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return frozenset(sentences_in(re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", "*", text)))
