"""Case 77: nobody guesses a password or a code in a session, and the owner gets a mail."""

from datetime import timedelta
from http import HTTPStatus

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from post_office.models import Email

from accounts.guessing import LOCKED_FOR
from tests.accounts.kit import (
    PASSWORD,
    browser,
    confirm,
    confirm_password,
    log_in,
    logged_in_as,
    make_user,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_databases,
    pytest.mark.usefixtures("queued_mail"),
]
WRONG = "not the password"
NEW = "brand new 5 horses"


@pytest.fixture
def owner():
    user = make_user("tessio")
    confirm(user)
    TOTP.activate(user, generate_totp_secret())
    return user


@pytest.fixture
def code(owner):
    """A recovery code of the owner."""
    return RecoveryCodes.activate(owner).get_unused_codes()[0]


def mails():
    """Return the mails to the owner, and forget them."""
    texts = [mail.message for mail in Email.objects.order_by("pk") if "tessio@" in mail.to[0]]
    Email.objects.all().delete()
    return texts


def show_code(client, code):
    return client.post(reverse("mfa_reauthenticate"), {"code": code, "next": "/"})


def change_password(client, old, new=NEW):
    form = {"oldpassword": old, "password1": new, "password2": new}
    return client.post(reverse("account_change_password"), form)


def guess_five(client):
    """Guess five times, at every page that asks."""
    return [
        confirm_password(client, WRONG),
        show_code(client, "000000x"),
        change_password(client, WRONG),
        confirm_password(client, WRONG),
        show_code(client, "000000x"),
    ]


def test_hostile_77_after_five_tries_nothing_is_accepted_for_15_minutes(owner, code):
    thief = browser(owner)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert [page.status_code for page in guess_five(thief)] == [HTTPStatus.OK] * 5
        (told,) = mails()
        assert "refused in your sessions for 15 minutes" in told
        # Neither in another session of the user.
        for client in (thief, browser(owner)):
            for refused in (
                confirm_password(client),
                show_code(client, code),
                change_password(client, PASSWORD),
            ):
                assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
                assert refused["Retry-After"] == str(LOCKED_FOR)
        clock.shift(timedelta(seconds=LOCKED_FOR + 1))
        assert confirm_password(thief).status_code == HTTPStatus.FOUND
        assert show_code(thief, code).status_code == HTTPStatus.FOUND
        assert change_password(thief, PASSWORD).status_code == HTTPStatus.FOUND
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


def test_hostile_77_a_right_try_starts_the_count_anew(owner):
    client = browser(owner)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(4):
            for _ in range(3):
                assert change_password(client, WRONG).status_code == HTTPStatus.OK
            assert confirm_password(client).status_code == HTTPStatus.FOUND
            clock.shift(timedelta(minutes=2))
    assert logged_in_as(client) == "tessio"
    assert mails() == []


def test_hostile_77_a_weak_new_password_is_no_wrong_try(owner):
    client = browser(owner)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(6):
            assert change_password(client, PASSWORD, "short").status_code == HTTPStatus.OK
            clock.shift(timedelta(minutes=1))
        assert change_password(client, PASSWORD).status_code == HTTPStatus.FOUND


def test_hostile_77_the_admin_asks_for_no_password_of_its_own(admin_client):
    page = admin_client.get("/admin/password_change/")
    assert page["Location"] == reverse("account_change_password")


def test_hostile_77_the_owner_is_told_when_the_second_step_is_closed(owner, code):
    thief = Client()
    second = log_in(thief, "tessio")["Location"]
    for _ in range(5):
        thief.post(second, {"code": "000000x"})
    assert mails() == []
    mine = Client()
    log_in(mine, "tessio")
    for _ in range(2):
        assert b"Too many failed" in mine.post(second, {"code": code}).content
    (told,) = mails()
    assert "Your code or passkey is refused for 15 minutes" in told
    assert "knows your password" in told
    assert logged_in_as(mine) is None


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
