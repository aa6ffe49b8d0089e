import time
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.login_number import login_number
from accounts.models import User
from accounts.tokens import make_token, revoke_token
from games.realtime import sessions
from games.realtime.sessions import LogIns, Stamp, token_login
from tests.games.socket_kit import log_in
from tests.games.table_kit import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def browser_of(user: User) -> Stamp:
    return Stamp(log_in(user).split("=")[1], user.pk, user.username, user.password)


def asked(log_ins: LogIns, *stamps: Stamp) -> tuple[set[Stamp], int]:
    with CaptureQueriesContext(connection) as queries:
        gone = log_ins.ended(set(stamps), login_number())
    return gone, len(queries)


def test_log_ins_that_stood_are_not_looked_at_again() -> None:
    log_ins, one, two = LogIns(), browser_of(new_user()), browser_of(new_user())
    assert asked(log_ins, one) == (set(), 2)
    assert asked(log_ins, one) == (set(), 1)
    assert asked(log_ins, one, two) == (set(), 2)
    assert asked(log_ins, one, two) == (set(), 1)
    assert asked(log_ins) == (set(), 1)
    # One that ends has all looked at once.
    Session.objects.get(session_key=one.session_key).delete()
    assert asked(log_ins, one, two) == ({one}, 2)
    assert asked(log_ins, two) == (set(), 1)
    assert asked(log_ins, one) == ({one}, 2), "what has ended is never taken for standing"


@pytest.mark.parametrize(
    "change", [{"is_active": False}, {"password": "another"}], ids=["ban", "password"]
)
def test_a_ban_and_another_password_end_browsers_and_programs(change) -> None:
    log_ins, user = LogIns(), new_user()
    both = {browser_of(user), token_login(make_token(user=user, name="bot")[1])[0]}
    assert asked(log_ins, *both) == (set(), 2)
    User.objects.filter(pk=user.pk).update(**change)
    assert asked(log_ins, *both)[0] == both


def test_a_revoked_token_ends_its_program_alone() -> None:
    log_ins, user = LogIns(), new_user()
    browser, program = browser_of(user), token_login(make_token(user=user, name="bot")[1])[0]
    assert asked(log_ins, browser, program) == (set(), 2)
    revoke_token(user_id=user.pk, token_id=program.token_id or 0)
    assert asked(log_ins, browser, program)[0] == {program}


def test_a_session_that_expires_by_itself_is_noticed_without_the_number(monkeypatch) -> None:
    log_ins, stamp = LogIns(), browser_of(new_user())
    soon = timezone.now() + timedelta(hours=1)
    Session.objects.filter(session_key=stamp.session_key).update(expire_date=soon)
    assert asked(log_ins, stamp) == (set(), 2)
    now = time.time
    monkeypatch.setattr(sessions.time, "time", lambda: now() + 3590)
    assert asked(log_ins, stamp) == (set(), 1)
    number = login_number()
    monkeypatch.setattr(sessions.time, "time", lambda: now() + 3610)
    monkeypatch.setattr(sessions.timezone, "now", lambda: soon + timedelta(seconds=10))
    assert asked(log_ins, stamp) == ({stamp}, 2)
    assert login_number() == number
    # It was made to last, and is known to last again.
    later = soon + timedelta(hours=1)
    Session.objects.filter(session_key=stamp.session_key).update(expire_date=later)
    assert asked(log_ins, stamp) == (set(), 2)
    assert asked(log_ins, stamp) == (set(), 1)


def test_what_is_known_of_log_ins_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(sessions, "MOST_KNOWN", 2)
    log_ins, stamps = LogIns(), [browser_of(new_user()) for _ in range(4)]
    for stamp in stamps:
        assert asked(log_ins, stamp)[0] == set()
    assert len(log_ins._until) <= 3
    assert asked(log_ins, *stamps)[0] == set()
