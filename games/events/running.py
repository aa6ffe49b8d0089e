"""The steps of an event, a transaction each, from its rows alone: any process may take the next
one, and a killed process leaves nothing half done. Source: docs/explanation/events.md "Steps".
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from economy.errors import LedgerError
from economy.selectors import setting, settings_starting
from economy.sql import BulkRows
from games import registry
from games.contract import Knockout
from games.events import bracket
from games.events.bracket import Pairing, Side
from games.events.models import Entrant, Event, Meeting
from games.matches.journal.loading import standing
from games.matches.models import Match, Pledge, Seat, of_match
from games.matches.processing import writing
from games.matches.processing.bots import free_bots
from games.matches.processing.opening import awaits_log, new_seal
from games.matches.processing.seating import has_seats
from games.matches.services import NotBegun, Seated, open_seated
from games.proofs.commitments import pledge_all
from games.realtime.runtime import tell

#: An event that could not start for so long is skipped.
LATE: Final = timedelta(minutes=2)
#: So long before the start web processes ask the pages of those registered, and who has answered
#: within this time is here.
ASKED: Final = timedelta(seconds=6)
HERE: Final = timedelta(seconds=10)
#: Nobody looked at the event for longer than this: an outage.
GAP: Final = timedelta(seconds=6)
#: The most matches that one step opens or voids, or decides: others must not wait for it.
PORTION, DECIDED = 8, 64
#: The reason of a match without a winner at its limit, in words.
STATION_OVER: Final = "the station is over; the event decides who goes on"


def step(*, event_id: int, now: datetime | None = None) -> bool:
    """Take the next step of an event, if one is due; return whether another may be due at once."""
    with transaction.atomic():
        row = Event.objects.select_for_update(no_key=True).filter(pk=event_id).first()
        now = now or timezone.now()
        if row is None or not row.is_live or row.starts_at > now + ASKED:
            return False
        event = RunningEvent(row, now)
        return event.start() if row.status == Event.Status.ANNOUNCED else event.go_on()


_OF_MEETING: Final = (
    "match_id", "limit_at", "first_id", "second_id", "winner_id", "how", "id",
)  # fmt: skip
_OF_ENTRANT: Final = ("no", "place", "rode_longest", "id")
_MEETINGS, _ENTRANTS = BulkRows(Meeting, _OF_MEETING), BulkRows(Entrant, _OF_ENTRANT)
_meeting_row, _entrant_row = attrgetter(*_OF_MEETING), attrgetter(*_OF_ENTRANT)


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
        if self._asks():
            return False
        entered = self.row.entrants.filter(is_in=True)
        here = entered.filter(user__is_active=True, user__is_frozen=False)
        if not self.row.for_programs:
            since = self.now - HERE
            here = here.filter(Q(seen_at__gt=since) | Q(entered_at__gt=since))
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
        _ENTRANTS.update([_entrant_row(each) for each in starters])
        self._pledge_matches(len(starters))
        self.row.status = Event.Status.RUNNING
        return self._draw(1, starters)

    def _asks(self) -> bool:
        """Whether it is too early, or people are still asked whether they are here: a second time
        if nobody has started it, since the site may have been down.
        """
        if self.row.for_programs:
            return self.now < self.row.starts_at
        if self.row.looked_at is None or self.now - self.row.looked_at > 2 * ASKED:
            self.row.looked_at = self.now
            self.row.save(update_fields=["looked_at"])
        return self.now < max(self.row.starts_at, self.row.looked_at + ASKED / 2)

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
        _MEETINGS.update([_meeting_row(each) for each in rows[: len(pairs)]])
        self._drop(self.row.meetings.filter(station=station, first=None))
        for pairing in drawn[len(pairs) :]:
            free = by_no[pairing.first]
            values = {"no": len(drawn), "how": "free", "first": free, "winner": free}
            Meeting.objects.create(event=self.row, station=station, **values)
        self.row.station, self.row.drawn_at = station, self.now
        self.row.looked_at = self.now
        self.row.save()
        _tell_later(users=[each.user_id for each in by_no.values()])
        return False

    def _drop(self, unused: QuerySet[Meeting]) -> None:
        """Delete meetings that do not take place, and drop their seeds."""
        pledges = list(unused.exclude(pledge=None).values_list("pledge", flat=True))
        unused.delete()
        self._give_up(pledges)

    def _give_up(self, pledges: Collection[int]) -> None:
        """Drop the seeds of matches that do not open."""
        if pledges:
            Pledge.objects.filter(pk__in=pledges, dropped_at=None).update(dropped_at=self.now)

    def go_on(self) -> bool:
        """Decide or open matches of the station, a portion at a time; then draw the next one."""
        self._give_time()
        assert self.row.drawn_at is not None
        undecided = self.row.meetings.filter(station=self.row.station, how="")
        over = Q(limit_at__lte=self.now) | ~Q(match__status__in=Match.LIVE)
        ended = undecided.exclude(match=None).filter(over).select_related("first", "second")
        ended = ended.annotate(status=F("match__status")).order_by("no")[:DECIDED]
        if self._decide_ended(list(ended)) and undecided.exists():
            return True
        if self.now < self.row.drawn_at + timedelta(seconds=setting("events.break")):
            return False
        waiting = undecided.filter(match=None).select_related(
            "pledge", "first__user", "second__user"
        )
        if self._open_fit(list(waiting.order_by("no")[:PORTION])):
            return True
        return not undecided.exists() and self._next()

    def _give_time(self) -> None:
        """Move the times by what people could not use: an outage, or a stalled match."""
        assert self.row.drawn_at is not None
        assert self.row.looked_at is not None
        passed = self.now - self.row.looked_at
        open_now = self.row.meetings.filter(station=self.row.station, how="")
        if passed > GAP:
            self.row.drawn_at += passed
        else:
            open_now = open_now.filter(match__stalled_at__isnull=False)
        open_now.exclude(limit_at=None).update(limit_at=F("limit_at") + passed)
        self.row.looked_at = self.now
        self.row.save(update_fields=["drawn_at", "looked_at"])

    def _decide_ended(self, ended: Sequence[Any]) -> bool:
        """Decide meetings whose matches are over, or at their limit: those are voided first."""
        if late := [each.match_id for each in ended if each.status in Match.LIVE]:
            live = self._call_off(late[:PORTION]) | {*late[PORTION:]}
            ended = [each for each in ended if each.match_id not in live]
        won: dict[int, list[int]] = {each.match_id: [] for each in ended}
        winners = Seat.objects.filter(match__in=won, result=Seat.Result.WON)
        for match_id, seat in winners.values_list("match", "no"):
            won[match_id].append(seat)
        unclear = standing([match_id for match_id, seats in won.items() if len(seats) != 1])
        if not ended:
            return False
        self._decide(
            (each, won[each.match_id][0], "won")
            if len(won[each.match_id]) == 1
            else (each, *self._judge(each, unclear[each.match_id].state.play))
            for each in ended
        )
        return True

    def _judge(self, meeting: Meeting, play: Any) -> tuple[int | None, str]:
        first, second = sides = [Side(*side) for side in self.terms.sides(play)]
        winner = bracket.decide(self.row.pledge.seed, _label(meeting), sides)
        if winner is None:
            return None, "absent"
        how = "wins" if first.wins != second.wins else "throw" if first != second else "draw"
        return winner, how

    def _call_off(self, match_ids: Sequence[int]) -> set[int]:
        """Void matches at their limit; return those that go on, because an outage is not repaid. A
        passed clock, which comes first, may end one instead.
        """
        voids = [writing.house(pk, "void", "station-over", reason=STATION_OVER) for pk in match_ids]
        writing.apply_batch(voids, self.now)
        _tell_later(match_ids)
        rows = Match.objects.filter(pk__in=match_ids, status__in=Match.LIVE)
        return set(rows.values_list("pk", flat=True))

    def _open_fit(self, waiting: Sequence[Meeting]) -> bool:
        """Open the meetings of those who can play, the others lose them; return whether anything
        was done: seeds may still wait for the log.
        """
        fit = _fit([each for meeting in waiting for each in _sides(meeting)])
        ready, barred = [], []
        for meeting in waiting:
            here = [seat for seat, each in enumerate(_sides(meeting)) if each.pk in fit]
            if len(here) < bracket.FINALISTS:
                barred.append((meeting, here[0] if here else None, "barred"))
            elif not awaits_log(_pledge(meeting).seed_commitment, self.now):
                ready.append(meeting)
        if barred:
            self._decide(barred)
        if ready:
            self._open(ready)
        return bool(barred or ready)

    def _open(self, meetings: Sequence[Meeting]) -> None:
        wanted = [self._seated(each) for each in meetings]
        try:
            matches = open_seated(self.row.game, wanted, self.now)
        except (NotBegun, LedgerError):
            if len(meetings) > 1:
                for each in meetings:
                    self._open([each])
                return
            # They may not play with each other: chance decides.
            sides = [Side(0, 1)] * bracket.FINALISTS
            winner = bracket.decide(self.row.pledge.seed, _label(meetings[0]), sides)
            self._decide([(meetings[0], winner, "draw")])
            return
        for meeting, match in zip(meetings, matches, strict=True):
            has_bot = any(each.user.is_bot for each in _sides(meeting))
            limit = self._numbers["events.bot_limit" if has_bot else "events.limit"]
            meeting.match, meeting.limit_at = match, self.now + timedelta(seconds=limit)
        _MEETINGS.update([_meeting_row(each) for each in meetings])
        _tell_later([match.pk for match in matches])

    def _seated(self, meeting: Meeting) -> Seated:
        options = {
            **self.terms.options,
            **(self.terms.final if self._is_final else {}),
            self.terms.clock: self._numbers["events.clock"],
            "listed": self.row.listed,
        }
        stop = "final" if self._is_final else f"station {meeting.station}"
        players = [(each.user, "") for each in _sides(meeting)]
        return Seated(_pledge(meeting), options, players, f"{self.row.name}, {stop}")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return settings_starting("events.")

    @cached_property
    def _is_final(self) -> bool:
        return self.row.meetings.filter(station=self.row.station).count() == 1

    def _decide(self, decisions: Iterable[tuple[Meeting, int | None, str]]) -> None:
        """Note who goes on, by side, and how; the others are out."""
        decided, out = [], list[int]()
        for meeting, winner, how in decisions:
            sides = _sides(meeting)
            meeting.winner, meeting.how = None if winner is None else sides[winner], how
            decided.append(meeting)
            out += [each.pk for each in sides if each != meeting.winner]
        _MEETINGS.update([_meeting_row(each) for each in decided])
        self._give_up([_pledge(each).pk for each in decided if each.match_id is None])
        self.row.entrants.filter(pk__in=out).update(is_in=False)
        _tell_later(users=[side.user_id for each in decided for side in _sides(each)])

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
        _ENTRANTS.update([_entrant_row(each) for each in starters])
        if last is None:
            return self.end(Event.Status.VOID, "Nobody was left in the last station.")
        return self.end(Event.Status.OVER)

    def end(self, status: Event.Status, reason: str = "") -> bool:
        """End the event: nobody is in it any more, and its seed is public."""
        self.row.status, self.row.reason, self.row.ended_at = status, reason, self.now
        self.row.save()
        _tell_later(users=list(self.row.entrants.filter(is_in=True).values_list("user", flat=True)))
        self.row.entrants.update(is_in=False)
        self._drop(self.row.meetings.filter(match=None, how=""))
        return False


def stations_of(row: Event) -> list[list[Pairing]]:
    """Return the stations that the row knows, in the rules' terms: one query."""
    found: list[list[Pairing]] = [[] for _ in range(row.station)]
    # The next one may have been drawn since the row was read.
    known = row.meetings.filter(station__lte=row.station).exclude(first=None)
    rows = known.order_by("station", "no")
    sides = rows.values_list("station", "first__no", "second__no", "winner__no")
    for station, first, second, winner in sides:
        found[station - 1].append(Pairing(first or 0, second, winner))
    return found


def _sides(meeting: Meeting) -> tuple[Entrant, Entrant]:
    assert meeting.first is not None
    assert meeting.second is not None
    return meeting.first, meeting.second


def _pledge(meeting: Meeting) -> Pledge:
    assert meeting.pledge is not None
    return meeting.pledge


def _label(meeting: Meeting) -> str:
    return f"decide/{meeting.station}/{meeting.no}"


def _fit(entrants: Iterable[Entrant]) -> set[int]:
    here: dict[int, Any] = {
        each.user_id: each
        for each in entrants
        if each.is_in and each.user.is_active and not each.user.is_frozen
    }
    most, live = setting("tables.live_seats"), of_match(status__in=Match.LIVE)
    seats = Seat.objects.filter(live, user__in=here, user__is_bot=False, has_left=False)
    counts = Counter(seats.values_list("user", flat=True))
    full = {user for user, count in counts.items() if count >= most and has_seats(user, most)}
    return {each.pk for pk, each in here.items() if pk not in full}


def _tell_later(matches: Collection[int] = (), users: Collection[int] = ()) -> None:
    transaction.on_commit(lambda: tell(matches, users), robust=True)
