import os
import re
import shutil
import threading
import unicodedata
from contextlib import ExitStack
from datetime import timedelta
from importlib import import_module

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings as site
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.contrib.sessions.models import Session
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from post_office.models import Email

from accounts import login_number as numbers
from accounts.backends import SiteArgon2PasswordHasher
from accounts.login_number import TRIGGERS, check_sessions, login_number
from accounts.models import ApiToken, Device, LoginNumber, User
from accounts.services import choose_theme, forget_ended_sessions
from accounts.tasks import forget_what_ended
from accounts.tokens import make_token, revoke_token
from economy import triggers
from economy.audit import find_recent_violations
from economy.models import LEDGER_GUARDS
from games.matches.models.archives import JOURNAL_GUARDS, LOG_GUARDS
from tests.accounts.kit import PASSWORD, log_in, make_user
from tests.platform import forks

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
#: The first words of statements, as letters: a transaction begins, commits, writes.
MARKS = {"BEGIN": "B", "COMMIT": "C", "ROLLBACK": "C", "INSERT": "W", "UPDATE": "W", "DELETE": "W"}


def new_session(**data):
    store = import_module(site.SESSION_ENGINE).SessionStore()
    store.update(data)
    store.save()
    return store


def moves(work):
    """Do something and say whether the number has moved, which it only ever does upwards."""
    before = login_number()
    work()
    after = login_number()
    assert after >= before
    return after > before


@pytest.mark.plain
def test_a_log_out_moves_it_and_a_log_in_of_a_new_browser_does_not(client):
    make_user("alice")
    assert not moves(lambda: log_in(client, "alice"))
    assert not moves(lambda: client.get("/wallet/"))
    assert moves(lambda: client.post("/accounts/logout/"))


@pytest.mark.plain
def test_a_session_that_ends_moves_it_and_one_that_is_over_or_lives_longer_does_not():
    store = new_session(points=1)
    assert moves(store.cycle_key)
    assert moves(store.flush)
    for _ in range(3):
        ended = new_session()
        ended.set_expiry(-1)
        assert moves(ended.save), "it ends sooner than it would have"
    store = new_session()
    assert not moves(forget_ended_sessions)
    assert Session.objects.count() == 1
    assert not moves(lambda: call_command("clearsessions"))
    rows, now = Session.objects.all(), timezone.now()
    assert not moves(lambda: rows.update(expire_date=now + timedelta(days=400)))
    assert moves(lambda: rows.update(expire_date=now - timedelta(seconds=1)))
    assert not moves(store.delete)
    keys = [new_session().session_key for _ in range(3)]
    Session.objects.filter(session_key__in=keys[:2]).update(expire_date=now - timedelta(days=1))
    assert moves(rows.all().delete), "one of them was not over"


@pytest.mark.parametrize(
    "end",
    [
        lambda user: user.set_password("another long password") or user.save(),
        lambda user: user.set_password(PASSWORD) or user.save(),
        lambda user: setattr(user, "is_active", False) or user.save(),
        lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
        lambda user: User.objects.filter(pk=user.pk).update(password="!"),
    ],
    ids=["password", "only hashed anew", "ban", "ban past the model", "password past the model"],
)
def test_another_password_and_a_ban_move_it(end):
    user = make_user("alice")
    assert moves(lambda: end(user))


@pytest.mark.plain
def test_a_token_that_ends_moves_it_and_what_else_is_written_of_a_user_does_not():
    user = make_user("alice")
    user.email = "other@example.org"
    assert not moves(user.save)
    assert not moves(lambda: User.objects.update(last_login=timezone.now()))
    assert not moves(lambda: choose_theme(user_id=user.pk, theme="dark"))
    assert not moves(lambda: make_user("bob"))
    made = []
    assert not moves(lambda: made.extend(make_token(user=user, name=name)[0] for name in "abc"))
    assert not moves(lambda: ApiToken.objects.update(last_used_at=timezone.now()))
    assert moves(lambda: revoke_token(user_id=user.pk, token_id=made[0].pk))
    assert not moves(made[0].delete), "it had ended before"
    assert moves(made[1].delete)
    user.set_password("another long password")
    assert moves(user.save)


@pytest.mark.django_db(transaction=True)
def test_it_moves_with_the_commit_and_not_with_a_rollback():
    user = make_user("alice")
    before = login_number()
    seen = []

    def look():
        seen.append(login_number())
        connection.close()

    def look_elsewhere():
        (thread := threading.Thread(target=look)).start()
        thread.join()

    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(is_active=False)
        look_elsewhere()
        transaction.set_rollback(True)
    assert login_number() == before
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(is_active=False)
        assert login_number() > before
        look_elsewhere()
    look_elsewhere()
    assert seen == [before, before, login_number()]
    assert seen[-1] > before


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_a_flushed_database_never_comes_back_to_an_earlier_number():
    new_session().flush()
    before = login_number()
    with ExitStack() as stack:
        for each in (LEDGER_GUARDS, LOG_GUARDS, JOURNAL_GUARDS):
            stack.enter_context(each.suspended(connection))
        call_command("flush", verbosity=0, interactive=False)
    new_session().flush()
    assert login_number() > before
    assert LoginNumber.objects.count() == 1


@pytest.mark.postgres
def test_emptying_a_table_moves_it_on_postgresql():
    new_session()
    with connection.cursor() as cursor:
        assert moves(lambda: cursor.execute("TRUNCATE django_session"))


@pytest.mark.plain
def test_lost_triggers_are_missed_by_check_and_audit_and_put_back_by_the_command():
    names = set(TRIGGERS.wanted(connection))
    TRIGGERS.remove(connection)
    assert set(triggers.all_missing(connection)) == names
    (error,) = (each for each in run_checks(databases=["default"]) if each.id == "economy.E001")
    assert all(name in error.msg for name in names)
    told = [line for line in find_recent_violations(timezone.now()) if "guard" in line]
    assert len(told) == len(names)
    call_command("audit_ledger", "--install-guards", verbosity=0)
    assert triggers.all_missing(connection) == []


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_triggers_are_off_while_migrations_run_and_on_after_them():
    numbers.remove_triggers(using="default")
    assert TRIGGERS.missing(connection)
    call_command("migrate", verbosity=0, skip_checks=True)
    assert TRIGGERS.missing(connection) == []
    user = make_user("alice")
    assert moves(lambda: User.objects.filter(pk=user.pk).update(is_active=False))


@pytest.mark.sqlite
@pytest.mark.parametrize("name", ["User", "ApiToken"])
def test_a_migration_that_rebuilds_a_table_passes_and_keeps_the_triggers(tmp_path, prepared, name):
    shutil.copy(prepared / "site.sqlite3", tmp_path / "filled.sqlite3")
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path / 'filled.sqlite3'}"}
    done = forks.run("-m", "tests.accounts.altering", name, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["missing: []", "moved: True"]


@pytest.mark.plain
def test_sessions_outside_of_the_database_are_refused(settings):
    backends = "django.contrib.sessions.backends"
    inside = ("accounts.backends", f"{backends}.db", f"{backends}.cached_db")
    for engine in (*inside, f"{backends}.cache", f"{backends}.signed_cookies"):
        settings.SESSION_ENGINE = engine
        found = [error.id for error in check_sessions()]
        assert found == ([] if engine in inside else ["accounts.E001"])


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_a_log_in_is_one_transaction(client):
    make_user("alice")
    with CaptureQueriesContext(connection) as queries:
        assert log_in(client, "alice").status_code == 302
    about = [q["sql"] for q in queries if not re.search("cache_entries|SAVEPOINT", q["sql"])]
    kinds = "".join(MARKS.get(sql.split()[0].strip(";"), "r") for sql in about)
    # Where the cache lies in the same database its writes are transactions of their own.
    assert re.fullmatch("r*B[rW]+Cr*", kinds.replace("BC", "")), about
    assert Session.objects.count() == UserSession.objects.count() == Device.objects.count() == 1
    assert client.get("/wallet/").status_code == 200
    assert site.SESSION_COOKIE_NAME in client.cookies


def test_a_session_is_written_once_for_what_it_holds():
    store = new_session(points=[1])
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
    settings.PASSWORD_HASHERS = ["accounts.backends.SiteArgon2PasswordHasher"]
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
def test_a_password_is_the_same_composed_and_decomposed_also_one_of_before(settings):
    composed = unicodedata.normalize("NFC", "gr\u00f6\u00dfe-lang-genug")
    decomposed = unicodedata.normalize("NFD", composed)
    user = make_user("alice")
    user.set_password(decomposed)
    assert check_password(composed, user.password), "stored composed"
    # Before, a password was stored as it was typed.
    for stored in (user.password, make_password(composed), make_password(decomposed)):
        User.objects.filter(pk=user.pk).update(password=stored)
        for typed in (composed, decomposed):
            assert log_in(Client(), "alice", typed).status_code == 302
        assert log_in(Client(), "alice", composed.replace("\u00f6", "o")).status_code == 200
    user.set_unusable_password()
    assert not user.check_password(composed)
    assert not user.check_password(None)


@pytest.mark.plain
def test_what_ended_is_forgotten_and_nothing_else(client):
    alice = make_user("alice")
    log_in(client, "alice")
    ended = new_session()
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
