import logging
import os
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from unittest.mock import AsyncMock

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from accounts import devices
from accounts.login_number import login_number
from economy.selectors import balance_of
from games.matches.models import Component
from rpsite import disk, status, views
from rpsite.errors import crowded, is_away
from rpsite.status import copy_path, write_copy
from tests.accounts.kit import log_in, make_user
from tests.platform import forks
from tests.platform.prepared import copy_all
from tests.platform.site import environment

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _as_on_the_site(monkeypatch, settings):
    # Limits are counted in a file of their own there; here it would be the locked one.
    counters = settings.CACHES["template_fragments"] | {"LOCATION": "counters"}
    settings.CACHES = settings.CACHES | {"default": counters}
    monkeypatch.setattr(views, "GOOD_FOR", {True: 0.0, False: 0.0})
    views._Look.until = 0.0
    cache.clear()


@contextmanager
def locked():
    connection.ensure_connection()
    connection.connection.execute("PRAGMA busy_timeout=50")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.rollback()
            connection.close()


@contextmanager
def gone():
    connection.close()
    name = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = "/proc/nowhere/site.sqlite3"
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name


def visitor() -> Client:
    return Client(raise_request_exception=False)


def while_locked(ask):
    """Return the answer of a locked database, which says when to come back."""
    with locked():
        answer = ask()
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    return answer


def test_a_purchase_at_a_locked_database_gets_503_and_costs_nothing():
    """A log-in works afterwards."""
    user, client = make_user("tessio"), visitor()
    answer = while_locked(lambda: log_in(client, "tessio"))
    assert b"no points have moved" in answer.content
    assert log_in(client, "tessio").status_code == 302
    form = {"unit": "ROCK", "quantity": 3, "expected_price": 5, "key": "a-key-of-the-page"}
    while_locked(lambda: client.post("/shop/buy/", form))
    assert balance_of(user.pk) == 100
    assert client.post("/shop/buy/", form).status_code == 302
    assert balance_of(user.pk) == 85


def test_hostile_86_a_session_that_cannot_be_saved_gets_503_and_no_400(monkeypatch, caplog):
    def remember(request, _):
        request.session["seen"] = "today"

    monkeypatch.setattr(devices, "remember", remember)
    client = visitor()
    client.force_login(make_user("tessio"))
    while_locked(lambda: client.get("/wallet/"))
    logged = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert [each.name for each in logged] == ["django.request"]
    assert client.get("/wallet/").status_code == 200
    session = client.session
    session["seen"] = "later"
    Session.objects.all().delete()
    with pytest.raises(UpdateError):
        session.save()


def test_health_is_a_write(monkeypatch):
    client = visitor()
    assert client.get("/healthz").content == b"ok"
    number = login_number()
    with locked():
        assert client.get("/healthz").status_code == 503
    assert client.get("/healthz").status_code == 200
    assert login_number() == number, "it ends no log-in"
    assert Session.objects.filter(session_key="healthz").count() == 1
    client.cookies["sessionid"] = "healthz"
    assert client.get("/wallet/").status_code == 302
    monkeypatch.setattr(views, "_can_write", lambda *_: int("a"))
    assert client.get("/healthz").status_code == 500, "it is our own mistake"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("free", "answer", "said"),
    [
        (9, (503, b"no room"), "the disk is full: 9 MiB are free"),
        (99, (200, b"ok"), "the disk is low: 99 MiB are free"),
        (100, (200, b"ok"), ""),
    ],
)
def test_health_is_room_on_the_disk_and_a_line_comes_before_it_is_full(
    free, answer, said, monkeypatch, settings, caplog
):
    settings.DISK_LEAST_FREE = 10
    monkeypatch.setattr(disk._Said, "state", "")
    monkeypatch.setattr(disk, "free_bytes", lambda: free)
    monkeypatch.setattr(disk, "_MIB", 1)
    for _ in range(3):
        found = visitor().get("/healthz")
        assert (found.status_code, found.content) == answer
    lines = [record.getMessage() for record in caplog.records if record.name == disk.__name__]
    assert "".join(lines) == said
    shown = visitor().get("/status/").content.decode()
    assert ("The disk is full" in shown, "The disk is nearly full" in shown) == (
        "full" in said, "low" in said,
    )  # fmt: skip


#: Asks for /healthz before and after no file may grow: SQLite then fails as on a full disk.
NO_ROOM = """
import resource, django; django.setup()
from django.test import Client
from django.utils import timezone
from rpsite import views
views.GOOD_FOR = {True: 0.0, False: 0.0}
for most in (None, 4096):
    if most:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    found = Client(headers={"host": "localhost"}).get("/healthz")
    print(found.status_code, found.content.decode())
"""


def test_health_is_503_where_sqlite_cannot_write(tmp_path, prepared):
    more = {"DJANGO_SETTINGS_MODULE": "rpsite.settings.site"}
    done = forks.run("-c", NO_ROOM, env=environment(copy_all(prepared, tmp_path), **more))
    assert done.stdout.splitlines() == ["200 ok", "503 no database"], done.stderr


def test_a_full_disk_is_away_and_a_wrong_question_is_not(tmp_path, settings):
    settings.VAR = tmp_path
    room = os.statvfs(tmp_path)
    assert 0 < disk.free_bytes() <= room.f_blocks * room.f_frsize
    with closing(sqlite3.connect(tmp_path / "small.sqlite3")) as small:
        small.execute("CREATE TABLE a (b text)")
        small.execute("PRAGMA max_page_count=3")
        found = []
        for question in ("INSERT INTO a VALUES (zeroblob(100000))", "SELECT c FROM a"):
            with pytest.raises(sqlite3.OperationalError) as problem:
                small.execute(question)
            told = OperationalError(str(problem.value))
            told.__cause__ = problem.value
            found.append(is_away(told))
    assert found == [True, False]
    assert not is_away(ValueError())


async def test_a_request_that_gets_no_turn_is_told_when_to_come_back():
    for path, kind, word in (
        ("/leaderboard/", b"text/html", b"The house is full"),
        ("/api/v1/site", b"application", b"busy"),
    ):
        send = AsyncMock()
        await crowded({"path": path}, None, send)
        begun, body = (call.args[0] for call in send.call_args_list[:2])
        headers = {name.lower(): value for name, value in begun["headers"]}
        assert (begun["status"], headers[b"retry-after"]) == (503, b"5")
        assert headers[b"content-type"].startswith(kind)
        assert word in body["body"]


TEXTS = (
    "/rules/", "/fair-play/", "/privacy/", "/about/", "/status/", "/credits/", "/robots.txt",
    "/offline/", "/accounts/login/", "/app.webmanifest", "/sw.js", "/rules/showdown/",
    "/rules/duel/", "/rules/agora/", "/rules/dynamite/", "/arena/rules/",
)  # fmt: skip


@pytest.mark.plain
def test_pages_of_text_need_no_database_with_or_without_a_log_in():
    guest, member = visitor(), visitor()
    member.force_login(make_user("tessio"))
    with gone():
        for path in TEXTS:
            found = [each.get(path).status_code for each in (guest, member)]
            assert found == [200, 200], path
        assert member.get("/wallet/").status_code == 503
        assert member.post("/accounts/login/").status_code == 503
    # The log-in holds.
    assert b"tessio" in member.get("/rules/").content


def test_status_without_a_database_says_so_and_what_it_knew_last(monkeypatch):
    def full(*_):
        raise OperationalError("database or disk is full")

    def shown() -> bytes:
        return visitor().get("/status/").content

    monkeypatch.setattr(status._Last, "known", None)
    with gone():
        said = shown()
    assert b"The database does not answer" in said
    assert b"Everything works" not in said
    Component.objects.create(name="web", since_at=timezone.now(), beat_at=timezone.now())
    assert b"Everything works" in shown()
    cache.clear()
    with gone():
        assert b"Not working: Database" in shown()
    cache.clear()
    monkeypatch.setattr(cache._connections["default"], "set", full)
    assert b"Everything works" in shown(), "where a cache takes nothing, it is made anew"


def test_status_from_the_future_is_not_shown():
    now = timezone.now()
    cache.set(status._KEY, replace(status.status_at(now), at=now + timedelta(hours=1)), 3600)
    assert abs(status.status().at - now) < timedelta(minutes=5)
    assert cache.get(status._KEY).at < now + timedelta(minutes=5)


def test_copy_of_the_status_is_written_with_and_without_a_database(settings, tmp_path, caplog):
    settings.VAR = tmp_path
    write_copy()
    assert "This is a copy" in copy_path().read_text()
    with gone():
        cache.clear()
        write_copy()
    assert "The database does not answer" in copy_path().read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["status.html"]
    settings.VAR = tmp_path / "nowhere"
    write_copy()
    assert "could not be written" in caplog.text
