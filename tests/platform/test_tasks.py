"""The site's own tasks: the restore test once a night, and the note that mail works."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from post_office.models import Email

from games.matches.models import Component, SelfCheck
from games.matches.processing.status import note_check
from rpsite import tasks
from rpsite.backups import trial

pytestmark = pytest.mark.django_db


def test_restore_is_tried_once_a_night_and_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[datetime]()

    def ask(day: int, hour: int) -> bool:
        """Return whether a task at this time tries a restore."""
        now = datetime(2026, 5, day, hour, 30, tzinfo=UTC)

        def note() -> Any:
            tried.append(now)
            note_check(SelfCheck.Kind.RESTORE, "tried", now=now)

        monkeypatch.setattr(trial, "try_newest", note)
        count = len(tried)
        trial.try_if_due(now)
        return len(tried) > count

    assert ask(4, 1), "there was none before"
    assert [ask(4, hour) for hour in (2, 3, 12, 23)] == [False, True, False, False]
    assert not ask(5, 2)
    assert ask(6, 1), "a night was missed"


def test_mail_works_unless_one_waits_for_too_long() -> None:
    Email.objects.create(from_email="a@localhost", to="b@localhost", status=2)
    tasks.watch_mail()
    noted = Component.objects.get(name="mail").beat_at
    Email.objects.update(created=timezone.now() - timedelta(minutes=6))
    Component.objects.update(beat_at=noted - timedelta(minutes=2))
    tasks.watch_mail()
    assert Component.objects.get(name="mail").beat_at == noted - timedelta(minutes=2)
