"""Mails to an account's owner about administrators' actions."""

from io import StringIO

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.management import call_command

from tests.accounts.admin_kit import REASON, administrator
from tests.accounts.kit import NEW, browser, confirm, make_user

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
    to, sentence = heard()[-1]
    assert to == [OLD]
    assert said in sentence
    assert not any(hidden in mail.outbox[-1].body for hidden in ("chief", "127.0.0.1"))


@pytest.mark.plain
def test_a_password_set_by_an_administrator_is_told_without_saying_it(chief, player):
    page = f"/admin/accounts/user/{player.pk}/password/"
    browser(chief).post(page, {**NEW, "usable_password": "true"})
    assert heard() == [([OLD], "It has another password, and all sessions have ended.")]
    assert NEW["password1"] not in mail.outbox[0].body


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
    page = f"/admin/accounts/user/{player.pk}/change/"
    kept = {"username": "tessio", "theme": "dark", "email": OLD, "reminders": "half"}
    assert browser(chief).post(page, kept | fields).status_code == 302
    assert heard() == [([OLD], sentence) for sentence in said]


@pytest.mark.plain
def test_who_has_no_address_is_not_written_to_and_who_has_hears_of_a_lost_factor(chief, player):
    nobody = administrator("luca")
    browser(chief).post(f"/admin/accounts/user/{nobody.pk}/freeze/", {"reason": REASON})
    nobody.refresh_from_db()
    assert nobody.is_frozen
    assert heard() == []
    TOTP.activate(player, generate_totp_secret())
    call_command("forget_second_factor", "tessio", stdout=StringIO())
    assert "Two-step log-in has been turned off" in heard()[0][1]
