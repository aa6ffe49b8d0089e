from datetime import timedelta
from http import HTTPStatus

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.test import Client
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from post_office.models import Email

from accounts.adapters import LOCKED_FOR
from tests.accounts import kit
from tests.accounts.kit import PASSWORD, browser, confirm_password, log_in, logged_in_as, make_user

MAIL = pytest.mark.usefixtures("queued_mail")
pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, MAIL]
WRONG = "not the password"
SECOND = reverse_lazy("mfa_authenticate")
NEW = "brand new 5 horses"


@pytest.fixture
def owner():
    user = make_user("tessio")
    kit.confirm(user)
    TOTP.activate(user, generate_totp_secret())
    return user


@pytest.fixture
def code(owner):
    return RecoveryCodes.activate(owner).get_unused_codes()[0]


def mails():
    texts = [mail.message for mail in Email.objects.order_by("pk") if "tessio@" in mail.to[0]]
    Email.objects.all().delete()
    return texts


def show_code(client, code):
    return client.post(reverse("mfa_reauthenticate"), {"code": code, "next": "/"})


def change_password(client, old, new=NEW):
    form = {"oldpassword": old, "password1": new, "password2": new}
    return client.post(reverse("account_change_password"), form)


def show_all(client, code, password=PASSWORD):
    shown = [confirm_password(client, password), show_code(client, code)]
    return [*shown, change_password(client, password)]


def guess_five(client):
    guesses = show_all(client, "000000x", WRONG)
    return [*guesses, confirm_password(client, WRONG), show_code(client, "000000x")]


def test_hostile_77_after_five_tries_nothing_is_accepted_for_15_minutes(owner, code):
    thief = browser(owner)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert [page.status_code for page in guess_five(thief)] == [HTTPStatus.OK] * 5
        (told,) = mails()
        assert "refused in your sessions for 15 minutes" in told
        # Neither in another session of the user.
        for client in (thief, browser(owner)):
            for refused in show_all(client, code):
                assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
                assert refused["Retry-After"] == str(LOCKED_FOR)
        clock.shift(timedelta(seconds=LOCKED_FOR + 1))
        assert [page.status_code for page in show_all(thief, code)] == [HTTPStatus.FOUND] * 3
    assert not any("refused" in told for told in mails())


def test_hostile_77_the_tenth_wrong_try_ends_the_session(owner):
    thief, elsewhere = browser(owner), browser(owner)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        guess_five(thief)
        clock.shift(timedelta(seconds=LOCKED_FOR + 1))
        mails()
        *_, last = guess_five(thief)
    assert (last.status_code, last["Location"]) == (HTTPStatus.FOUND, reverse("account_login"))
    assert b"wrong ten times" in thief.get(last["Location"]).content
    assert logged_in_as(thief) is None
    assert logged_in_as(elsewhere) == "tessio"
    (told,) = mails()
    assert "ended after ten wrong tries" in told


def test_hostile_77_a_right_try_counts_anew_and_a_weak_password_is_none(owner):
    client = browser(owner)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(4):
            for _ in range(3):
                assert change_password(client, WRONG).status_code == HTTPStatus.OK
            assert confirm_password(client).status_code == HTTPStatus.FOUND
            clock.shift(timedelta(minutes=2))
        for _ in range(6):
            assert change_password(client, PASSWORD, "short").status_code == HTTPStatus.OK
            clock.shift(timedelta(minutes=1))
        assert (logged_in_as(client), mails()) == ("tessio", [])
        assert change_password(client, PASSWORD).status_code == HTTPStatus.FOUND


def test_hostile_77_the_admin_asks_for_no_password_of_its_own(admin_client):
    page = admin_client.get("/admin/password_change/")
    assert page["Location"] == reverse("account_change_password")


def at_second_step(network, known=None):
    """Return somebody who has given the right password, in a network, with a browser's cookie."""
    client = Client(REMOTE_ADDR=f"198.51.{network}.7")
    name = settings.DEVICE_COOKIE_NAME
    if known is not None:
        client.cookies[name] = known.cookies[name].value
    assert log_in(client, "tessio")["Location"].startswith(str(SECOND))
    return client


def try_code(client, code="000000x"):
    return client.post(SECOND, {"code": code})


def test_hostile_77_91_the_owner_is_told_when_the_second_step_is_closed(owner, code):
    thief = at_second_step(1)
    assert ([try_code(thief).status_code for _ in range(5)], mails()) == ([HTTPStatus.OK] * 5, [])
    mine = at_second_step(1)
    for _ in range(2):
        refused = try_code(mine, code)
        assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
        assert refused["Retry-After"] == str(LOCKED_FOR)
        assert b"Too many failed" in refused.content
    (told,) = mails()
    assert "none is accepted there for 15 minutes" in told
    assert "knows your password" in told
    assert logged_in_as(mine) is None


def test_hostile_91_who_knows_the_password_does_not_close_the_owners_log_in(owner):
    codes = RecoveryCodes.activate(owner).get_unused_codes()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        home = at_second_step(1)
        try_code(home, codes[0])
        assert logged_in_as(home) == "tessio"
        for network in range(1, 5):
            thief = at_second_step(network)
            statuses = [try_code(thief).status_code for _ in range(6)]
            assert statuses[-1] == HTTPStatus.TOO_MANY_REQUESTS
            if network == 1:
                away = at_second_step(9)
                try_code(away, codes[1])
                assert logged_in_as(away) == "tessio", "elsewhere"
        closed = at_second_step(10)
        assert try_code(closed, codes[2]).status_code == HTTPStatus.TOO_MANY_REQUESTS
        again = at_second_step(2, known=home)
        try_code(again, codes[2])
        assert logged_in_as(again) == "tessio", "in a browser of the owner"
        guesses = []
        for hours in (1, 1, 1, 1, 1, 1, 10):
            clock.shift(timedelta(hours=hours))
            thieves = [at_second_step(network) for network in range(11, 15)]
            statuses = [try_code(thief).status_code for thief in thieves for _ in range(5)]
            guesses.append(statuses.count(HTTPStatus.OK))
        assert guesses[:4] == [20] * 4
        assert guesses[-1] == 0, "no more than 120 a day"


@pytest.mark.django_db(transaction=True)
def test_hostile_77_setting_up_an_app_keeps_its_secret_for_the_session():
    user = make_user("tessio")
    clients = [browser(user), browser(user)]
    for client in clients:
        confirm_password(client)
    path = reverse("mfa_activate_totp")
    secrets = [[c.get(path).context["form"].secret for _ in range(2)] for c in clients]
    assert secrets[0][0] == secrets[0][1]
    assert secrets[0][0] != secrets[1][0]
    wrong = clients[0].post(path, {"code": "000000x"})
    assert wrong.context["form"].secret == secrets[0][0]
    assert clients[0].get(path).context["form"].secret == secrets[0][0]
    assert not Authenticator.objects.exists()
