"""Log-ins: one transaction, a hash that is cheap enough, sessions that end and are forgotten."""

from datetime import timedelta
from importlib import import_module

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from post_office.models import Email

from accounts.hashers import SiteArgon2PasswordHasher
from accounts.models import Device, User
from accounts.tasks import forget_what_ended
from tests.accounts.kit import PASSWORD, log_in, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ARGON2 = "accounts.hashers.SiteArgon2PasswordHasher"
WRITES = ("INSERT", "UPDATE", "DELETE")


def new_store():
    """Return a new session."""
    return import_module(settings.SESSION_ENGINE).SessionStore()


def writes_outside_a_transaction(statements: list[str]) -> list[str]:
    """Return the transactions, and the writes that stand outside of them, in order."""
    found, is_inside = [], False
    for statement in statements:
        if statement.startswith("BEGIN"):
            is_inside = True
            found.append("transaction")
        elif statement.startswith(("COMMIT", "ROLLBACK")) and "SAVEPOINT" not in statement:
            is_inside = False
        elif statement.startswith(WRITES) and not is_inside and "cache_entries" not in statement:
            found.append(statement)
    return found


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_a_log_in_is_one_transaction(client):
    make_user("alice")
    with CaptureQueriesContext(connection) as queries:
        assert log_in(client, "alice").status_code == 302
    about = [q["sql"] for q in queries if "cache_entries" not in q["sql"]]
    # Where the cache lies in the same database its writes are transactions of their own.
    pairs = zip(about, [*about[1:], ""], strict=True)
    empty = ("BEGIN", "COMMIT")
    kept = [one for one, two in pairs if (one[:5], two[:6]) != empty]
    assert writes_outside_a_transaction(kept) == ["transaction"]
    assert Session.objects.count() == UserSession.objects.count() == Device.objects.count() == 1
    assert client.get("/wallet/").status_code == 200
    assert settings.SESSION_COOKIE_NAME in client.cookies


def test_a_session_is_written_once_for_what_it_holds():
    store = new_store()
    store["points"] = [1]
    store.save()
    with CaptureQueriesContext(connection) as queries:
        store.save()
    assert len(queries) == 0
    store["points"].append(2)
    store.save()
    again = type(store)(store.session_key)
    assert again["points"] == [1, 2]
    again.cycle_key()
    again.save()
    assert type(store)(again.session_key)["points"] == [1, 2]


def test_an_old_password_hash_is_made_anew_at_the_next_log_in(client, settings):
    settings.PASSWORD_HASHERS = [ARGON2]
    user = make_user("alice")
    User.objects.filter(pk=user.pk).update(
        password=Argon2PasswordHasher().encode(PASSWORD, "saltsaltsalt")
    )
    assert log_in(client, "alice").status_code == 302
    user.refresh_from_db()
    assert "$m=19456,t=2,p=1$" in user.password
    assert user.check_password(PASSWORD)
    assert not SiteArgon2PasswordHasher().must_update(make_password(PASSWORD))


@pytest.mark.plain
def test_what_ended_is_forgotten_and_nothing_else(client):
    alice = make_user("alice")
    log_in(client, "alice")
    ended = new_store()
    ended.set_expiry(-1)
    ended.save()
    UserSession.objects.create(
        user=alice, ip="192.0.2.1", session_key=ended.session_key, user_agent=""
    )
    for age in (timedelta(days=1), timedelta(days=31)):
        mail = Email.objects.create(from_email="a@example.org", to=["b@example.org"])
        Email.objects.filter(pk=mail.pk).update(created=timezone.now() - age)
    forget_what_ended()
    assert Session.objects.count() == UserSession.objects.count() == Email.objects.count() == 1
    assert client.get("/wallet/").status_code == 200
