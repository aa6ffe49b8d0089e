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
    post([move(wallet(user.pk), TREASURY(), balance_of(user.pk) - points)], NOON)
    return user


def stipends() -> int:
    return Transfer.objects.filter(code="STIPEND").count()


@pytest.mark.plain
def test_stipend_is_given_by_the_days_first_page_to_whoever_is_broke_and_said_once(client):
    user = make_user()
    client.force_login(user)
    client.get("/")
    assert stipends() == 0
    make_poor(user, 9)
    client.post("/theme/", {"theme": "dark"})
    assert stipends() == 0, "a post is no page"
    assert "the house gives you 5 points" in client.get("/").content.decode()
    assert "the house gives you" not in client.get("/").content.decode()
    assert (balance_of(user.pk), stipends()) == (14, 1)
    make_poor(user)
    client.get("/tables/")
    assert (balance_of(user.pk), stipends()) == (0, 1)
    user.refresh_from_db()
    today = timezone.now()
    assert take_stipend(user=user, at=today) == 0
    assert take_stipend(user=user, at=today + timedelta(days=1)) == 5


def test_stipend_is_not_for_guests_bots_and_frozen_accounts_which_may_log_in_and_look(client):
    client.get("/")
    assert take_stipend(user=make_poor(User.objects.filter(is_bot=True).first())) == 0
    user = make_poor(make_user())
    freeze(user_id=user.pk, reason="we are looking into it")
    assert log_in(client, user.username).status_code == 302
    for page in ("/", "/tables/"):
        assert client.get(page).status_code == 200
    assert (balance_of(user.pk), stipends()) == (0, 0)


def test_device_cookie_is_given_at_log_in_and_only_its_hash_is_kept(client, settings):
    user = make_user()
    client.get("/")
    assert "device" not in client.cookies, "guests have none"
    log_in(client, user.username)
    cookie = client.cookies["device"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert int(cookie["max-age"]) >= 365 * 24 * 60 * 60
    device = Device.objects.get()
    assert (device.user, device.hash) == (user, devices.hash_of("cookie", cookie.value))
    for secret in (cookie.value, "127.0.0.1"):
        assert secret not in repr(Device.objects.values_list())
    # As secure as the session's cookie; one that the site did not make is replaced.
    settings.SESSION_COOKIE_SECURE = True
    client.cookies["device"] = "short"
    made = client.get("/credits/", secure=True).cookies["device"]
    assert (len(made.value), made["secure"]) == (43, True)


@pytest.mark.parametrize("is_same", [True, False], ids=["one browser", "two"])
def test_device_is_the_browsers_and_two_browsers_share_the_address_only(client, is_same):
    first, second = make_user("tessio"), make_user("sonny")
    for user in (first, second):
        each = client if is_same else Client()
        log_in(each, user.username)
        each.post("/accounts/logout/")
    assert Device.objects.count() == 2
    assert Device.objects.values("hash").distinct().count() == (1 if is_same else 2)
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


def test_addresses_of_ipv6_are_one_within_a_network():
    for name, address in (
        ("tessio", "203.0.113.7"),
        ("sonny", "203.0.113.7"),
        ("fredo", "203.0.113.8"),
        ("luca", "2001:db8:1:2::7"),
        ("vito", "2001:db8:1:2:aaaa::1"),
        ("kay", "2001:db8:1:3::7"),
    ):
        log_in(Client(), make_user(name).username, REMOTE_ADDR=address)
    one, same, other, near, nearby, far = Device.objects.order_by("user_id").values_list(
        "address_hash", flat=True
    )
    assert (one, near) == (same, nearby)
    assert len({one, other, near, far}) == 4


def invite_path(user: User) -> str:
    """Read a user's address off the page."""
    page = browser(user).get("/accounts/invite/")
    return page.context["address"].removeprefix("http://testserver")


@pytest.mark.plain
def test_invited_player_is_known_as_such_and_one_with_an_account_is_not_invited_again(client):
    ann, bob = make_user("ann-the-first"), make_user("bob")
    path = invite_path(ann)
    assert path == invite_path(ann) != invite_path(bob)
    assert len(path.split("/")[2]) == 22, "a secret of 128 bits that stays"
    guest = Client()
    assert guest.get(path)["Location"] == "/accounts/signup/"
    assert b"ann-the-first has invited you" in guest.get("/accounts/signup/").content
    sign_up(guest, "tessio")
    sign_up(Client(), "sonny")
    client.force_login(bob)
    assert client.get(path)["Location"] == "/"
    invited = User.objects.exclude(invited_by=None)
    assert list(invited.values_list("username", "invited_by")) == [("tessio", ann.pk)]
    assert browser(ann).get("/accounts/invite/").context["came"] == 1


def test_invite_address_that_is_invented_is_not_found_and_the_page_needs_a_log_in(client):
    for name in ("nobody-gave-me-this", "None"):
        assert client.get(f"/invite/{name}/").status_code == 404
    assert client.get("/accounts/invite/").status_code == 302
