"""All votes of a Mafia match, day by day, with their time, and the deaths between them. A vote is
public at once, so its time is no secret. Source: docs/explanation/agora.md "The pages".
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final, TypedDict

from games.engine.facts import Instant, iso
from games.mafia.common.rules.ballots import Vote, majority
from games.mafia.common.rules.rooms import TOWN
from games.matches.journal.entries import read_facts
from games.matches.journal.reading import Sought, find_entries
from games.matches.models import Match
from games.posts.queries import entry_numbers

DEATHS: Final = frozenset({"citizen_died", "player_died"})
#: The kinds of facts that make the history.
KINDS: Final = (*sorted(DEATHS), "game_started", "day_began", "night_began", "voted")
#: The entries with such a fact.
_TELLING: Final = Sought(tells=tuple(f'"kind":"{kind}"' for kind in KINDS))


class Cast(TypedDict):
    """A vote, or the death of a seat by day (``is_death``), which ends its vote. ``after``: the
    number of posts in the town before it, so without the will of whom it kills; ``needed``: the
    votes that decide from then on, None where votes decide nothing before the day's end.
    """

    seat: int
    choice: Vote
    is_death: bool
    at: str
    after: int
    needed: int | None


class Day(TypedDict):
    """A day: the living at its beginning, the votes that they need to decide, and what followed."""

    round: int
    living: list[int]
    needed: int | None
    is_over: bool
    cast: list[Cast]


def votes_of(match: Match, *, by_majority: bool) -> list[Day]:
    """Return the days of a match with all their votes, in order: three queries. ``by_majority``:
    whether more than half of the living decide a day.
    """
    days: list[Day] = []
    living: list[int] = []
    posts = entry_numbers(match, TOWN)
    for no, at, kind, data in _facts(match):
        if kind == "game_started":
            living = list(data["seats"])
        elif kind == "day_began":
            begun: Day = {
                "round": data["round"],
                "living": living,
                "needed": majority(len(living)) if by_majority else None,
                "is_over": False,
                "cast": [],
            }
            days.append(begun)
        elif kind == "night_began":
            days = _closed(days)
        elif days or kind in DEATHS:
            is_death = kind in DEATHS
            living = [seat for seat in living if not (is_death and seat == data["seat"])]
            if days and not days[-1]["is_over"]:
                days[-1]["cast"].append(
                    {
                        "seat": data["seat"],
                        "choice": None if is_death else data["choice"],
                        "is_death": is_death,
                        "at": at,
                        "after": bisect_left(posts, no),
                        "needed": majority(len(living)) if by_majority else None,
                    }
                )
    return days if match.status in Match.LIVE else _closed(days)


def _closed(days: list[Day]) -> list[Day]:
    """Return the days with the last one over."""
    return [*days[:-1], {**days[-1], "is_over": True}] if days else []


def _facts(match: Match) -> Iterator[tuple[int, str, str, Any]]:
    """Yield the public facts of the history: number of the entry, time, kind and data."""
    for entry in find_entries([match.pk], _TELLING, is_live=match.is_live):
        for kind, data, audience in read_facts(entry.facts):
            if kind in KINDS and audience is None:
                yield entry.no, iso(Instant(entry.at_ms)), kind, data
