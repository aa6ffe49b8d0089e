from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people import LONGEST_ABSENCE, away_among
from tests.accounts.kit import browser
from tests.games.match_kit import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TODAY = timezone.now().date()


def said(user, until: str) -> int:
    return browser(user).post(reverse("away"), {"until": until}).status_code


@pytest.mark.parametrize("days", [0, 1, LONGEST_ABSENCE.days])
def test_away_until_a_day_is_shown_until_it_is_over(days):
    user = new_user("ann")
    until = TODAY + timedelta(days=days)
    assert said(user, until.isoformat()) == 302
    assert away_among([user.pk], TODAY) == {user.pk: until}
    assert away_among([user.pk], until + timedelta(days=1)) == {}
    assert "away until" in Client().get(reverse("profile", args=[user.username])).content.decode()
    assert said(user, "") == 302
    assert away_among([user.pk], TODAY) == {}


@pytest.mark.plain
@pytest.mark.parametrize("until", [-1, LONGEST_ABSENCE.days + 1, "tomorrow", "2026-13-40", "\x00"])
def test_away_until_another_day_is_refused_and_changes_nothing(until):
    if isinstance(until, int):
        until = (TODAY + timedelta(days=until)).isoformat()
    assert said(new_user("ann"), until) == (400 if "\0" in until else 422)
    assert Client().post(reverse("away"), {"until": TODAY.isoformat()}).status_code == 302
    assert not User.objects.exclude(away_until=None).exists()
