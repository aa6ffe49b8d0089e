"""Headers of every page, sessions that guests do not have, and mistakes with a number."""

import logging
import re
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import invitations
from accounts.models import User
from rpsite import health
from rpsite.headers import StaticFiles
from tests.accounts.kit import PASSWORD, confirm, make_user, sign_up

pytestmark = pytest.mark.django_db
PAGES = [
    "/", "/tables/", "/duels/", "/arena/", "/rules/showdown/", "/leaderboard/", "/credits/",
    "/shop/", "/economy/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/",
    "/no-such-page/", "/wallet/",
]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_hostile_41_no_page_is_kept_and_none_may_use_a_camera(path):
    page = Client().get(path)
    # A guest's lobby may be kept for a minute: by the guest's own browser.
    assert "no-store" in page["Cache-Control"] or path == "/"
    assert "private" in page["Cache-Control"]
    assert "camera=()" in page["Permissions-Policy"]
    assert "microphone=()" in page["Permissions-Policy"]


@pytest.mark.parametrize("path", ["/wallet/", "/accounts/sessions/", "/accounts/email/", "/"])
def test_hostile_41_nothing_of_an_account_is_kept(client, path):
    client.force_login(make_user())
    assert "no-store" in client.get(path)["Cache-Control"]


def test_a_guest_who_looks_around_writes_no_session():
    inviter = make_user("inviter")
    token = invitations.token_of(user_id=inviter.pk)
    guest = Client()
    for path in [*PAGES, f"/invite/{token}/"]:
        guest.get(path)
    assert not Session.objects.exists()
    sign_up(guest, "sonny")
    assert User.objects.get(username="sonny").invited_by == inviter


def test_an_invitation_that_is_shown_300_times_writes_nothing():
    inviter, guest, owner = make_user("inviter"), Client(), Client()
    path = f"/invite/{invitations.token_of(user_id=inviter.pk)}/"
    owner.force_login(inviter)
    owner.get("/accounts/invite/")
    with CaptureQueriesContext(connection) as queries:
        for _ in range(300):
            assert guest.get(path).status_code == 302
        for _ in range(3):
            assert path in owner.get("/accounts/invite/").content.decode()
    asked = {query["sql"].split()[0] for query in queries.captured_queries}
    assert asked <= {"SELECT"}


def test_an_invitation_that_somebody_has_written_himself_is_none():
    inviter = make_user("inviter")
    guest = Client()
    guest.cookies["invite"] = invitations.token_of(user_id=inviter.pk)
    sign_up(guest, "sonny")
    assert User.objects.get(username="sonny").invited_by is None


def test_hostile_49_a_link_that_resets_a_password_lives_a_day(mailoutbox):
    user = make_user()
    confirm(user)
    Client().post("/accounts/password/reset/", {"email": user.email})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mailoutbox[-1].body)[1]
    for hours, is_good in ((23, True), (25, False)):
        with time_machine.travel(timezone.now() + timedelta(hours=hours), tick=False):
            page = Client().get(link, follow=True)
        assert (b"This link is invalid" not in page.content) is is_good


def test_hostile_69_a_mistake_of_ours_has_a_number_that_the_log_has_too(monkeypatch, caplog):
    def fail() -> bool:
        raise ValueError(PASSWORD)

    monkeypatch.setattr(health, "_can_write", fail)
    monkeypatch.setattr(health._Look, "until", 0.0)
    with caplog.at_level(logging.ERROR):
        page = Client(raise_request_exception=False).get("/healthz")
    assert page.status_code == 500
    incident = re.search(rb'incident <span class="num">([0-9a-f]{8})<', page.content)[1].decode()
    assert f"incident {incident}: ValueError at healthz" in caplog.text
    assert PASSWORD.encode() not in page.content


def test_the_list_of_files_is_not_served(tmp_path: Path, settings):
    settings.WHITENOISE_AUTOREFRESH = False
    settings.STATIC_ROOT = str(tmp_path)
    for name in ("staticfiles.json", "site.css"):
        (tmp_path / name).write_text("{}")
    served = StaticFiles(lambda request: None)
    assert "/static/site.css" in served.files
    assert "/static/staticfiles.json" not in served.files
