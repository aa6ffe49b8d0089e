"""The story of a finished Mafia match: each night and day, with every secret.

Source: docs/rules/agora.md "Secret information".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games import registry
from games.matches.journal.story import StoryFact, whole_story
from games.matches.models import Match

#: Kind of the fact that begins a chapter -> the title and the look of the chapter.
CHAPTERS: Final = {
    "game_started": ("The deal", "deal"),
    "night_began": ("Night {round}", "night"),
    "day_began": ("Day {round}", "day"),
}
#: The kinds of facts that the page shows elsewhere or not at all.
UNTOLD: Final = frozenset({"night_began", "day_began", "checked_in", "check_in_withdrawn"})


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or a post in ``room``; ``is_secret``: the fact was told to a limited audience."""

    text: str
    name: str = ""
    room: str = ""
    number: int = 0
    is_secret: bool = False
    is_hidden: bool = False


@dataclass(slots=True)
class Chapter:
    """A night, a day, or the deal before them."""

    title: str
    look: str
    lines: list[Line] = field(default_factory=list)


def chapters_of(match: Match) -> list[Chapter]:
    """Return a finished match as chapters, from the deal on.

    Raises:
        ValueError: the match is live, and has secrets.
    """
    if match.is_live:
        raise ValueError("a running match has secrets")
    chapters: list[Chapter] = []
    for fact in whole_story(match):
        if fact.kind in CHAPTERS:
            title, look = CHAPTERS[fact.kind]
            chapters.append(Chapter(title.format(round=fact.data.get("round")), look))
        line = _line(match, fact) if chapters and fact.kind not in UNTOLD else None
        if line is not None:
            chapters[-1].lines.append(line)
    return chapters


def _line(match: Match, fact: StoryFact) -> Line | None:
    is_secret = fact.audience is not None
    if fact.kind == "posted":
        return _post(fact.data, fact.names, is_secret=is_secret)
    text = fact.text or registry.get(match.game).speech.tell(fact.kind, fact.data, fact.names)
    return Line(text, is_secret=is_secret) if text else None


def _post(data: Mapping[str, Any], names: Mapping[int, str], *, is_secret: bool) -> Line:
    name = names.get(data["seat"], f"Seat {data['seat'] + 1}")
    is_hidden = data.get("is_hidden", False)
    return Line(data["text"], name, data["room"], data["no"], is_secret, is_hidden)
