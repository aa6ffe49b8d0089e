import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client
from post_office.models import Email

from accounts.services import create_bot
from accounts.tasks import send_mail
from tests.accounts.kit import PASSWORD, confirm, log_in, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued_mail")]
SHARED = "shared@example.org"
WRONG = "not the password"


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


@pytest.mark.plain
@pytest.mark.usefixtures("_many_of_one_address")
def test_hostile_47_a_wrong_log_in_gets_one_page_and_one_hash_whatever_is_typed(hashes):
    confirm(make_user("tessio"))
    make_user("banned", is_active=False)
    create_bot(name="a-bot")
    known = ("tessio", "tessio@example.org", SHARED, "a-bot")
    bodies = {}
    for number, login in enumerate((*known, "nobody-here", "no@example.org", "@", "a\0", "banned")):
        hashes.clear()
        client = Client(REMOTE_ADDR=f"198.51.{number}.7")
        page = log_in(client, login, PASSWORD if login == "banned" else WRONG)
        # A form with a NUL in it is refused before anybody is looked for.
        others = {"a\0": (400, 0), "banned": (403, 1)}
        assert (page.status_code, len(hashes)) == others.get(login, (200, 1)), login
        bodies[login] = re.sub(rb'(value|nonce)="[^"]*"', b"", page.content)
    assert bodies["tessio"] == bodies["nobody-here"]


def test_hostile_47_each_form_of_a_wrong_password_is_hashed_whoever_is_named(hashes):
    make_user("tessio")
    counts = {}
    for number, login in enumerate(("tessio", "nobody-here")):
        for word in ("groesse-lang", "gr\u00f6\u00dfe-lang-genug", "gro\u0308\u00dfe-lang-genug"):
            hashes.clear()
            assert log_in(Client(REMOTE_ADDR=f"198.51.{number}.9"), login, word).status_code == 200
            counts.setdefault(word, set()).add(len(hashes))
    assert list(counts.values()) == [{1}, {2}, {2}]


@pytest.mark.usefixtures("_many_of_one_address")
def test_hostile_47_only_a_confirmed_address_logs_in_and_a_reset_of_many_is_one_mail(client):
    assert log_in(client, SHARED).status_code == 200
    Email.objects.all().delete()
    Client().post("/accounts/password/reset/", {"email": SHARED})
    (mail,) = Email.objects.all()
    assert "/password/reset/key/" not in mail.message, "nobody has confirmed this address"
    owner = make_user("owner", SHARED)
    confirm(owner)
    assert log_in(client, SHARED.upper()).status_code == 302
    assert client.session["_auth_user_id"] == str(owner.pk)
    Email.objects.all().delete()
    Client().post("/accounts/password/reset/", {"email": SHARED})
    (mail,) = Email.objects.all()
    assert (mail.to, "/password/reset/key/" in mail.message) == ([SHARED], True)
