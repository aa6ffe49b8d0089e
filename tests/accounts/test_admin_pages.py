"""Administrators and players: adjusting, freezing, banning; who may, and what is written down."""

import re

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from accounts.signals import user_revoked
from economy.admin_models import Adjustment, AdminRecord
from economy.models import Transfer
from economy.selectors import balance_of
from economy.tunables import TUNABLES

pytestmark = pytest.mark.django_db
PASSWORD = "a long password 7"
ADJUST = "/admin/economy/adjustment/add/"
REASON = "lost by a fault of ours"


def administrator(name, *permissions, superuser=False):
    user = User.objects.create_user(name, password=PASSWORD, is_staff=True, is_superuser=superuser)
    for permission in permissions:
        label, codename = permission.split(".")
        user.user_permissions.add(
            Permission.objects.get(content_type__app_label=label, codename=codename)
        )
    return user


def browser(user, **options):
    client = Client(**options)
    client.force_login(user)
    return client


@pytest.fixture
def chief():
    return administrator("chief", superuser=True)


@pytest.fixture
def player():
    return User.objects.create_user("tessio", password=PASSWORD)


def form(client, **fields):
    """The adjust form filled in, with the token of the page as it was shown."""
    page = client.get(ADJUST).content.decode()
    token = re.search(r'name="token" value="(\w+)"', page)[1]
    filled = {"player": "tessio", "amount": "25", "reason": REASON, "password": PASSWORD}
    return {**filled, "token": token, **fields}


def test_hostile_55_points_are_adjusted_by_a_form_with_reason_and_password(chief, player):
    client = browser(chief)
    filled = form(client)
    assert client.post(ADJUST, filled).status_code == 302
    assert balance_of(player.pk) == 125
    assert client.post(ADJUST, filled).status_code == 302  # sent again: the same adjustment
    assert balance_of(player.pk) == 125
    record = AdminRecord.objects.get(action="points_adjusted")
    assert (record.actor_name, record.target) == ("chief", f"user:{player.pk}")
    assert REASON in client.get("/admin/economy/adminrecord/").content.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": "0"},
        {"amount": "1.5"},
        {"amount": "x"},
        {"amount": "-101"},
        {"amount": "999999999999"},
        {"reason": "too short"},
        {"reason": " " * 30},
        {"password": ""},
        {"password": "another password"},
        {"player": "nobody"},
        {"token": ""},
    ],
)
def test_hostile_55_a_wrong_form_moves_nothing(chief, player, wrong):
    client = browser(chief)
    assert client.post(ADJUST, form(client, **wrong)).status_code == 200
    assert balance_of(player.pk) == 100
    assert not Adjustment.objects.exists()


def test_hostile_55_too_many_points_are_a_limit(chief, player):
    client = browser(chief)
    page = client.post(ADJUST, form(client, amount=str(10**12))).content.decode()
    assert "(limit)" in page


def test_hostile_55_ones_own_account_is_forbidden(chief):
    client = browser(chief)
    assert client.post(ADJUST, form(client, player="chief")).status_code == 403
    assert balance_of(chief.pk) == 100


def test_hostile_55_the_password_counts_for_ten_minutes(chief, player):
    client = browser(chief)
    with time_machine.travel("2030-01-01 12:00", tick=False) as clock:
        client.force_login(chief)
        client.post(ADJUST, form(client))
        clock.shift(599)
        assert "your password" not in client.get(ADJUST).content.decode().lower()
        filled = form(client, password="")
        clock.shift(2)
        assert client.post(ADJUST, filled).status_code == 200
        assert "your password" in client.get(ADJUST).content.decode().lower()
    assert balance_of(player.pk) == 125


def test_hostile_48_wrong_passwords_are_counted(chief, player):
    client = browser(chief)
    for _ in range(5):
        client.post(ADJUST, form(client, password="a wrong guess"))
    page = client.post(ADJUST, form(client)).content.decode()
    assert "too many wrong passwords" in page
    assert balance_of(player.pk) == 100


def test_hostile_55_more_than_a_thousand_points_need_a_second_administrator(chief, player):
    first = browser(chief)
    first.post(ADJUST, form(first, amount="1001"))
    made = Adjustment.objects.get()
    assert made.state == "proposed"
    assert balance_of(player.pk) == 100
    approve = f"/admin/economy/adjustment/{made.pk}/approve/"
    assert first.get(approve).status_code == 200
    assert first.post(approve).status_code == 403
    clerk = browser(administrator("clerk", "economy.view_adjustment"))
    assert clerk.get(approve).status_code == 403
    assert clerk.post(approve, {"password": PASSWORD}).status_code == 403
    rights = ("economy.view_adjustment", "economy.approve_adjustment")
    second = browser(administrator("second", *rights))
    assert second.post(approve, {"password": "wrong"}).status_code == 200
    assert balance_of(player.pk) == 100
    assert second.post(approve, {"password": PASSWORD}).status_code == 302
    assert second.post(approve).status_code == 200  # decided already: says so, moves nothing
    assert balance_of(player.pk) == 1101
    assert Transfer.objects.filter(code="ADMIN_ADJUST").count() == 1


def test_a_refusal_moves_nothing_and_needs_a_reason(chief, player):
    first = browser(chief)
    first.post(ADJUST, form(first, amount="1001"))
    refuse = f"/admin/economy/adjustment/{Adjustment.objects.get().pk}/refuse/"
    second = browser(administrator("second", superuser=True))
    assert second.post(refuse, {"reason": "no"}).status_code == 200
    assert second.post(refuse, {"reason": "that was no fault"}).status_code == 302
    assert Adjustment.objects.get().state == "refused"
    assert balance_of(player.pk) == 100


@pytest.mark.parametrize("rights", [(), ("economy.view_adjustment", "accounts.change_user")])
def test_adjusting_needs_its_permission(player, rights):
    client = browser(administrator("clerk", *rights))
    assert client.get(ADJUST).status_code == 403
    assert client.post(ADJUST, {"player": "tessio", "amount": "5"}).status_code == 403


def test_the_deeds_need_a_csrf_token(chief, player):
    client = browser(chief, enforce_csrf_checks=True)
    for page in (
        ADJUST,
        f"/admin/accounts/user/{player.pk}/ban/",
        f"/admin/accounts/user/{player.pk}/freeze/",
    ):
        assert client.post(page, {"reason": REASON}).status_code == 403
    player.refresh_from_db()
    assert (player.is_active, player.is_frozen) == (True, False)


def test_hostile_55_no_form_of_a_user_has_a_balance(chief, player):
    client = browser(chief)
    page = f"/admin/accounts/user/{player.pk}/change/"
    body = client.get(page).content.decode()
    assert 'name="balance"' not in body
    assert 'name="points"' not in body
    fields = {"username": "tessio", "theme": "dark", "points": "9999", "balance": "9999",
              "is_frozen": "on", "is_active": ""}  # fmt: skip
    assert client.post(page, fields).status_code == 302
    player.refresh_from_db()
    assert (player.theme, player.is_active, player.is_frozen) == ("dark", True, False)
    assert balance_of(player.pk) == 100
    record = AdminRecord.objects.get(action="user_changed")
    assert '"theme":"system"' in record.before
    assert '"theme":"dark"' in record.after


def test_freezing_and_banning_take_a_reason_and_are_recorded(
    chief, player, django_capture_on_commit_callbacks
):
    client = browser(chief)
    page = f"/admin/accounts/user/{player.pk}"
    told = []
    user_revoked.connect(lambda user_id, reason, **_: told.append((user_id, reason)), weak=False)
    for verb in ("freeze", "ban"):
        assert client.post(f"{page}/{verb}/", {"reason": "short"}).status_code == 200
    player.refresh_from_db()
    assert (player.is_frozen, player.is_active) == (False, True)
    with django_capture_on_commit_callbacks(execute=True):
        for verb in ("freeze", "ban"):
            assert client.post(f"{page}/{verb}/", {"reason": REASON}).status_code == 302
    player.refresh_from_db()
    assert (player.is_frozen, player.frozen_reason, player.is_active) == (True, REASON, False)
    assert told == [(player.pk, "banned")]
    for verb in ("unfreeze", "unban"):
        assert client.post(f"{page}/{verb}/", {"reason": REASON}).status_code == 302
    player.refresh_from_db()
    assert (player.is_frozen, player.is_active) == (False, True)
    actions = AdminRecord.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["user_frozen", "user_banned", "user_unfrozen", "user_unbanned"]


def test_nobody_freezes_or_bans_themselves_or_without_the_permission(chief, player):
    own = f"/admin/accounts/user/{chief.pk}/ban/"
    assert browser(chief).post(own, {"reason": REASON}).status_code == 403
    clerk = browser(administrator("clerk", "accounts.view_user"))
    page = f"/admin/accounts/user/{player.pk}/ban/"
    assert clerk.post(page, {"reason": REASON}).status_code == 403
    changer = browser(administrator("changer", "accounts.view_user", "accounts.change_user"))
    over = f"/admin/accounts/user/{chief.pk}/ban/"
    assert changer.post(over, {"reason": REASON}).status_code == 403
    assert User.objects.filter(is_active=False).count() == 0


def test_only_superusers_make_administrators_or_set_passwords(chief, player):
    changer = browser(administrator("changer", "accounts.view_user", "accounts.change_user"))
    page = f"/admin/accounts/user/{player.pk}"
    fields = {"username": "tessio", "theme": "dark", "is_staff": "on", "is_superuser": "on"}
    changer.post(f"{page}/change/", {**fields, "email": "mine@example.org"})
    player.refresh_from_db()
    assert (player.theme, player.is_staff, player.is_superuser) == ("dark", False, False)
    assert player.email == ""
    new = {
        "password1": "a new password 8",
        "password2": "a new password 8",
        "usable_password": "true",
    }
    assert changer.post(f"{page}/password/", new).status_code == 403
    assert browser(chief).post(f"{page}/password/", new).status_code == 302
    record = AdminRecord.objects.get(action="user_changed", actor=f"user:{chief.pk}")
    assert "password" in record.after
    assert "a new password 8" not in record.after


def test_a_players_mail_with_its_links_is_not_in_the_admin(chief):
    assert browser(chief).get("/admin/post_office/email/").status_code == 404


# Settings and prices -------------------------------------------------------------------------


def test_changes_of_settings_and_prices_are_recorded_with_who_before_and_after(chief):
    client = browser(chief)
    client.post("/admin/economy/setting/showdown.target/change/", {"value": "7"})
    client.post("/admin/economy/setting/showdown.target/change/", {"value": "99"})
    client.post("/admin/economy/item/ROCK/change/", {"price": "7", "on_sale": "on"})
    records = AdminRecord.objects.order_by("pk")
    assert [(r.actor_name, r.target, r.before, r.after) for r in records] == [
        ("chief", "setting:showdown.target", '{"value":5}', '{"value":7}'),
        ("chief", "item:ROCK", '{"price":5}', '{"price":7}'),
    ]


def test_a_settings_form_says_what_it_means_and_its_limits(chief):
    page = browser(chief).get("/admin/economy/setting/showdown.target/change/").content.decode()
    tunable = TUNABLES["showdown.target"]
    assert f"{tunable.help} ({tunable.least} to {tunable.most}, default {tunable.default})" in page


def test_what_is_done_to_a_librarys_rows_is_recorded_too(chief):
    client = browser(chief)
    page = "/admin/account/emailaddress/add/"
    assert client.post(page, {"user": chief.pk, "email": "c@example.org"}).status_code == 302
    assert AdminRecord.objects.get().action == "emailaddress_added"


@pytest.mark.parametrize("verb", ["add", "1/change", "1/delete"])
def test_records_are_read_by_all_staff_and_changed_by_nobody(chief, verb):
    client = browser(chief)
    client.post("/admin/economy/setting/showdown.target/change/", {"value": "7"})
    clerk = browser(administrator("clerk"))
    assert "showdown.target" in clerk.get("/admin/economy/adminrecord/").content.decode()
    pk = AdminRecord.objects.get().pk
    page = f"/admin/economy/adminrecord/{verb.replace('1', str(pk))}/"
    assert client.post(page, {"reason": "x", "post": "yes"}).status_code == 403
    assert browser(User.objects.create_user("guest1")).get(
        "/admin/economy/adminrecord/"
    ).status_code in (302, 403)


# The front page ------------------------------------------------------------------------------


def test_the_front_page_shows_what_waits(chief, player):
    client = browser(chief)
    client.post(ADJUST, form(client, amount="1001"))
    page = client.get("/admin/").content.decode()
    cards = {card.title: card for card in client.get("/admin/").context["cards"]}
    assert cards["Pending adjustments"].value == "1"
    assert cards["Open flags"].value == "0"
    assert {"Treasury", "Running games", "Web processes", "Outages"} < set(cards)
    assert "adjustment proposed" in page
    clerk = browser(administrator("clerk"))
    assert clerk.get("/admin/").context["cards"] == []


def test_the_admin_has_a_policy_of_its_own_and_other_pages_keep_theirs(chief):
    client = browser(chief)
    policy = client.get("/admin/").headers["Content-Security-Policy"]
    assert "script-src 'self' 'unsafe-eval'" in policy
    assert "script-src 'self' 'unsafe-eval' 'unsafe-inline'" not in policy
    assert "frame-ancestors 'none'" in policy
    for page in ("/", "/tables/", "/adminish/"):
        policy = client.get(page).headers["Content-Security-Policy"]
        assert "unsafe" not in policy


def test_a_players_page_leads_to_the_form_with_the_name_in_it(chief, player):
    client = browser(chief)
    page = client.get(f"/admin/accounts/user/{player.pk}/adjust/", follow=True)
    assert page.redirect_chain[-1][0] == f"{ADJUST}?player=tessio"
    assert 'value="tessio"' in page.content.decode()
