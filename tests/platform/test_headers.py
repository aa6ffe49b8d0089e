import gzip
from collections import Counter, defaultdict

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import people
from accounts.models import User
from games.api.operations import allowances
from rpsite.headers import StaticFiles
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser, make_user, sign_up
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import town
from tests.games.match_kit import new_user
from tests.hostile.kit import PAGES
from tests.hostile.odd_text import Route, routes, rows_of

pytestmark = pytest.mark.django_db


def test_a_guest_who_looks_around_writes_no_session():
    inviter = make_user("inviter")
    token = people.invite_token_of(user_id=inviter.pk)
    guest = Client()
    for path in [*PAGES, f"/invite/{token}/"]:
        guest.get(path)
    assert not Session.objects.exists()
    sign_up(guest, "sonny")
    forger = Client()
    forger.cookies["invite"] = token
    sign_up(forger, "luca")
    found = User.objects.filter(username__in=("sonny", "luca")).order_by("pk")
    assert [user.invited_by for user in found] == [inviter, None], "the second wrote it himself"


def test_an_invitation_that_is_shown_300_times_writes_nothing():
    inviter = make_user("inviter")
    guest, owner = Client(), browser(inviter)
    path = f"/invite/{people.invite_token_of(user_id=inviter.pk)}/"
    for _ in range(2):  # the second brings the cookie back, which is stored once
        owner.get("/accounts/invite/")
    with CaptureQueriesContext(connection) as queries:
        for _ in range(300):
            assert guest.get(path).status_code == 302
        for _ in range(3):
            assert path in owner.get("/accounts/invite/").content.decode()
    asked = {query["sql"].split()[0] for query in queries.captured_queries}
    assert asked <= {"SELECT"}


def test_the_list_of_files_is_not_served(tmp_path, settings):
    settings.WHITENOISE_AUTOREFRESH = False
    settings.STATIC_ROOT = str(tmp_path)
    for name in ("staticfiles.json", "site.css"):
        (tmp_path / name).write_text("{}")
    served = StaticFiles(lambda request: None)
    assert "/static/site.css" in served.files
    assert "/static/staticfiles.json" not in served.files


ZIPPED = {"headers": {"accept-encoding": "gzip"}}


def test_d_breach_no_page_with_a_secret_is_compressed() -> None:
    """Those of guests are, below a third."""
    user, invited, guest = browser(make_user("sonny")), Client(), Client()
    invited.cookies[settings.SESSION_COOKIE_NAME] = "something"
    for path in ("/", "/rules/showdown/", "/duels/"):
        page = guest.get(path, **ZIPPED)
        assert page.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in page.headers["Vary"]
        assert "</html>" in gzip.decompress(page.content).decode()
        assert len(page.content) < len(gzip.decompress(page.content)) / 3
    for client, *paths in (
        (user, "/", "/wallet/", "/rules/showdown/"),
        (invited, "/"),
        (guest, "/accounts/login/", "/accounts/password/reset/key/1-abc/"),
        (guest, "/practice/showdown/demo.json"),
    ):
        for path in paths:
            answer = client.get(path, **ZIPPED)
            assert answer.status_code == 200, path
            assert "Content-Encoding" not in answer.headers, path


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "who", ["guest", "player", pytest.param("administrator", marks=pytest.mark.slow)]
)
def test_head_is_answered_as_get_at_every_address(who, settings):
    settings.ACCOUNT_RATE_LIMITS = False
    player, chief, running = make_user("ann"), administrator("chief", superuser=True), town(5)
    DuelKit(player, new_user()).start()
    client = {"guest": Client(), "player": browser(player), "administrator": browser(chief)}[who]
    values = {"slug": "duel", "name": player.username, "room": "day", "day": "2026-01-01"}
    values["public_id"] = running.match.public_id
    found, differ = Counter(), []
    for route in [*routes(), Route("no-such-page/")]:
        if route.pattern.startswith("admin/") != (who == "administrator"):
            continue
        address = route.filled(defaultdict(lambda: "1", values | rows_of(route)))
        allowances.clear()
        got, asked = client.get(address), client.head(address)
        assert asked.get("Location") == got.get("Location"), address
        found[got.status_code] += 1
        body = b"" if asked.streaming else asked.content
        if (asked.status_code, body) != (got.status_code, b""):
            differ.append((address, got.status_code, asked.status_code))
        if got.status_code == 405:
            assert "GET" not in got["Allow"], address
    assert differ == []
    assert found[200] > 20
    assert found[405] > 10 or who == "administrator"
    assert browser(player).head("/tables/with-a-bot/").status_code == 405
