import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from accounts.mails import reachable, stop_address, user_of
from accounts.models import PushChoice, Reminders, User
from accounts.push import quiet_until
from accounts.settings_pages import FIELDS, RAIL
from tests.accounts.kit import confirm, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def user(client: Client) -> User:
    user = make_user()
    client.force_login(user)
    return user


def carried(client: Client, path: str = "/") -> dict[str, Any]:
    """Return the board settings that a page carries for its scripts."""
    text = client.get(path).content.decode()
    found = re.search(r'<script id="board-settings" type="application/json">(.*?)</script>', text)
    assert found is not None
    return dict(json.loads(found[1]))


@pytest.mark.plain
def test_the_first_page_tells_of_the_others_and_a_menu_leads_on(client: Client, user: User) -> None:
    text = client.get("/settings/").content.decode()
    assert "<small>online shown</small>" in text
    assert "<small>off</small>" in text
    menu = text[text.index('<p class="menu-head">tessio') :]
    menu = menu[: menu.index("</details>", menu.index("Log out"))]
    entries = re.findall(r'<a href="[^"]+">([^<]+)</a>', menu)
    assert entries == ["Profile", "Wallet", "Stash", "Invite", "Settings"]
    assert menu.count("<button") == 1
    text = client.get("/accounts/email/").content.decode()
    assert "For a new password, for reminders you switch on, and for news about your" in text


@pytest.mark.plain
def test_every_settings_page_has_the_rail_with_its_entry_marked(client: Client, user: User) -> None:
    names = [entry.name for entries in RAIL.values() for entry in entries]
    assert len(set(names)) == len(names) == 14
    for name in names:
        page = client.get(reverse(name))
        if page.status_code == 302:  # asks for the password first
            continue
        text = page.content.decode()
        assert page.status_code == 200, name
        here = "#look-heading" if name == "settings" else reverse(name)
        assert re.findall(r'<a href="([^"]+)" aria-current="page"><span>', text) == [here]
        assert all(f'href="{reverse(each)}"' in text for each in names if each != name)
    assert "settings-rail" not in client.get("/").content.decode()
    assert "settings-rail" not in client.get(reverse("profile", args=["tessio"])).content.decode()


@pytest.mark.plain
def test_board_settings_are_stored_and_carried_by_each_page(client: Client, user: User) -> None:
    given = {"has_sound": "on", "volume": "25", "auto_lock": "on"}
    off = {"asks_first": False, "has_letter_keys": False}
    assert client.post("/settings/", given).status_code == 302
    wanted = {"has_sound": True, "volume": 25, "auto_lock": True} | off
    stored = User.objects.get(pk=user.pk)
    assert {name: getattr(stored, name) for name in FIELDS} == wanted
    path = "/settings/notifications/browser/"
    assert carried(client) == {"url": "/settings/board/", "push_url": path, "values": wanted}
    for volume in ("101", "-1", "", "loud"):
        assert client.post("/settings/", {"volume": volume}).status_code == 422
    assert User.objects.get(pk=user.pk).volume == 25


@pytest.mark.plain
def test_guests_get_the_defaults_and_store_nothing_here(client: Client) -> None:
    on = {"asks_first": True, "has_letter_keys": True}
    values = {"has_sound": False, "volume": 60, "auto_lock": False} | on
    assert carried(client) == {"url": None, "push_url": None, "values": values}
    assert client.get("/settings/").status_code == 200
    assert client.post("/settings/", {"volume": "1"}).status_code == 403
    assert client.post("/settings/board/", {"name": "volume", "value": "1"}).status_code == 403


@pytest.mark.plain
@pytest.mark.parametrize(
    "given",
    [
        "has_sound=true 204", "has_letter_keys=false 204", "volume=0 204", "volume=101 400",
        "volume=true 400", "auto_lock=1 400", "is_staff=true 400", "= 400",
    ],
)  # fmt: skip
def test_one_board_setting_is_stored_and_no_other(client: Client, user: User, given: str) -> None:
    setting, _, status = given.partition(" ")
    name, _, value = setting.partition("=")
    answer = client.post("/settings/board/", {"name": name, "value": value})
    assert answer.status_code == int(status)
    stored = User.objects.get(pk=user.pk)
    assert not stored.is_staff
    if status == "204":
        assert str(getattr(stored, name)).lower() == value


@pytest.mark.plain
def test_presence_is_switched_off_and_on(client: Client, user: User) -> None:
    for given in ({}, {"shows_presence": "on"}):
        client.post(reverse("privacy_settings"), given)
        assert User.objects.get(pk=user.pk).shows_presence == bool(given)


def test_notifications_are_chosen_by_kind_with_quiet_hours(client: Client, user: User) -> None:
    page = reverse("notifications")
    assert client.get(page).status_code == 200
    assert not PushChoice.objects.exists(), "looking is no choice"
    given = {"turn": "on", "quiet_from": "22", "quiet_until": "7", "time_zone": "Europe/Berlin"}
    assert client.post(page, given).status_code == 302
    choice = PushChoice.objects.get(user=user)
    assert (choice.turn, choice.start, choice.phase, choice.challenge) == (True, *[False] * 3)
    assert (choice.quiet_from, choice.quiet_until) == (22, 7)
    zones = [{"time_zone": zone} for zone in ("Europe/Nowhere", "../../etc/passwd")]
    for change in ({"quiet_until": ""}, {"quiet_until": "22"}, {"quiet_from": "24"}, *zones):
        assert client.post(page, given | change).status_code == 422
    assert PushChoice.objects.get(user=user).quiet_until == 7


@pytest.mark.plain
@pytest.mark.parametrize(
    ("now", "hours", "end"),
    [
        ("2026-11-24T20:59", (22, 7), None),
        ("2026-11-24T21:00", (22, 7), "2026-11-25T06:00"),
        ("2026-11-25T05:59", (22, 7), "2026-11-25T06:00"),
        ("2026-11-25T06:00", (22, 7), None),
        ("2026-11-24T12:30", (13, 15), "2026-11-24T14:00"),
        ("2026-11-24T12:30", (None, None), None),
        # The night in which the clocks go forward has an hour less.
        ("2026-03-28T21:30", (22, 7), "2026-03-29T05:00"),
    ],
)
def test_quiet_hours_are_those_of_the_users_own_clock(now, hours, end) -> None:
    choice = PushChoice(quiet_from=hours[0], quiet_until=hours[1], time_zone="Europe/Berlin")
    found = quiet_until(choice, datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found == (end and datetime.fromisoformat(end).replace(tzinfo=UTC))


def wanted(user: User) -> str:
    return User.objects.get(pk=user.pk).reminders


@pytest.mark.plain
def test_reminders_are_at_half_time_until_a_user_chooses_otherwise(client: Client) -> None:
    user, page = make_user(), reverse("reminders")
    assert wanted(user) == Reminders.HALF
    assert client.get(page).headers["Location"].startswith("/accounts/login/")
    client.force_login(user)
    shown = client.get(page).content
    assert b'value="half" checked' in shown
    assert b"no confirmed e-mail address" in shown
    confirm(user)
    assert b"no confirmed e-mail address" not in client.get(page).content
    for choice in Reminders:
        assert client.post(page, {"reminders": choice.value}).status_code == 302
        assert wanted(user) == choice
    refused = client.post(page, {"reminders": "hourly"})
    assert (refused.status_code, wanted(user)) == (422, Reminders.NEVER)
    assert client.post(page).status_code == 422


@pytest.mark.plain
def test_reminders_are_ended_by_a_press_without_log_in_or_cookie() -> None:
    user, strict = make_user(), Client(enforce_csrf_checks=True)
    path = stop_address(user_id=user.pk).removeprefix("http://localhost:8000")
    made_up = signing.Signer().sign(str(user.pk)), signing.dumps(user.pk, salt="accounts.reminders")
    for token in ("1", path[:-3].rpartition("/")[2], *made_up):
        assert strict.post(reverse("reminders_stop", args=[token])).status_code == 404
    assert user_of("no token") is None
    assert strict.get(path).status_code == 200
    assert wanted(user) == Reminders.HALF, "filters of mail follow every link"
    assert strict.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert wanted(user) == Reminders.NEVER
    assert strict.post(path).status_code == 200


def test_reminders_reach_the_first_confirmed_address_of_people() -> None:
    one, other, bot = make_user("one_of"), make_user("other_of"), make_user("bot_of", is_bot=True)
    confirm(one), confirm(bot)
    found = reachable([one.pk, other.pk, bot.pk])
    assert [(person.name, person.address) for person in found] == [("one_of", one.email)]
