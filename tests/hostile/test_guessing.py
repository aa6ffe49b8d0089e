"""Case 47: neither pages, nor mails, nor the work done tell which accounts there are."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client
from post_office.models import Email

from accounts.services import create_bot
from accounts.tasks import send_mail
from tests.accounts.kit import confirm, log_in, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued_mail")]
SHARED = "shared@example.org"
WRONG = "not the password"


def test_hostile_47_a_wrong_password_and_an_unknown_name_get_the_same_page(client):
    make_user("tessio")
    pages = [log_in(Client(), name, WRONG) for name in ("tessio", "nobody-here")]
    bodies = [re.sub(rb'(value|nonce)="[^"]*"', b"", page.content) for page in pages]
    assert pages[0].status_code == pages[1].status_code
    assert bodies[0] == bodies[1]


@pytest.mark.plain
def test_hostile_47_asking_for_a_reset_answers_alike_and_mails_later():
    confirm(make_user("tessio"))
    Email.objects.all().delete()
    pages = [
        Client().post("/accounts/password/reset/", {"email": address}, follow=True)
        for address in ("tessio@example.org", "unknown@example.org")
    ]
    assert pages[0].redirect_chain == pages[1].redirect_chain
    assert mail.outbox == [], "sending is the worker's business"
    assert Email.objects.count() == 2
    send_mail()
    assert len(mail.outbox) == 2
    send_mail()
    assert len(mail.outbox) == 2, "each message is sent once"


@pytest.fixture
def hashes(monkeypatch):
    """Record the users whose hashes are computed: one entry for each."""
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
        user = make_user(f"claimant{number}", SHARED)
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
    # A form with a NUL in it is refused before anybody is looked for.
    status = 400 if "\0" in login else 200
    assert log_in(Client(), login, "not the password").status_code == status
    assert len(hashes) == (0 if "\0" in login else 1)


@pytest.mark.usefixtures("_many_of_one_address")
def test_hostile_47_only_a_confirmed_address_logs_in(client):
    assert log_in(client, SHARED).status_code == 200
    owner = make_user("owner", SHARED)
    confirm(owner)
    assert log_in(client, SHARED.upper()).status_code == 302
    assert client.session["_auth_user_id"] == str(owner.pk)


@pytest.mark.usefixtures("_many_of_one_address")
def test_hostile_47_asking_for_a_reset_queues_one_mail():
    Email.objects.all().delete()
    Client().post("/accounts/password/reset/", {"email": SHARED})
    (mail,) = Email.objects.all()
    assert "/password/reset/key/" not in mail.message, "nobody has confirmed this address"
    owner = make_user("owner", SHARED)
    confirm(owner)
    Client().post("/accounts/password/reset/", {"email": SHARED})
    mail = Email.objects.order_by("pk").last()
    assert Email.objects.count() == 2
    assert (mail.to, "/password/reset/key/" in mail.message) == ([SHARED], True)


@pytest.mark.plain
def test_hostile_47_a_banned_account_hashes_once_too(hashes):
    make_user("banned", is_active=False)
    hashes.clear()
    log_in(Client(), "banned")
    assert len(hashes) == 1
