from datetime import timedelta
from functools import partial
from itertools import product

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from post_office.models import Email

from accounts.adapters import AccountAdapter
from accounts.models import User
from accounts.names import is_reserved
from accounts.services import create_bot
from accounts.tasks import send_mail
from economy.selectors import balance_of
from tests.accounts.kit import (
    NEW,
    PASSWORD,
    add_address,
    confirm,
    confirm_password,
    log_in,
    logged_in_as,
    make_user,
    reset_link,
    sign_up,
)
from tests.at_once import all_at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queued_mail")]
WRONG = "not the password"
CYRILLIC, FULL_WIDTH = "\u0430dmin", "\uff41dmin"


def test_hostile_46_adding_an_address_tells_nothing_of_whose_it_is():
    make_user("tessio")
    answers = []
    for name, address in (("sonny", "new@example.org"), ("fredo", "tessio@example.org")):
        client = Client()
        sign_up(client, name)
        answers.append(add_address(client, address))
    fresh, taken = answers
    assert (fresh.status_code, fresh["Location"]) == (taken.status_code, taken["Location"])
    send_mail()
    assert {message.to[0] for message in mail.outbox} >= {"new@example.org", "tessio@example.org"}


def test_hostile_11_signing_up_assigns_nothing_else(client):
    inviter = make_user("ann")
    given = {"invited_by": str(inviter.pk), "invite": "x", "is_frozen": "1", "is_bot": "1"}
    sign_up(client, "tessio", is_staff="1", is_superuser="1", balance="9999999", **given)
    user = User.objects.get(username="tessio")
    assert not any((user.is_staff, user.is_superuser, user.is_bot, user.is_frozen))
    assert (user.invited_by, balance_of(user.pk)) == (None, 100)


def test_hostile_07_the_session_is_another_one_after_logging_in(client):
    make_user("tessio")
    session = client.session
    session["planted"] = True
    session.save()
    planted = session.session_key
    log_in(client, "tessio")
    assert client.session.session_key != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert logged_in_as(thief) is None


def test_hostile_48_51_the_sixth_failure_is_429_from_whatever_address_was_forwarded():
    make_user("tessio")
    answers = [
        log_in(
            Client(), "tessio", WRONG,
            REMOTE_ADDR="203.0.113.7", HTTP_X_FORWARDED_FOR=f"198.51.{number}.1",
        ).status_code
        for number in range(6)
    ]  # fmt: skip
    assert answers == [200] * 5 + [429]
    neighbour = log_in(Client(), "tessio", REMOTE_ADDR="203.0.113.99")
    assert (neighbour.status_code, int(neighbour["Retry-After"])) == (429, 15 * 60)
    assert log_in(Client(), "tessio", REMOTE_ADDR="198.51.100.1").status_code == 302


def test_hostile_49_a_link_that_resets_works_once_and_for_a_day(client):
    user = make_user("tessio")
    confirm(user)
    link = reset_link(client, user.email)
    for hours, is_good in ((25, False), (23, True)):
        with time_machine.travel(timezone.now() + timedelta(hours=hours), tick=False):
            page = Client().get(link, follow=True)
        assert (b"This link is invalid" not in page.content) is is_good
    page = client.get(link, follow=True)
    assert "/key/" in page.redirect_chain[-1][0]
    assert link not in page.redirect_chain[-1][0], "the token must not be in the Referer"
    client.post(page.redirect_chain[-1][0], NEW)
    for bad in (link, "/accounts/password/reset/key/1-abc-def/"):
        assert b"This link is invalid" in Client().get(bad, follow=True).content


def test_hostile_50_a_foreign_host_gets_400(client):
    make_user("tessio")
    form = {"email": "tessio@example.org"}
    assert client.post("/accounts/password/reset/", form, HTTP_HOST="evil.test").status_code == 400


@pytest.mark.plain
def test_hostile_45_the_house_keeps_its_names_and_those_that_cannot_be_had_get_one_answer(client):
    for name in ("admin", "Admin", "admin_", "adrnin", "ADM1N", "r00t", "System", "rock-racket",
                 "Deleted-7", "deleted_10", "___", "treasury", "bot"):  # fmt: skip
        assert is_reserved(name)
    make_user("Barney")
    answers, clean = set(), AccountAdapter().clean_username
    for name in ("Barney", "barney", "bamey", "b-a-r-n-e-y", "admin", "adrnin"):
        with pytest.raises(ValidationError) as refusal:
            clean(name)
        answers.add((refusal.value.code, refusal.value.message))
    ((code, _),) = answers
    assert code == "name_taken_or_reserved"
    malformed = (
        "ab",
        "a" * 21,
        CYRILLIC,
        FULL_WIDTH,
        "bo\u200bb",
        "bob smith",
        "bob\n",
        "bob.",
        "",
    )
    for name, refuse in product((*malformed, "---"), (clean, lambda name: create_bot(name=name))):
        with pytest.raises(ValidationError) as refusal:
            refuse(name)
        assert refusal.value.code == "name_malformed"
    users = User.objects.count()
    for name in ("admin", "adrnin", "BARNEY", "bamey", CYRILLIC, "a", "bob smith"):
        response = sign_up(client, name)
        assert response.status_code == 422
        assert response.context["form"].errors["username"]
    assert User.objects.count() == users


def confirmations() -> list[str]:
    sent = Email.objects.filter(message__contains="/accounts/confirm-email/").order_by("pk")
    return [address for mail in sent for address in mail.to]


def owner_of_mails(client: Client) -> None:
    client.force_login(User.objects.create_user("tessio", password=PASSWORD))
    confirm_password(client)


def change(client: Client, action: str, address: str) -> None:
    client.post("/accounts/email/", {action: "1", "email": address})


def test_hostile_79_a_user_makes_the_site_send_five_confirmations_a_day(client):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        owner_of_mails(client)
        for number in range(20):
            stranger = f"stranger{number}@example.org"
            add_address(client, stranger)
            clock.shift(timedelta(minutes=4))
            change(client, "action_send", stranger)
            change(client, "action_remove", stranger)
        assert len(confirmations()) == 5
        clock.shift(timedelta(days=1))
        add_address(client, "tessio@example.net")
        assert confirmations()[5:] == ["tessio@example.net"]


def test_hostile_79_three_addresses_may_be_unconfirmed_and_get_no_notices(client):
    owner_of_mails(client)
    for number in range(3):
        add_address(client, f"stranger{number}@example.org")
    refused = add_address(client, "stranger3@example.org")
    assert refused.context["form"].has_error("email", "too_many_unconfirmed")
    assert EmailAddress.objects.filter(verified=False).count() == 3
    change(client, "action_primary", "stranger0@example.org")
    client.post("/accounts/tokens/", {"name": "buy cheap watches"})
    told = Email.objects.exclude(message__contains="/accounts/confirm-email/")
    assert not told.filter(to__contains="stranger").exists()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_hostile_79_thirty_at_once_meet_the_same_limits(client):
    owner_of_mails(client)

    def add(number: int) -> None:
        tab = Client()
        tab.cookies = client.cookies.copy()
        tab.post("/accounts/email/", {"action_add": "1", "email": f"s{number}@example.org"})

    all_at_once([partial(add, number) for number in range(30)])
    assert (EmailAddress.objects.filter(verified=False).count(), len(confirmations())) == (3, 3)
