from datetime import timedelta
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import devices, people, services
from accounts.models import Device, User
from games.matches.models import Flag
from games.moderation import reports
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser, confirm_password, log_in, logged_in_as, make_user
from tests.at_once import all_at_once
from tests.forms import TURN, form
from tests.games.table_kit import new_user
from tests.hostile.odd_text import routes, rows_of, something_of_each

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
MOST = devices.MOST_DEVICES
#: Pages that are looked at; others with each commit.
PAGES = form(60, in_long=1_000)


def look(client: Client, path: str) -> Any:
    for name in client.cookies.keys() - {"sessionid"}:
        del client.cookies[name]
    return client.get(path)


def note(user: User, number: int) -> None:
    token, address = f"{number:043d}", "203.0.113.7"
    devices.note(user_id=user.pk, token=token, address=address, at=timezone.now())


def test_hostile_78_stored_are_cookies_that_come_back_three_a_session_and_twenty_a_user() -> None:
    user = make_user()
    client = browser(user)
    with CaptureQueriesContext(connection) as queries:
        given = {look(client, "/credits/").cookies["device"].value for _ in range(30)}
    assert len(given) == 30
    assert not Device.objects.exists()
    assert not [each for each in queries if not each["sql"].lstrip("(").startswith("SELECT")]
    client.get("/credits/")
    assert Device.objects.get().hash == devices.hash_of("cookie", client.cookies["device"].value)
    for number in range(30):
        client.cookies["device"] = f"{number:043d}"
        client.get("/credits/")
    assert Device.objects.count() == 3
    for _ in range(MOST + 3):
        log_in(Client(), user.username)
    assert Device.objects.count() == MOST


@pytest.mark.django_db(transaction=True)
def test_hostile_78_at_once_too_a_user_has_twenty_browsers_and_so_many_log_ins(monkeypatch) -> None:
    user, first = make_user(), Client()
    assert all_at_once([partial(note, user, number) for number in range(30)]) == [None] * 30
    assert Device.objects.count() == MOST
    monkeypatch.setattr(services, "MOST_SESSIONS", 3)
    log_in(first, user.username)
    all_at_once([lambda: log_in(Client(), user.username) for _ in range(6)])
    assert Session.objects.count() == UserSession.objects.count() == 3
    assert logged_in_as(first) is None


@pytest.mark.django_db(transaction=True)
def test_hostile_74_reports_at_once_meet_the_daily_limit(monkeypatch) -> None:
    monkeypatch.setattr(reports, "MOST_A_DAY", 3)
    ann, *others = (new_user() for _ in range(11))
    report = partial(reports.report_player, user=ann, reason="rude")
    calls = [partial(report, name=other.username) for other in others]
    assert all_at_once(calls).count(True) == Flag.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_hostile_78_what_is_there_is_cut_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "PORTION", 7)
    many, few = make_user("ann"), make_user("bob")
    at = timezone.now()
    Device.objects.bulk_create(
        Device(user=user, hash=f"{no:064x}", first_seen=at, last_seen=at - timedelta(hours=no))
        for user, count in ((many, MOST + 30), (few, 3))
        for no in range(count)
    )
    with CaptureQueriesContext(connection) as queries:
        call_command("cut_devices", stdout=StringIO())
    portions = [each["sql"] for each in queries if each["sql"].startswith("DELETE")]
    assert len(portions) >= 30 / 7
    assert few.devices.count() == 3
    kept = many.devices.order_by("hash").values_list("hash", flat=True)
    assert list(kept) == [f"{number:064x}" for number in range(MOST)]


def test_hostile_78_sitting_down_reads_only_what_is_shared() -> None:
    ann, bob, cleo = (make_user(name) for name in ("ann", "bob", "cleo"))
    for number in range(MOST):
        note(ann, number)
    note(bob, 5)
    devices.note(user_id=cleo.pk, token=f"{99:043d}", address="198.51.100.9", at=timezone.now())
    with CaptureQueriesContext(connection) as queries:
        seen = devices.shared_sightings([ann.pk, bob.pk, cleo.pk])
    assert len(queries) == 1
    assert cleo.pk not in seen
    company = devices.company_among(ann.pk, [bob.pk, cleo.pk], seen)
    assert company == devices.SharedDevices(frozenset({bob.pk}), frozenset({bob.pk}))


def addresses() -> list[str]:
    """Return an address of every route, and every one of a route with one parameter."""
    player, _ = make_user(), administrator("chief", superuser=True)
    _, there = something_of_each(player)
    there["token"] = [people.invite_token_of(user_id=player.pk)]
    found = []
    for route in routes():
        known = rows_of(route)
        values = {name: known.get(name, there.get(name, ["1"])[0]) for name in route.names}
        for name in route.names[:1]:
            found += [route.filled(values | {name: each}) for each in there.get(name, [])]
        found.append(route.filled(values))
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("who", ["tessio", "chief", None])
@time_machine.travel(timezone.now(), tick=False)
def test_hostile_78_no_page_grows_a_table(who, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    known = addresses()
    user = User.objects.filter(username=who).first()
    client = browser(user)
    if user is not None:
        confirm_password(client)
    paths = [path for path in known if who == "chief" or not path.startswith("/admin/")]
    assert len(paths) > 100
    paths = Random(78 + TURN).sample(paths, min(PAGES, len(paths)))
    counts = []
    for _ in range(2):
        for path in paths:
            look(client, path)
        counts.append({model: model._base_manager.count() for model in apps.get_models()})
    assert counts[0] == counts[1]
