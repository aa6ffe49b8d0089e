"""Visits: the stipend of the day, the device cookie, invitations, frozen accounts."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import devices
from accounts.models import Device, User
from accounts.services import freeze, take_stipend
from economy.ledger import TREASURY, post, wallet
from economy.models import Transfer
from economy.selectors import balance_of
from tests.accounts.kit import browser, log_in, make_user, sign_up
from tests.economy.kit import NOON, move

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stipend_without_games")]


def make_poor(user: User, points: int = 0) -> User:
    """Reduce a user's points to this amount."""
    take = balance_of(user.pk) - points
    post([move(wallet(user.pk), TREASURY(), take)], NOON)
    return user


def stipends() -> int:
    """Count the stipends paid."""
    return Transfer.objects.filter(code="STIPEND").count()


# Stipend -------------------------------------------------------------------------------------


def test_stipend_is_given_by_the_days_first_page_and_said_once(client):
    user = make_poor(make_user(), 9)
    client.force_login(user)
    client.post("/theme/", {"theme": "dark"})
    assert stipends() == 0, "a post is no page"
    assert "the house gives you 5 points" in client.get("/").content.decode()
    assert "the house gives you" not in client.get("/").content.decode()
    assert (balance_of(user.pk), stipends()) == (14, 1)


def test_stipend_comes_later_the_same_day_to_whoever_becomes_broke(client):
    user = make_user()
    client.force_login(user)
    client.get("/")
    assert stipends() == 0
    make_poor(user)
    client.get("/tables/")
    make_poor(user)
    client.get("/tables/")
    assert (balance_of(user.pk), stipends()) == (0, 1)


@pytest.mark.plain
def test_stipend_comes_again_the_next_day():
    user = make_poor(make_user())
    today = timezone.now()
    assert take_stipend(user=user, at=today) == 5
    user.refresh_from_db()
    assert take_stipend(user=user, at=today) == 0
    assert take_stipend(user=user, at=today + timedelta(days=1)) == 5


def test_stipend_is_not_for_guests_bots_and_frozen_accounts(client):
    client.get("/")
    bot = make_poor(User.objects.filter(is_bot=True).first())
    assert take_stipend(user=bot) == 0
    user = make_poor(make_user())
    freeze(user_id=user.pk, reason="we are looking into it")
    client.force_login(user)
    assert client.get("/").status_code == 200
    assert (balance_of(user.pk), stipends()) == (0, 0)


# Devices -------------------------------------------------------------------------------------


def test_device_cookie_is_given_at_log_in_and_only_its_hash_is_kept(client):
    user = make_user()
    client.get("/")
    assert "device" not in client.cookies, "guests have none"
    log_in(client, user.username)
    cookie = client.cookies["device"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert int(cookie["max-age"]) >= 365 * 24 * 60 * 60
    device = Device.objects.get()
    assert (device.user, device.hash) == (user, devices.hash_of("cookie", cookie.value))
    assert cookie.value not in repr(Device.objects.values_list())
    assert "127.0.0.1" not in repr(Device.objects.values_list())


def test_device_cookie_is_secure_where_the_sessions_is(client, settings):
    settings.SESSION_COOKIE_SECURE = True
    client.force_login(make_user())
    response = client.get("/credits/", secure=True)
    assert response.cookies["device"]["secure"]


@pytest.mark.parametrize("is_same", [True, False], ids=["one browser", "two"])
def test_device_is_the_browsers_and_two_browsers_share_the_address_only(client, is_same):
    for name in ("tessio", "sonny"):
        make_user(name)
        each = client if is_same else Client()
        log_in(each, name)
        each.post("/accounts/logout/")
    assert Device.objects.count() == 2
    assert Device.objects.values("hash").distinct().count() == (1 if is_same else 2)
    first, second = User.objects.filter(username__in=("tessio", "sonny"))
    company = devices.company_of(first.pk, [second.pk])
    assert company.by_device == ({second.pk} if is_same else set())
    assert is_same or company.by_address == {second.pk}


def test_device_is_noted_once_a_session_and_day(client):
    client.force_login(make_user())
    client.get("/credits/")
    assert not Device.objects.exists(), "the cookie has not come back yet"
    client.get("/credits/")
    seen = Device.objects.get().last_seen
    client.get("/credits/")
    assert Device.objects.get().last_seen == seen


def test_device_cookie_that_the_site_did_not_make_is_replaced(client):
    client.cookies["device"] = "short"
    client.force_login(make_user())
    client.get("/credits/")
    assert len(client.cookies["device"].value) == 43


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8:1:2::7", "2001:db8:1:2:aaaa::1", True),
        ("2001:db8:1:2::7", "2001:db8:1:3::7", False),
    ],
)
def test_addresses_of_ipv6_are_one_within_a_network(one, other, same):
    for name, address in (("tessio", one), ("sonny", other)):
        make_user(name)
        log_in(Client(), name, REMOTE_ADDR=address)
    hashes = set(Device.objects.values_list("address_hash", flat=True))
    assert (len(hashes) == 1) is same


# Invitations ---------------------------------------------------------------------------------


def invite_path(user: User) -> str:
    """Read a user's address off the page."""
    page = browser(user).get("/accounts/invite/")
    return page.context["address"].removeprefix("http://testserver")


@pytest.mark.plain
def test_invited_player_is_known_as_such():
    ann = make_user("ann-the-first")
    path = invite_path(ann)
    guest = Client()
    assert guest.get(path)["Location"] == "/accounts/signup/"
    assert b"ann-the-first has invited you" in guest.get("/accounts/signup/").content
    sign_up(guest, "tessio")
    assert User.objects.get(username="tessio").invited_by == ann
    sign_up(Client(), "sonny")
    assert User.objects.get(username="sonny").invited_by is None
    assert browser(ann).get("/accounts/invite/").context["came"] == 1


@pytest.mark.plain
def test_invite_address_is_a_secret_of_128_bits_and_stays():
    ann, bob = make_user("ann"), make_user("bob")
    assert invite_path(ann) == invite_path(ann) != invite_path(bob)
    assert len(invite_path(ann).split("/")[2]) == 22


def test_invite_address_that_is_invented_is_not_found_and_the_page_needs_a_log_in(client):
    for name in ("nobody-gave-me-this", "None"):
        assert client.get(f"/invite/{name}/").status_code == 404
    assert client.get("/accounts/invite/").status_code == 302


@pytest.mark.plain
def test_player_with_an_account_is_not_invited_again(client):
    ann, bob = make_user("ann"), make_user("bob")
    client.force_login(bob)
    assert client.get(invite_path(ann))["Location"] == "/"
    bob.refresh_from_db()
    assert bob.invited_by is None


def test_frozen_account_may_log_in_and_look(client):
    user = make_user()
    freeze(user_id=user.pk, reason="we are looking into it")
    assert log_in(client, user.username).status_code == 302
    assert client.get("/tables/").status_code == 200
