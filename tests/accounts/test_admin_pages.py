"""Administrators and players: adjusting, freezing, banning; who may, and what is written down."""

import re
from datetime import timedelta

import pytest
from django.contrib import admin
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.signals import user_revoked
from economy.admin_models import Adjustment, AdminRecord
from economy.selectors import balance_of
from economy.tunables import TUNABLES
from games.matches.models import Downtime
from tests.accounts.admin_kit import ADJUST, PASSWORD, REASON, administrator, form
from tests.accounts.kit import NEW, browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief():
    return administrator("chief", superuser=True)


@pytest.fixture
def player():
    return User.objects.create_user("tessio", password=PASSWORD)


@pytest.mark.plain
@pytest.mark.both_databases
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


def test_the_actions_need_a_csrf_token(chief, player):
    client = browser(chief, enforce_csrf_checks=True)
    for page in (
        ADJUST,
        f"/admin/accounts/user/{player.pk}/ban/",
        f"/admin/accounts/user/{player.pk}/freeze/",
    ):
        assert client.post(page, {"reason": REASON}).status_code == 403
    player.refresh_from_db()
    assert (player.is_active, player.is_frozen) == (True, False)


@pytest.mark.plain
@pytest.mark.both_databases
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


@pytest.mark.plain
def test_only_superusers_make_administrators_or_set_passwords(chief, player):
    changer = browser(administrator("changer", "accounts.view_user", "accounts.change_user"))
    page = f"/admin/accounts/user/{player.pk}"
    fields = {"username": "tessio", "theme": "dark", "is_staff": "on", "is_superuser": "on"}
    changer.post(f"{page}/change/", {**fields, "email": "mine@example.org"})
    player.refresh_from_db()
    assert (player.theme, player.is_staff, player.is_superuser) == ("dark", False, False)
    assert player.email == ""
    new = {**NEW, "usable_password": "true"}
    assert changer.post(f"{page}/password/", new).status_code == 403
    assert browser(chief).post(f"{page}/password/", new).status_code == 302
    record = AdminRecord.objects.get(action="user_changed", actor=f"user:{chief.pk}")
    assert "password" in record.after
    assert NEW["password1"] not in record.after


# Settings and prices -------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.both_databases
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
    address = {"user": chief.pk, "email": "c@example.org"}
    assert client.post("/admin/account/emailaddress/add/", address).status_code == 302
    assert records.last().action == "emailaddress_added", "a library's rows are recorded too"


def test_a_settings_form_says_what_it_means_and_its_limits(chief):
    page = browser(chief).get("/admin/economy/setting/showdown.target/change/").content.decode()
    tunable = TUNABLES["showdown.target"]
    assert f"{tunable.help} ({tunable.least} to {tunable.most}, default {tunable.default})" in page


@pytest.mark.plain
@pytest.mark.both_databases
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


@pytest.mark.both_databases
def test_the_front_page_shows_what_waits(chief, player):
    client = browser(chief)
    client.post(ADJUST, form(client, amount="1001"))
    page = client.get("/admin/").content.decode()
    cards = {card.title: card for card in client.get("/admin/").context["cards"]}
    assert cards["Pending adjustments"].value == "1"
    assert cards["Open flags"].value == cards["Open reports"].value == "0"
    assert {"Treasury", "Running games", "Web processes", "Outages"} < set(cards)
    assert "adjustment proposed" in page
    clerk = browser(administrator("clerk"))
    front = clerk.get("/admin/")
    assert front.context["cards"] == []
    assert "people" not in front.context
    links = [item["title"] for group in front.context["sidebar_navigation"]
             for item in group["items"]]  # fmt: skip
    assert links == ["Overview", "Records"]


def test_the_list_of_players_begins_with_people(chief, player):
    User.objects.create_user("robot", is_bot=True)
    client = browser(chief)

    def names(query=""):
        rows = client.get(f"/admin/accounts/user/?{query}").context["cl"].result_list
        return {user.username for user in rows} & {"robot", "tessio", "chief"}

    assert names() == {"tessio", "chief"}
    assert names("who=bots") == {"robot"}
    assert names("who=staff") == {"chief"}
    assert names("who=all") == {"robot", "tessio", "chief"}
    assert names("who=nonsense") == names()
    assert names("q=robot") == {"robot"}


@pytest.mark.plain
def test_the_menu_leads_to_every_list(chief):
    front = browser(chief).get("/admin/")
    links = {str(item["link"]) for group in front.context["sidebar_navigation"]
             for item in group["items"]}  # fmt: skip
    lists = {
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    }
    assert lists <= links
    mail = browser(chief).get("/admin/post_office/email/")
    assert mail.status_code == 404, "a player's mail with its links is not there"
    assert "app-" not in front.content.decode().partition("<main")[2]


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


@pytest.mark.plain
def test_the_card_of_outages_counts_those_of_the_list_it_leads_to(chief):
    now = timezone.now()
    for days in (1, 8):
        ended = now - timedelta(days=days)
        Downtime.objects.create(
            component="mail", began_at=ended - timedelta(minutes=2), ended_at=ended
        )
    cards = {card.title: card for card in browser(chief).get("/admin/").context["cards"]}
    assert (cards["Outages"].value, cards["Outages"].url) == ("1", "/admin/games/downtime/")
    assert f"{now - timedelta(days=1):%Y-%m-%d}" in cards["Outages"].note


@pytest.mark.plain
def test_dates_have_one_form_and_a_players_page_no_part_of_a_hash(chief, player):
    client = browser(chief)
    client.post(f"/admin/accounts/user/{player.pk}/freeze/", {"reason": REASON})
    day = f"{timezone.now():%Y-%m-%d}"
    pages = [
        f"/admin/accounts/user/{player.pk}/change/",
        "/admin/accounts/user/",
        "/admin/economy/adminrecord/",
        f"/admin/economy/adminrecord/{AdminRecord.objects.get().pk}/change/",
    ]
    for page in pages:
        shown = client.get(page).content.decode()
        assert day in shown, page
        assert not re.search(r"[ap]\.m\.|\w{3,9}\.? \d+, 20\d\d|noon|midnight", shown), page
    shown = client.get(pages[0]).content.decode()
    for part in player.password.split("$"):
        assert len(part) < 4 or part not in shown
    assert "Set password" in shown
    assert (
        client.get(f"/admin/accounts/user/{player.pk}/set_password/", follow=True).status_code
        == 200
    )
