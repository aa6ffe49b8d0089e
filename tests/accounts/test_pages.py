import re
from datetime import date, timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from post_office.models import Email

from accounts import oversight
from accounts.adapters import AccountAdapter
from accounts.models import User
from accounts.tasks import only_run, send_mail
from economy.models import AdminRecord
from economy.records import Actor
from economy.selectors import balance_of
from tests.accounts import kit
from tests.accounts.kit import NEW, confirm, log_in, logged_in_as, make_user, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def _mail_is_queued(settings):
    """As on the site; Django's test runner would send it at once."""
    settings.EMAIL_BACKEND = "post_office.EmailBackend"


def test_one_signs_up_with_a_name_and_a_password_is_logged_in_and_has_100_points(client):
    page = client.get("/accounts/signup/")
    assert list(page.context["form"].fields) == ["username", "password1"]
    assert b'data-show="id_password1"' in page.content
    # What helps with a password is a list, which no paragraph may hold.
    assert b'<div class="help"' in page.content
    assert b'<p class="help"' not in page.content
    for password in ("short", "1234567890", "password123", "tessio1234"):
        assert sign_up(client, "tessio", password1=password).status_code == 422
        assert not User.objects.filter(username="tessio").exists()
    for name, wanted, reached in (
        ("Tessio", "", "/"),
        ("Sonny", "/leaderboard/", "/leaderboard/"),
        ("Luca", "https://evil.test/", "/"),
    ):
        client = Client()
        answer = sign_up(client, name, next=wanted)
        assert (answer.status_code, answer["Location"]) == (302, reached)
        assert logged_in_as(client) == name
        assert balance_of(User.objects.get(username=name).pk) == 100


def test_the_page_of_the_address_is_reached_from_every_page_and_has_our_look(client):
    sign_up(client, "tessio")
    assert b'href="/settings/"' in client.get("/").content
    assert b'href="/accounts/email/"' in client.get("/settings/").content
    assert b"No e-mail yet" in client.get("/accounts/email/").content
    assert kit.add_address(client, "tessio@example.org").status_code == 302
    page = client.get("/accounts/email/")
    assert b"not confirmed yet" in page.content
    assert page.templates[0].name == "account/email.html"
    client.post("/accounts/email/", {"action_remove": "1", "email": "tessio@example.org"})
    assert b"tessio@example.org</b>" not in client.get("/accounts/email/").content


@pytest.mark.parametrize("login", ["Tessio", "tessio", "TESSIO", "tessio@example.org"])
def test_one_logs_in_by_name_or_address(client, login):
    confirm(make_user("Tessio"))
    assert log_in(client, "Tessl0").status_code == 200, "it only looks like the name"
    assert log_in(client, login).status_code == 302
    assert logged_in_as(client) == "Tessio"


def test_one_resets_the_password_by_mail_and_all_sessions_end(client):
    user, elsewhere = make_user("tessio"), Client()
    confirm(user)
    log_in(elsewhere, "tessio")
    page = client.get(kit.reset_link(client, user.email), follow=True)
    client.post(page.redirect_chain[-1][0], NEW)
    assert log_in(Client(), "tessio", NEW["password1"]).status_code == 302
    assert log_in(Client(), "tessio").status_code != 302
    assert elsewhere.get("/accounts/sessions/").status_code == 302  # to the log-in page


@pytest.mark.plain
def test_only_one_worker_sends_at_a_time(client):
    sign_up(client, "tessio")
    kit.add_address(client, "tessio@example.org")
    assert Email.objects.count() == 1
    with only_run("send_mail") as is_only:
        assert is_only
        send_mail()
        # A cache that is full forgets entries.
        cache.clear()
        send_mail()
    assert mail.outbox == []
    send_mail()
    assert len(mail.outbox) == 1


@pytest.mark.plain
def test_the_fourth_reset_mail_in_an_hour_is_refused(client):
    make_user("tessio")
    form = {"email": "tessio@example.org"}
    answers = [client.post("/accounts/password/reset/", form).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]


@pytest.mark.parametrize(
    "path",
    [
        "login", "signup", "password/reset", "password/reset/done", "password/reset/key/done",
        "confirm-email", "inactive",
    ],
)  # fmt: skip
def test_guests_pages_have_a_title_and_a_heading(client, path):
    page = client.get(f"/accounts/{path}/")
    assert page.status_code == 200
    assert re.search(rb"<title>\S.*Rock &amp; Racket</title>(?s:.*)<h1>", page.content)


@pytest.mark.parametrize("path", ["logout", "password/change", "sessions"])
def test_players_pages_have_a_form(client, path):
    client.force_login(make_user())
    page = client.get(f"/accounts/{path}/")
    assert page.status_code == 200
    assert re.search(rb"form-card(?s:.*)csrfmiddlewaretoken", page.content)


@pytest.mark.plain
def test_a_guest_keeps_the_theme_in_a_cookie_a_player_in_the_account(client):
    assert client.post("/theme/", {"theme": "pink"}).status_code == 400
    assert client.get("/theme/").status_code == 405
    response = client.post("/theme/", {"theme": "dark", "next": "/rules/showdown/"})
    assert (response.status_code, response["Location"]) == (302, "/rules/showdown/")
    assert client.cookies["theme"].value == "dark"
    user = make_user()
    client.force_login(user)
    client.post("/theme/", {"theme": "light"})
    user.refresh_from_db()
    assert user.theme == "light"


@pytest.mark.plain
def test_two_who_want_one_name_at_once_get_one_account(client, monkeypatch):
    make_user("barney")
    monkeypatch.setattr(AccountAdapter, "clean_username", lambda _, name, shallow=False: name)
    response = sign_up(client, "bamey")
    assert response.status_code == 422
    assert b"looks like one that is" in response.content


def ban(user, until=None):
    return oversight.ban_user(Actor("user:0", "chief"), user.pk, "threw a real rock", until)


@pytest.mark.plain
def test_who_is_banned_is_told_why_until_when_and_whom_to_ask_and_nobody_else(client, settings):
    settings.SITE_CONTACT = "house@example.org"
    ban(make_user("tessio"), date(2999, 5, 6))
    page = log_in(client, "tessio")
    assert page.status_code == 403
    for words in ("threw a real rock", "6 May 2999", "house@example.org"):
        assert words in page.content.decode()
    assert logged_in_as(client) is None
    guess = log_in(client, "tessio", "not the password")
    assert (guess.status_code, b"threw a real rock" in guess.content) == (200, False)
    ban(make_user("luca"))
    assert "cannot be used any more" in log_in(client, "luca").content.decode()


@pytest.mark.plain
def test_a_ban_ends_by_itself_and_leaves_a_record(client):
    user = make_user("tessio")
    today = timezone.now().date()
    ban(user, today + timedelta(days=1))
    assert oversight.lift_ended_bans(today) == 0
    assert oversight.lift_ended_bans(today + timedelta(days=1)) == 1
    user.refresh_from_db()
    assert (user.is_active, user.banned_reason, user.banned_until) == (True, "", None)
    assert AdminRecord.objects.get(action="user_unbanned").actor_name == "the house"
    ban(user, today)
    # At the log-in at the latest, also where nobody has looked.
    assert log_in(client, "tessio").status_code == 302
    assert log_in(client, "tessio").status_code == 302
    assert logged_in_as(client) == "tessio"


def test_a_confirmed_address_belongs_to_one_account():
    confirm(make_user("tessio"))
    thief = make_user("thief", "tessio@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        confirm(thief)
