"""The steps of an event, a transaction each, from its rows alone: any process may take the next
one, and a killed process leaves nothing half done. Source: docs/explanation/events.md "Steps".
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from economy.errors import LedgerError
from economy.selectors import setting, settings_starting
from games import registry
from games.contract import Knockout
from games.engine.errors import IllegalAction
from games.events import bracket
from games.events.bracket import Pairing, Side
from games.events.models import Entrant, Event, Meeting
from games.matches.journal.loading import standing
from games.matches.models import Match, Pledge, Seat
from games.matches.processing import writing
from games.matches.processing.bots import free_bots
from games.matches.processing.opening import awaits_log, new_seal
from games.matches.processing.seating import has_seats
from games.matches.services import NotBegun, open_seated
from games.proofs.commitments import pledge_all
from games.realtime.runtime import tell_match

#: An event that could not start for so long is skipped.
LATE: Final = timedelta(minutes=2)
#: Who has a page open was noted within this time: it is done each 24 s at the latest.
HERE: Final = timedelta(seconds=45)
#: Nobody looked at the event for longer than this: an outage.
GAP: Final = timedelta(seconds=6)
#: The most matches that one step opens or decides: others must not wait for it.
PORTION: Final = 8
#: The reason of a match without a winner at its limit, in words.
STATION_OVER: Final = "the station is over; the event decides who goes on"


def step(*, event_id: int, now: datetime | None = None) -> bool:
    """Take the next step of an event, if one is due; return whether another may be due at once."""
    with transaction.atomic():
        row = Event.objects.select_for_update(no_key=True).filter(pk=event_id).first()
        now = now or timezone.now()
        if row is None or not row.is_live or row.starts_at > now:
            return False
        event = RunningEvent(row, now)
        return event.start() if row.status == Event.Status.ANNOUNCED else event.go_on()


class RunningEvent:
    """A locked event that has come due, in one transaction."""

    def __init__(self, row: Event, now: datetime) -> None:
        self.row, self.now = row, now

    @cached_property
    def terms(self) -> Knockout:
        found = registry.table(self.row.game).knockout
        assert found is not None
        return found

    def start(self) -> bool:
        """Draw the first station among those who are here, or call the event off."""
        if self.now - self.row.starts_at > LATE:
            return self.end(Event.Status.SKIPPED, "The site was down when it should have started.")
        entered = self.row.entrants.filter(is_in=True)
        here = entered.filter(user__is_active=True, user__is_frozen=False)
        if not self.row.for_programs:
            since = self.now - HERE
            here = here.filter(Q(user__online__seen_at__gt=since) | Q(entered_at__gt=since))
        people = list(here.select_related("user"))
        entered.exclude(pk__in=[each.pk for each in people]).update(is_in=False, left="absent")
        missing = self.row.fill - len(people) if people else 0
        bots = free_bots()[:missing] if missing > 0 else []
        if len(people) + len(bots) < bracket.FINALISTS:
            return self.end(Event.Status.VOID, "Fewer than two players were here at the start.")
        filled = [Entrant(event=self.row, user=bot, entered_at=self.now) for bot in bots]
        starters = [*people, *Entrant.objects.bulk_create(filled)]
        starters.sort(key=lambda each: each.user_id)
        for no, each in enumerate(starters, 1):
            each.no = no
        Entrant.objects.bulk_update(starters, ["no"])
        self._pledge_matches(len(starters))
        self.row.status = Event.Status.RUNNING
        return self._draw(1, starters)

    def _pledge_matches(self, players: int) -> None:
        """Commit the seeds of all matches, so that none waits for the public log later."""
        found = [
            (station, no)
            for station, most in enumerate(bracket.most_pairs(players), 1)
            for no in range(1, most + 1)
        ]
        pledges = pledge_all(self.row.game, [new_seal(self.row.game) for _ in found], self.now)
        Meeting.objects.bulk_create(
            Meeting(event=self.row, station=station, no=no, pledge=pledge)
            for (station, no), pledge in zip(found, pledges, strict=True)
        )

    def _draw(self, station: int, players: Iterable[Entrant]) -> bool:
        by_no = {each.no: each for each in players}
        drawn = bracket.draw_station(self.row.pledge.seed, station, [no for no in by_no if no])
        rows = list(self.row.meetings.filter(station=station).order_by("no"))
        pairs = [pairing for pairing in drawn if pairing.second is not None]
        for meeting, pairing in zip(rows, pairs, strict=False):
            meeting.first, meeting.second = by_no[pairing.first], by_no[pairing.second]
        Meeting.objects.bulk_update(rows[: len(pairs)], ["first", "second"])
        self._drop(self.row.meetings.filter(station=station, first=None))
        for pairing in drawn[len(pairs) :]:
            free = by_no[pairing.first]
            values = {"no": len(drawn), "how": "free", "first": free, "winner": free}
            Meeting.objects.create(event=self.row, station=station, **values)
        self.row.station, self.row.drawn_at = station, self.now
        self.row.looked_at = self.now
        self.row.save()
        return False

    def _drop(self, unused: QuerySet[Meeting]) -> None:
        """Delete meetings that do not take place; the log says so of their matches."""
        pledges = list(unused.values_list("pledge", flat=True))
        unused.delete()
        Pledge.objects.filter(pk__in=pledges, dropped_at=None).update(dropped_at=self.now)

    def go_on(self) -> bool:
        """Open or decide matches of the station, a portion at a time; then draw the next one."""
        self._give_time()
        assert self.row.drawn_at is not None
        if self.now < self.row.drawn_at + timedelta(seconds=setting("events.break")):
            return False
        undecided = self._undecided()
        due = undecided.filter(
            Q(match=None) | Q(limit_at__lte=self.now) | ~Q(match__status__in=Match.LIVE)
        )
        waiting = due.select_related("match", "pledge", "first__user", "second__user")
        done = [
            self._handle(meeting)
            for meeting in waiting.order_by(F("match").desc(nulls_last=True), "no")[:PORTION]
        ]
        if any(done):
            return True
        return not undecided.exists() and self._next()

    def _give_time(self) -> None:
        """Move the times by what people could not use: an outage, or a stalled match."""
        assert self.row.drawn_at is not None
        assert self.row.looked_at is not None
        passed, open_now = self.now - self.row.looked_at, self._undecided()
        if passed > GAP:
            self.row.drawn_at += passed
        else:
            open_now = open_now.filter(match__stalled_at__isnull=False)
        open_now.exclude(limit_at=None).update(limit_at=F("limit_at") + passed)
        self.row.looked_at = self.now
        self.row.save(update_fields=["drawn_at", "looked_at"])

    def _undecided(self) -> QuerySet[Meeting]:
        return self.row.meetings.filter(station=self.row.station, how="")

    def _handle(self, meeting: Meeting) -> bool:
        if meeting.match is None:
            return self._open(meeting)
        if meeting.match.is_live:
            self._call_off(meeting.match)
        won = meeting.match.seats.filter(result=Seat.Result.WON).values_list("no", flat=True)
        if len(won) == 1:
            return self._decide(meeting, won[0], "won")
        play = standing([meeting.match.pk])[meeting.match.pk].state.play
        sides = [Side(*side) for side in self.terms.sides(play)]
        label = f"decide/{meeting.station}/{meeting.no}"
        winner = bracket.decide(self.row.pledge.seed, label, sides)
        first, second = sides
        if winner is None:
            return self._decide(meeting, None, "absent")
        how = "wins" if first.wins != second.wins else "throw" if first != second else "draw"
        return self._decide(meeting, winner, how)

    def _open(self, meeting: Meeting) -> bool:
        assert meeting.pledge is not None
        assert meeting.first is not None
        assert meeting.second is not None
        fit = [seat for seat, each in enumerate((meeting.first, meeting.second)) if _is_fit(each)]
        if len(fit) < bracket.FINALISTS:
            return self._decide(meeting, fit[0] if fit else None, "barred")
        if awaits_log(meeting.pledge.seed_commitment, self.now):
            return False
        numbers, is_final = settings_starting("events."), self._is_final()
        options = {
            **self.terms.options,
            **(self.terms.final if is_final else {}),
            self.terms.clock: numbers["events.clock"],
            "listed": self.row.listed,
        }
        users = [meeting.first.user, meeting.second.user]
        stop = "final" if is_final else f"station {meeting.station}"
        try:
            meeting.match = open_seated(
                pledged=meeting.pledge,
                options=options,
                players=[(user, "") for user in users],
                title=f"{self.row.name}, {stop}",
                at=self.now,
            )
        except (NotBegun, LedgerError):
            # They may not play with each other: chance decides.
            label = f"decide/{meeting.station}/{meeting.no}"
            sides = [Side(0, 1)] * bracket.FINALISTS
            winner = bracket.decide(self.row.pledge.seed, label, sides)
            return self._decide(meeting, winner, "draw")
        has_bot = any(user.is_bot for user in users)
        limit = numbers["events.bot_limit" if has_bot else "events.limit"]
        meeting.limit_at = self.now + timedelta(seconds=limit)
        meeting.save()
        _tell_later(meeting.match)
        return True

    def _is_final(self) -> bool:
        return self.row.meetings.filter(station=self.row.station).count() == 1

    def _call_off(self, match: Match) -> None:
        """Void a match at its limit; a passed clock, which comes first, may end it instead."""
        void = writing.house(match.pk, "void", "station-over", reason=STATION_OVER)
        try:
            writing.submit(void, self.now)
        except IllegalAction:
            match.refresh_from_db()
            if match.is_live:
                raise
        _tell_later(match)

    def _decide(self, meeting: Meeting, winner: int | None, how: str) -> bool:
        sides = [meeting.first, meeting.second]
        meeting.winner = None if winner is None else sides[winner]
        meeting.how = how
        meeting.save()
        out = [each.pk for each in sides if each is not None and each != meeting.winner]
        self.row.entrants.filter(pk__in=out).update(is_in=False)
        return True

    def _next(self) -> bool:
        still = list(self.row.entrants.filter(is_in=True))
        if len(still) > 1:
            return self._draw(self.row.station + 1, still)
        stations = stations_of(self.row)
        last = still[0].no if still else None
        placed = bracket.places(stations, last)
        longest = bracket.longest_ride(stations, placed)
        starters = list(self.row.entrants.exclude(no=None).select_related("user"))
        for each in starters:
            each.place = placed.get(each.no or 0)
            each.rode_longest = each.no == longest
        people = sum(not each.user.is_bot for each in starters)
        self.row.has_cups = last is not None and people >= bracket.FINALISTS
        Entrant.objects.bulk_update(starters, ["place", "rode_longest"])
        if last is None:
            return self.end(Event.Status.VOID, "Nobody was left in the last station.")
        return self.end(Event.Status.OVER)

    def end(self, status: Event.Status, reason: str = "") -> bool:
        """End the event: nobody is in it any more, and its seed is public."""
        self.row.status, self.row.reason, self.row.ended_at = status, reason, self.now
        self.row.save()
        self.row.entrants.update(is_in=False)
        self._drop(self.row.meetings.filter(match=None, how=""))
        return False


def stations_of(row: Event) -> list[list[Pairing]]:
    """Return the stations that the row knows, in the rules' terms: one query."""
    found: list[list[Pairing]] = [[] for _ in range(row.station)]
    # The next one may have been drawn since the row was read.
    known = row.meetings.filter(station__lte=row.station)
    rows = known.exclude(first=None).order_by("station", "no")
    for meeting in rows.select_related("first", "second", "winner"):
        sides = (meeting.first, meeting.second, meeting.winner)
        first, *others = [None if each is None else each.no for each in sides]
        found[meeting.station - 1].append(Pairing(first or 0, *others))
    return found


def _is_fit(entrant: Entrant) -> bool:
    user: Any = entrant.user
    if not entrant.is_in or not user.is_active or user.is_frozen:
        return False
    return user.is_bot or not has_seats(user.pk, setting("tables.live_seats"))


def _tell_later(match: Match) -> None:
    transaction.on_commit(lambda: tell_match(match), robust=True)
