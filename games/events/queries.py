"""Reads of events: lists, an event for one viewer, cups, the proof."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast
from django.urls import reverse

from accounts.models import User
from accounts.shared import Shared
from games.contract import Figure, OnProfile
from games.engine.facts import instant
from games.events import bracket
from games.events.models import Entrant, Event, Meeting
from games.events.running import stations_of
from games.matches.models import Match
from games.matches.queries.addresses import match_url, replay_url
from games.proofs.queries import inclusion_of

#: The next events of each schedule that are listed.
NEXT: Final = 2
#: The most events of a list, pairs of a station, faces of a train.
LISTED, PAIRS, FACES = 12, 32, 5
#: Events are listed for so long after their end; those without people leave sooner.
LISTED_FOR: Final = timedelta(days=7)
EMPTY_FOR: Final = timedelta(days=1)
#: Parts of a station after which pages look again: of thousand results not each.
PARTS: Final = 16
HOWS: Final = {
    "won": "",
    "free": "rides free",
    "wins": "more wins at the limit",
    "throw": "threw last at the limit",
    "draw": "drawn from the seed",
    "absent": "nobody threw: both out",
    "barred": "one could not play",
    "": "",
}


def find(public_id: str) -> Event | None:
    return Event.objects.filter(public_id=public_id).first()


def listed(now: datetime, user_id: int | None = None) -> dict[str, list[Event]]:
    """Return the listed events that run, that come, and that are over, each with its ``people``."""
    rows = Event.objects.filter(listed=True).annotate(people=Count("entrants"))
    over = finished(user_id).filter(ended_at__gt=now - LISTED_FOR)
    over = over.filter(Q(people__gt=0) | Q(ended_at__gt=now - EMPTY_FOR))
    return {
        "running": list(rows.filter(status=Event.Status.RUNNING).order_by("starts_at")[:LISTED]),
        "coming": list(_coming(rows))[:LISTED],
        "over": list(over[:LISTED]),
    }


def finished(user_id: int | None = None) -> QuerySet[Event]:
    """Return the events that have ended, the last one first, each with its ``people``; unlisted
    ones for who took part.
    """
    mine = Exists(Entrant.objects.filter(event=OuterRef("pk"), user=user_id))
    rows = Event.objects.filter(Q(mine, listed=False) | Q(listed=True))
    rows = rows.exclude(status__in=Event.LIVE)
    return rows.annotate(people=Count("entrants")).order_by("-ended_at", "-pk")


def _coming(rows: QuerySet[Event]) -> Iterator[Event]:
    """Yield the announced events in order, of each schedule only the next ones."""
    seen = Counter[int]()
    for event in rows.filter(status=Event.Status.ANNOUNCED).order_by("starts_at"):
        seen[event.schedule_id or 0] += 1
        if event.schedule_id is None or seen[event.schedule_id] <= NEXT:
            yield event


def entered_by(user: User) -> QuerySet[Event]:
    """Return the events that a user is in, also the unlisted ones."""
    return Event.objects.filter(entrants__user=user, entrants__is_in=True, status__in=Event.LIVE)


def _next() -> QuerySet[Any, Any]:
    live = Event.objects.filter(listed=True, for_programs=False, status__in=Event.LIVE)
    return live.order_by("starts_at", "pk").values("pk")[:1]


def next_event() -> QuerySet[Any, Any]:
    """Return the event that runs or comes next, for the front page."""
    people = Event.objects.filter(pk__in=_next()).annotate(people=Count("entrants"))
    return people.values_list(
        Value("event"), "starts_at", Value(0), Value(0), "people", "name", "status", Value(""),
        "public_id",
    )  # fmt: skip


def aboard() -> QuerySet[Any, Any]:
    """Return the first who are aboard it."""
    first = Entrant.objects.filter(event__in=_next()).order_by("entered_at", "pk")[:FACES]
    is_bot = Cast("user__is_bot", IntegerField())
    return Entrant.objects.filter(pk__in=first.values("pk")).values_list(
        Value("aboard"), "entered_at", "pk", Value(0), is_bot, "user__username", "user__avatar",
        Value(""), Value(""),
    )  # fmt: skip


def _face(entrant: Entrant) -> dict[str, Any]:
    user = entrant.user
    return {"name": user.username, "avatar": user.avatar, "is_bot": user.is_bot}


def etag(event: Event, user_id: int | None) -> str:
    """Return a text that changes with what the page of an event shows a viewer."""
    found = Event.objects.values_list("status", "station").get(pk=event.pk)
    here = Meeting.objects.filter(event=event, station=found[1]).exclude(first=None)
    mine = here.filter(Q(first__user=user_id) | Q(second__user=user_id))
    own = list(mine.values_list("match", "how")) if user_id else []
    told = (found, own, _progress.seen_by(user_id, event.pk, found[1]))
    return hashlib.sha256(str(told).encode()).hexdigest()[:16]


def _progress_of(event_id: int, station: int) -> tuple[int, ...]:
    """Return how many are registered, and how far the station is, in parts of it."""
    rows = Meeting.objects.filter(event=event_id, station=station).exclude(first=None)
    done = Count("pk", filter=~Q(how=""))
    counted = rows.aggregate(all=Count("pk"), begun=Count("match"), done=done)
    parts = max(1, counted["all"] // PARTS)
    people = Entrant.objects.filter(event=event_id).count()
    return people, counted["begun"] // parts, counted["done"] // parts


_progress: Final = Shared(_progress_of)


def shown(event: Event, user: User | None, now: datetime) -> dict[str, Any]:
    """Return the context of an event's page for a viewer."""
    entrants = {each.no or -each.pk: each for each in _entrants(event)}
    own = next((no for no, e in entrants.items() if user and e.user_id == user.pk), None)
    stations = stations_of(event)
    rows = event.meetings.exclude(first=None).select_related("match", "first", "second")
    meetings = list(rows.only("event", "station", "how", *_OF_MEETING))
    winners = {each.place: _face(each) for each in entrants.values() if each.place in (1, 2)}
    longest = next((_face(each) for each in entrants.values() if each.rode_longest), None)
    faces = sorted(entrants.values(), key=lambda each: each.user_id != (user and user.pk))
    placed = sorted((each for each in entrants.values() if each.place), key=_place)
    return {
        "event": event,
        "aboard": [_face(each) for each in faces[: 2 * PAIRS]],
        "people": len(entrants),
        "is_open": event.status == Event.Status.ANNOUNCED and event.opens_at <= now,
        "is_in": own is not None and entrants[own].is_in,
        "you": _own_part(event, entrants, stations, meetings, own) if event.is_live else {},
        "stations": _shown_stations(entrants, stations, meetings, own)[::-1],
        "winner": winners.get(1),
        "finalist": winners.get(2),
        "longest": longest,
        "places": [(each.place, _face(each)) for each in placed[: 2 * PAIRS]],
    }


#: What is read of the rows beside an entrant and a meeting: there may be a thousand.
_OF_USER: Final = ("user", "user__username", "user__avatar", "user__is_bot")
_OF_MEETING: Final = (
    "first", "first__no", "second", "second__no",
    "match", "match__game", "match__public_id", "match__status",
)  # fmt: skip


def _place(entrant: Entrant) -> int:
    return entrant.place or 0


def _entrants(event: Event) -> QuerySet[Entrant]:
    rows = event.entrants.select_related("user").order_by("no", "entered_at")
    return rows.only("event", "no", "place", "rode_longest", "is_in", *_OF_USER)


def _own_part(
    event: Event,
    entrants: dict[int, Entrant],
    stations: bracket.Stations,
    meetings: Iterable[Meeting],
    own: int | None,
) -> dict[str, Any]:
    """Return where the viewer is: at a table, waiting, or behind whom."""
    if own is None or event.status != Event.Status.RUNNING:
        return {}
    here = {
        side.no: each
        for each in meetings
        if each.station == event.station
        for side in (each.first, each.second)
        if side is not None
    }
    mine = here.get(own)
    if mine is not None and entrants[own].is_in:
        other = next((s for s in (mine.first, mine.second) if s and s.no != own), None)
        is_playing = mine.match is not None and mine.match.is_live and not mine.how
        return {
            "other": other and other.no and entrants[other.no].user.username,
            "url": match_url(mine.match) if is_playing and mine.match else "",
            "waits": mine.match is not None or bool(mine.how),
            "goes_on": bool(mine.how),
        }
    undecided = [each.first and each.first.no for each in here.values() if not each.how]
    decided = [[each for each in part if each.first not in undecided] for part in stations[-1:]]
    trains = bracket.trains([*stations[:-1], *decided])
    leader = next((who for who, riders in trains.items() if own in riders), None)
    if leader is None:
        return {}
    led = here.get(leader)
    match = led.match if led is not None and not led.how else None
    return {
        "leader": entrants[leader].user.username,
        "riders": len(trains[leader]),
        "watch": match_url(match) if match is not None and match.is_live else "",
    }


def _shown_stations(
    entrants: dict[int, Entrant],
    stations: bracket.Stations,
    meetings: Iterable[Meeting],
    own: int | None,
) -> list[dict[str, Any]]:
    """Return the stations with their pairs as trains, the viewer's own first."""
    by_place = {(each.station, each.first and each.first.no): each for each in meetings}
    found = []
    for no, pairings in enumerate(stations, 1):
        trains = bracket.trains(stations[: no - 1])
        rows = [
            _shown_pair(entrants, trains, pairing, by_place[no, pairing.first], own)
            for pairing in pairings
        ]
        rows.sort(key=lambda row: not row["is_mine"])
        more = max(0, len(rows) - PAIRS)
        is_final = len(pairings) == 1 and pairings[0].second is not None
        found.append({"no": no, "is_final": is_final, "pairs": rows[:PAIRS], "more": more})
    return found


def _shown_pair(
    entrants: dict[int, Entrant],
    trains: dict[int, list[int]],
    pairing: bracket.Pairing,
    meeting: Meeting,
    own: int | None,
) -> dict[str, Any]:
    numbers = [no for no in (pairing.first, pairing.second) if no is not None]
    sides = [
        {
            **_face(entrants[no]),
            "is_winner": pairing.winner == no,
            "is_out": bool(meeting.how) and pairing.winner != no,
            "riders": [_face(entrants[rider]) for rider in trains.get(no, [])[:FACES]],
            "more": max(0, len(trains.get(no, [])) - FACES),
        }
        for no in numbers
    ]
    match = meeting.match
    is_live = match is not None and match.is_live
    return {
        "sides": sides,
        "how": HOWS[meeting.how],
        "url": "" if match is None else match_url(match) if is_live else replay_url(match),
        "is_live": is_live,
        "is_mine": any(own == no or own in trains.get(no, []) for no in numbers),
    }


#: What a match's page says to the winner and to the loser: of a station, of the final.
ON_THE_WAY: Final = (
    "You go on. The next station begins when all pairs are decided.",
    "You ride in the train of {name}.",
)
AT_THE_END: Final = ("You have won the event.", "You came second.")


def home_of(match: Match) -> dict[str, str] | None:
    """Return the event to which a match belongs, and what it makes of the match."""
    rows = Meeting.objects.filter(match=match).select_related("event", "winner__user")
    if (meeting := rows.first()) is None:
        return None
    event, by = meeting.event, meeting.winner
    is_final = event.meetings.filter(station=meeting.station).count() == 1
    won, lost = AT_THE_END if is_final else ON_THE_WAY
    how = HOWS[meeting.how]
    return {
        "title": event.name,
        "url": reverse("event", args=[event.public_id]),
        "won": won,
        "lost": lost,
        "said": f"{by.user.username} goes on: {how}." if by else how.capitalize(),
    }


def _cups() -> QuerySet[Any, Any]:
    return (
        Entrant.objects.filter(event__has_cups=True)
        .values("user")
        .annotate(
            won=Count("pk", filter=Q(place=1)),
            lost=Count("pk", filter=Q(place=bracket.FINALISTS)),
            rode=Count("pk", filter=Q(rode_longest=True)),
        )
    )


def _shown_cups(*numbers: int) -> list[Figure]:
    titles = ("Trains won", "Finals lost", "Longest rides")
    return [Figure(*cup) for cup in zip(titles, map(str, numbers), strict=True) if cup[1] != "0"]


#: What a user has won in events with two people or more.
CUPS: Final = OnProfile(_cups, ("won", "lost", "rode"), _shown_cups)


def row_of(event: Event, people: int) -> dict[str, Any]:
    """Return an event as programs see it in lists; ``people``: how many are in it."""
    names = ("public_id", "name", "status", "opens_at", "starts_at", "for_programs")
    return {**{name: getattr(event, name) for name in names}, "players": people}


def listed_rows(now: datetime) -> list[dict[str, Any]]:
    found = [event for events in listed(now).values() for event in events]
    return [row_of(event, vars(event)["people"]) for event in found]


def course_of(event: Event) -> dict[str, Any]:
    """Return the players by number, their places, and all stations."""
    starters = [(each.no, each.user.username, each.place) for each in _entrants(event) if each.no]
    meetings = event.meetings.exclude(first=None).order_by("station", "no")
    rows = list(meetings.select_related("first", "second", "winner", "match"))
    return {
        "names": [(no, name) for no, name, _ in starters],
        "places": [(no, place) for no, _, place in starters],
        "stations": [
            [_told(each) for each in rows if each.station == no]
            for no in range(1, event.station + 1)
        ],
    }


def proof_of(event: Event) -> dict[str, Any] | None:
    """Return the proof of an event that has ended, None before."""
    if event.is_live:
        return None
    pledge = event.pledge
    return {
        "format": 1,
        "game": "event",
        "public_id": event.public_id,
        "rules_version": pledge.rules_version,
        "status": event.status,
        "commitment": pledge.seed_commitment,
        "seed": pledge.seed,
        **course_of(event),
        "starts_at": instant(event.starts_at),
        "inclusion": inclusion_of(pledge.seed_commitment),
    }


def _told(meeting: Meeting) -> dict[str, Any]:
    return {
        "no": meeting.no,
        "first": meeting.first and meeting.first.no,
        "second": meeting.second and meeting.second.no,
        "winner": meeting.winner and meeting.winner.no,
        "how": meeting.how,
        "match": meeting.match and meeting.match.public_id,
    }
