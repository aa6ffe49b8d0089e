"""Doors that were open: log-in and reset by an address that anybody may write into a form."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import IntegrityError, transaction
from django.test import Client
from post_office.models import Email

from accounts.services import create_bot
from tests.accounts.kit import confirm, log_in, make_user

pytestmark = pytest.mark.django_db
SHARED = "shared@example.org"


@pytest.fixture(autouse=True)
def _mail_is_queued(settings):
    settings.EMAIL_BACKEND = "post_office.EmailBackend"


@pytest.fixture
def hashes(monkeypatch):
    """Whose hashes are computed: one entry for each."""
    done = []
    encode = MD5PasswordHasher.encode

    def counted(self, password, salt):
        done.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return done


@pytest.fixture
def _many_of_one_address():
    for number in range(5):
        user = make_user(f"claimant{number}")
        user.email = SHARED
        user.save()
        EmailAddress.objects.create(user=user, email=SHARED, primary=True)


@pytest.mark.usefixtures("_many_of_one_address")
@pytest.mark.parametrize(
    "login",
    ["tessio", "nobody-here", "tessio@example.org", SHARED, "no@example.org", "a-bot", "a\0", "@"],
)
def test_hostile_47_a_wrong_log_in_hashes_once_whatever_is_typed(hashes, login):
    confirm(make_user("tessio"))
    create_bot(name="a-bot")
    hashes.clear()
    assert log_in(Client(), login, "not the password").status_code == 200
    # A field with a NUL in it is refused before anybody is looked for.
    assert len(hashes) == (0 if "\0" in login else 1)


@pytest.mark.usefixtures("_many_of_one_address")
def test_hostile_47_only_a_confirmed_address_logs_in(client):
    assert log_in(client, SHARED).status_code == 200
    owner = make_user("owner")
    owner.email = SHARED
    owner.save()
    confirm(owner)
    assert log_in(client, SHARED.upper()).status_code == 302
    assert client.session["_auth_user_id"] == str(owner.pk)


@pytest.mark.usefixtures("_many_of_one_address")
def test_hostile_47_asking_for_a_reset_queues_one_mail():
    Email.objects.all().delete()
    Client().post("/accounts/password/reset/", {"email": SHARED})
    (mail,) = Email.objects.all()
    assert "/password/reset/key/" not in mail.message, "nobody has confirmed this address"
    owner = make_user("owner")
    owner.email = SHARED
    confirm(owner)
    Client().post("/accounts/password/reset/", {"email": SHARED})
    mail = Email.objects.order_by("pk").last()
    assert Email.objects.count() == 2
    assert (mail.to, "/password/reset/key/" in mail.message) == ([SHARED], True)


def test_a_confirmed_address_belongs_to_one_account():
    confirm(make_user("tessio"))
    thief = make_user("thief")
    thief.email = "tessio@example.org"
    with pytest.raises(IntegrityError), transaction.atomic():
        confirm(thief)


def test_a_name_that_only_looks_like_another_logs_nobody_in(client):
    make_user("barney")
    assert log_in(client, "bamey").status_code == 200
    assert log_in(client, "BARNEY").status_code == 302


def test_hostile_47_a_banned_account_hashes_once_too(hashes):
    banned = make_user("banned")
    banned.is_active = False
    banned.save()
    hashes.clear()
    log_in(Client(), "banned")
    assert len(hashes) == 1
