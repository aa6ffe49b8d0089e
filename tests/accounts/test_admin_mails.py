"""Mails to an account's owner about administrators' actions."""

from io import StringIO

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.management import call_command

from tests.accounts.admin_kit import REASON, administrator
from tests.accounts.kit import browser, confirm, make_user

pytestmark = pytest.mark.django_db
OLD = "tessio@example.org"


@pytest.fixture
def chief():
    return administrator("chief", superuser=True)


@pytest.fixture
def player():
    user = make_user("tessio")
    confirm(user)
    return user


def heard():
    """Return the recipients and sentences of the queued mails."""
    return [(one.to, one.body.split("\n\n")[2]) for one in mail.outbox]


def change(chief, player, **fields):
    page = f"/admin/accounts/user/{player.pk}/change/"
    kept = {"username": player.username, "theme": "dark", "email": player.email}
    answer = browser(chief).post(page, {**kept, "reminders": "half", **fields})
    assert answer.status_code == 302


@pytest.mark.parametrize(
    ("verbs", "said"),
    [
        (["freeze"], f"The reason: {REASON}"),
        (["freeze", "unfreeze"], "you may play again"),
        (["ban"], f"It is closed for good: you cannot log in. The reason: {REASON}"),
        (["ban", "unban"], "you can log in"),
    ],
)
def test_the_owner_hears_of_freezing_and_banning(chief, player, verbs, said):
    for verb in verbs:
        browser(chief).post(f"/admin/accounts/user/{player.pk}/{verb}/", {"reason": REASON})
    assert len(mail.outbox) == len(verbs)
    assert heard()[-1][0] == [OLD]
    assert said in heard()[-1][1]
    for hidden in ("chief", "127.0.0.1"):
        assert hidden not in mail.outbox[-1].body


@pytest.mark.plain
def test_a_password_set_by_an_administrator_is_told_without_saying_it(chief, player):
    new = {"password1": "another one 88", "password2": "another one 88", "usable_password": "true"}
    browser(chief).post(f"/admin/accounts/user/{player.pk}/password/", new)
    assert heard() == [([OLD], "It has another password, and all sessions have ended.")]
    assert "another one 88" not in mail.outbox[0].body


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"email": "mine@example.org", "username": "barzini"},
            ["It has another name. It has another e-mail address."],
        ),
        ({"is_staff": "on", "is_superuser": "on"}, ["What it may do in the admin is new."]),
        ({"theme": "light"}, []),
    ],
)
def test_what_is_new_of_the_person_is_told_once_to_the_address_known_before(
    chief, player, fields, said
):
    change(chief, player, **fields)
    assert heard() == [([OLD], sentence) for sentence in said]


@pytest.mark.plain
def test_who_has_no_address_is_not_written_to(chief):
    nobody = administrator("luca")
    browser(chief).post(f"/admin/accounts/user/{nobody.pk}/freeze/", {"reason": REASON})
    nobody.refresh_from_db()
    assert nobody.is_frozen
    assert heard() == []


@pytest.mark.plain
def test_a_second_factor_that_is_taken_off_by_hand_is_told(player):
    TOTP.activate(player, generate_totp_secret())
    call_command("forget_second_factor", "tessio", stdout=StringIO())
    assert "Two-step log-in has been turned off" in heard()[0][1]
