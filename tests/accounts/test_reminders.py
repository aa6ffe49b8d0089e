"""The choice of mails about games: the page in the account, and the link in the mail."""

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from accounts.models import Reminders, User
from accounts.reminders import reachable, stop_address, user_of
from tests.accounts.kit import confirm, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def wanted(user: User) -> str:
    return User.objects.get(pk=user.pk).reminders


@pytest.mark.plain
def test_reminders_are_at_half_time_until_who_is_logged_in_chooses_otherwise(
    client: Client,
) -> None:
    user, page = make_user(), reverse("reminders")
    assert wanted(user) == Reminders.HALF
    assert client.get(page).headers["Location"].startswith("/accounts/login/")
    client.force_login(user)
    shown = client.get(page).content
    assert b'value="half" checked' in shown
    assert b"no confirmed e-mail address" in shown
    confirm(user)
    assert b"no confirmed e-mail address" not in client.get(page).content
    for choice in Reminders:
        assert client.post(page, {"reminders": choice.value}).status_code == 302
        assert wanted(user) == choice
    refused = client.post(page, {"reminders": "hourly"})
    assert (refused.status_code, wanted(user)) == (422, Reminders.NEVER)
    assert client.post(page).status_code == 422


@pytest.mark.plain
def test_reminders_are_ended_by_a_press_without_log_in_or_cookie() -> None:
    user, strict = make_user(), Client(enforce_csrf_checks=True)
    path = stop_address(user_id=user.pk).removeprefix("http://localhost:8000")
    made_up = signing.Signer().sign(str(user.pk)), signing.dumps(user.pk, salt="accounts.reminders")
    for token in ("1", path[:-3].rpartition("/")[2], *made_up):
        assert strict.post(reverse("reminders_stop", args=[token])).status_code == 404
    assert user_of("no token") is None
    assert strict.get(path).status_code == 200
    assert wanted(user) == Reminders.HALF, "filters of mail follow every link"
    assert strict.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert wanted(user) == Reminders.NEVER
    assert strict.post(path).status_code == 200


def test_reminders_reach_the_first_confirmed_address_of_people() -> None:
    one, other, bot = make_user("one_of"), make_user("other_of"), make_user("bot_of", is_bot=True)
    for user in (one, bot):
        confirm(user)
    found = reachable([one.pk, other.pk, bot.pk])
    assert [(person.name, person.address) for person in found] == [("one_of", one.email)]
