"""A Train of many: ten stations for a thousand, and a look costs no more than with few."""

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.events import running
from games.events.models import Entrant
from games.matches.models import Match
from tests.forms import form
from tests.games.events.kit import EventKit

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
COUNT = form(40, in_long=1_000)


def crowd_of(count: int) -> EventKit:
    """Return an event with this number of people."""
    kit = EventKit()
    names = [f"crowd{kit.event.pk}x{no}" for no in range(count)]
    kit.people = User.objects.bulk_create(
        User(username=name, name_key=name, email=f"{name}@example.com") for name in names
    )
    Entrant.objects.bulk_create(
        Entrant(event=kit.event, user=user, entered_at=kit.now) for user in kit.people
    )
    return kit


def queries_of_a_look(kit: EventKit) -> int:
    kit.now += timedelta(seconds=1)
    kit.beat()
    with CaptureQueriesContext(
        connection,
    ) as captured:
        running.step(event_id=kit.event.pk, now=kit.now)
    return len(captured)


def test_a_train_of_many_has_few_stations_and_looks_that_cost_alike() -> None:
    looks, took = list[int](), dict[str, float]()
    for count in (4, COUNT):
        kit = crowd_of(count)
        begun = time.monotonic()
        kit.start()
        took["start"] = time.monotonic() - begun
        kit.now += timedelta(seconds=6)
        kit.beat()
        begun = time.monotonic()
        kit.step()
        took["opening"] = time.monotonic() - begun
        looks.append(queries_of_a_look(kit))
    assert looks[0] == looks[1]
    while kit.row.is_live:
        for meeting in kit.meetings:
            if meeting.match is not None and not meeting.how:
                kit.win(meeting.match, meeting.no % 2)
        before, begun = kit.row.station, time.monotonic()
        kit.step()
        took[f"after {before}"] = time.monotonic() - begun
        kit.now += timedelta(seconds=6)
        kit.beat()
        kit.step()
    print({name: round(seconds, 2) for name, seconds in took.items()})
    assert kit.row.station == (COUNT - 1).bit_length()
    assert kit.row.entrants.get(place=1)
    assert Match.objects.filter(meeting__event=kit.event).count() == COUNT - 1
