"""Database reads of a Mafia match besides its view: posts by page, the story, all votes. A query
asks only for the posts that the rules let the viewer read; it does not filter a larger result.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypedDict

from games import registry
from games.engine.facts import Instant, iso
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.roster import Vote, majority
from games.matches.journal.entries import read_facts
from games.matches.journal.loading import standing_of
from games.matches.journal.reading import Sought, find_entries
from games.matches.journal.story import StoryFact, whole_story
from games.matches.models import Match
from games.moderation.reports import readable
from games.posts.queries import (
    Said,
    count_posts,
    entry_numbers,
    hidden_in,
    posts_between,
    withheld_from_replays,
)

#: Posts per page.
PAGE: Final = 50


class Page(NamedTuple):
    """Some posts of a room, oldest first; the number of the last post, and those of all hidden
    posts, that the viewer may read.
    """

    last: int
    posts: list[Said]
    hidden: list[int]


def posts_in(
    match: Match, seat: int | None, room: str, *, before: int | None = None, after: int = 0
) -> Page:
    """Return the last posts of a room that a seat (None: a spectator) may read, with numbers below
    ``before`` and above ``after``; without ``before``, the next ones. Raises LookupError.
    """
    found = readable(match, seat, room)
    last = count_posts(match, room) if found.reads_to is None else found.reads_to
    unread = max(after, found.reads_from - 1)
    if before is None and after:
        start, end = unread, min(last, unread + PAGE)
    else:
        end = last if before is None else min(last, before - 1)
        start = max(unread, end - PAGE)
    hidden = sorted(no for no in hidden_in(match, room) if found.reads_from <= no <= last)
    return Page(last, posts_between(match, room, start + 1, end), hidden)


def own_will(match: Match, seat: int | None) -> str:
    """Return a living seat's last will for itself; empty for everybody else."""
    play = standing_of(match).state.play
    member = None if seat is None or play is None else play.member(seat)
    return "" if member is None else str(member.will)


def without_withheld(match: Match, room: str, page: Page) -> Page:
    """Return a page for a replay, which repeats no reported post either."""
    withheld = {no for place, no in withheld_from_replays(match) if place == room}
    posts = [
        post._replace(text="", is_hidden=True) if post.no in withheld else post
        for post in page.posts
    ]
    hidden = {*page.hidden, *(no for no in withheld if no <= page.last)}
    return Page(page.last, posts, sorted(hidden))


#: Kind of the fact that begins a chapter -> the title and the look of the chapter.
CHAPTERS: Final = {
    "game_started": ("The deal", "deal"),
    "night_began": ("Night {round}", "night"),
    "day_began": ("Day {round}", "day"),
}
#: The kinds of facts that the page shows elsewhere or not at all.
UNTOLD: Final = frozenset(
    {"night_began", "day_began", "checked_in", "check_in_withdrawn", "will_written"}
)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or a post in ``room``; a secret one had a limited audience."""

    text: str
    name: str = ""
    room: str = ""
    number: int = 0
    is_secret: bool = False
    is_hidden: bool = False
    is_will: bool = False


@dataclass(slots=True)
class Chapter:
    title: str
    look: str
    lines: list[Line] = field(default_factory=list)


def chapters_of(match: Match) -> list[Chapter]:
    """Return the story of a match, from the deal on, with every secret. Raises ValueError for a
    live match.
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
        data = fact.data
        name = fact.names.get(data["seat"], f"Seat {data['seat'] + 1}")
        flags = (data.get("is_hidden", False), data.get("is_will", False))
        return Line(data["text"], name, data["room"], data["no"], is_secret, *flags)
    text = fact.text or registry.table(match.game).speech.tell(fact.kind, fact.data, fact.names)
    return Line(text, is_secret=is_secret) if text else None


DEATHS: Final = frozenset({"citizen_died", "player_died"})
#: The kinds of facts that make the history.
KINDS: Final = (*sorted(DEATHS), "game_started", "day_began", "night_began", "voted")
#: The entries with such a fact.
_TELLING: Final = Sought(tells=tuple(f'"kind":"{kind}"' for kind in KINDS))


class Cast(TypedDict):
    """A vote, or the death of a seat by day, which ends its vote."""

    seat: int
    choice: Vote
    is_death: bool
    at: str
    #: The number of posts in the town before it, so without the will of whom it kills.
    after: int
    #: The votes that decide from then on, None where votes decide nothing before the day's end.
    needed: int | None


class Day(TypedDict):
    """The living at a day's beginning, the votes that they need to decide, and what followed."""

    round: int
    living: list[int]
    needed: int | None
    is_over: bool
    cast: list[Cast]


def votes_of(match: Match, *, by_majority: bool) -> list[Day]:
    """Return the days of a match with all their votes and the deaths between, in order, in three
    queries. ``by_majority``: whether more than half of the living decide a day.
    """

    def needed() -> int | None:
        return majority(len(living)) if by_majority else None

    days: list[Day] = []
    living: list[int] = []
    posts = entry_numbers(match, TOWN)
    for no, at, kind, data in _facts(match):
        if kind == "game_started":
            living = list(data["seats"])
        elif kind == "day_began":
            round_ = data["round"]
            days.append(Day(round=round_, living=living, needed=needed(), is_over=False, cast=[]))
        elif kind == "night_began":
            days = _closed(days)
        elif days or kind in DEATHS:
            is_death = kind in DEATHS
            living = [seat for seat in living if not (is_death and seat == data["seat"])]
            if days and not days[-1]["is_over"]:
                cast = Cast(
                    seat=data["seat"],
                    choice=None if is_death else data["choice"],
                    is_death=is_death,
                    at=at,
                    after=bisect_left(posts, no),
                    needed=needed(),
                )
                days[-1]["cast"].append(cast)
    return days if match.status in Match.LIVE else _closed(days)


def _closed(days: list[Day]) -> list[Day]:
    return [*days[:-1], {**days[-1], "is_over": True}] if days else []


def _facts(match: Match) -> Iterator[tuple[int, str, str, Any]]:
    """Yield number of the entry, time, kind and data of the public facts of the history."""
    for entry in find_entries([match.pk], _TELLING, is_live=match.is_live):
        for kind, data, audience in read_facts(entry.facts):
            if kind in KINDS and audience is None:
                yield entry.no, iso(Instant(entry.at_ms)), kind, data
