from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from post_office.models import Email

from games.matches.models import Component, SelfCheck
from games.matches.processing.status import note_check
from rpsite import tasks
from rpsite.backups import trial

pytestmark = pytest.mark.django_db


def test_restore_is_tried_once_a_night_and_made_up_for(monkeypatch):
    times = [(4, 1), (4, 2), (4, 3), (4, 12), (4, 23), (5, 2), (6, 1)]
    tried = []
    for day, hour in times:
        now = datetime(2026, 5, day, hour, 30, tzinfo=UTC)

        def note(day=day, hour=hour, now=now):
            tried.append((day, hour))
            note_check(SelfCheck.Kind.RESTORE, "tried", now=now)

        monkeypatch.setattr(trial, "try_newest", note)
        trial.try_if_due(now)
    # There was none before, and a night was missed.
    assert tried == [(4, 1), (4, 3), (6, 1)]


def test_mail_works_unless_one_waits_for_too_long() -> None:
    Email.objects.create(from_email="a@localhost", to="b@localhost", status=2)
    tasks.watch_mail()
    noted = Component.objects.get(name="mail").beat_at
    Email.objects.update(created=timezone.now() - timedelta(minutes=6))
    Component.objects.update(beat_at=noted - timedelta(minutes=2))
    tasks.watch_mail()
    assert Component.objects.get(name="mail").beat_at == noted - timedelta(minutes=2)
