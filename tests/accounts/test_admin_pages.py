import re
from datetime import timedelta
from io import StringIO

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib import admin
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.signals import user_revoked
from economy.models import Adjustment, AdminRecord
from economy.selectors import balance_of
from economy.tunables import TUNABLES
from games.matches.models import Downtime
from tests.accounts.admin_kit import ADJUST, REASON, administrator, form
from tests.accounts.kit import NEW, browser, confirm, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
OLD = "tessio@example.org"


@pytest.fixture
def chief():
    return administrator("chief", superuser=True)


@pytest.fixture
def player():
    user = make_user("tessio")
    confirm(user)
    return user


@pytest.mark.plain
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


def test_nobody_freezes_or_bans_themselves_or_without_permission_or_csrf_token(chief, player):
    strict, why = browser(chief, enforce_csrf_checks=True), {"reason": REASON}
    own, page = (f"/admin/accounts/user/{user.pk}" for user in (chief, player))
    for path in (ADJUST, f"{page}/ban/", f"{page}/freeze/"):
        assert strict.post(path, why).status_code == 403
    changer = administrator("changer", "accounts.view_user", "accounts.change_user")
    clerk = administrator("clerk", "accounts.view_user")
    for user, path in ((chief, own), (changer, own), (clerk, page)):
        assert browser(user).post(f"{path}/ban/", why).status_code == 403
    assert not User.objects.filter(is_active=False).exists()
    assert not User.objects.filter(is_frozen=True).exists()


@pytest.mark.plain
def test_freezing_and_banning_take_a_reason_and_are_recorded(
    chief, player, django_capture_on_commit_callbacks
):
    told = []
    user_revoked.connect(lambda user_id, reason, **_: told.append((user_id, reason)), weak=False)

    def do(*verbs, reason=REASON):
        pages = [f"/admin/accounts/user/{player.pk}/{verb}/" for verb in verbs]
        statuses = {browser(chief).post(page, {"reason": reason}).status_code for page in pages}
        player.refresh_from_db()
        return *statuses, player.is_frozen, player.frozen_reason, player.is_active

    assert do("freeze", "ban", reason="short") == (200, False, "", True)
    with django_capture_on_commit_callbacks(execute=True):
        assert do("freeze", "ban") == (302, True, REASON, False)
    assert told == [(player.pk, "banned")]
    assert do("freeze") == (200, True, REASON, False), "once"
    assert do("unfreeze", "unban") == (302, False, "", True)
    actions = AdminRecord.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["user_frozen", "user_banned", "user_unfrozen", "user_unbanned"]


@pytest.mark.plain
def test_only_superusers_make_administrators_or_set_passwords(chief, player):
    changer = browser(administrator("changer", "accounts.view_user", "accounts.change_user"))
    page = f"/admin/accounts/user/{player.pk}"
    fields = {"username": "tessio", "theme": "dark", "is_staff": "on", "is_superuser": "on"}
    changer.post(f"{page}/change/", {**fields, "email": "mine@example.org"})
    player.refresh_from_db()
    assert (player.theme, player.is_staff, player.is_superuser) == ("dark", False, False)
    assert player.email == OLD
    new = {**NEW, "usable_password": "true"}
    assert changer.post(f"{page}/password/", new).status_code == 403
    assert browser(chief).post(f"{page}/password/", new).status_code == 302
    record = AdminRecord.objects.get(action="user_changed", actor=f"user:{chief.pk}")
    assert "password" in record.after
    assert NEW["password1"] not in record.after


@pytest.mark.plain
def test_changes_of_settings_and_prices_are_recorded_for_all_staff_and_changed_by_nobody(chief):
    client, setting = browser(chief), "/admin/economy/setting/showdown.target/change/"
    tunable, page = TUNABLES["showdown.target"], client.get(setting).content.decode()
    assert f"{tunable.help} ({tunable.least} to {tunable.most}, default {tunable.default})" in page
    client.post(setting, {"value": "7"})
    client.post(setting, {"value": "99"})
    client.post("/admin/economy/item/ROCK/change/", {"price": "7", "on_sale": "on"})
    records = AdminRecord.objects.order_by("pk")
    assert [(r.actor_name, r.target, r.before, r.after) for r in records] == [
        ("chief", "setting:showdown.target", '{"value":5}', '{"value":7}'),
        ("chief", "item:ROCK", '{"price":5}', '{"price":7}'),
    ]
    own = "/admin/economy/adminrecord/"
    for verb in ("add", f"{records[0].pk}/change", f"{records[0].pk}/delete"):
        assert client.post(f"{own}{verb}/", {"reason": "x", "post": "yes"}).status_code == 403
    clerk, guest = administrator("clerk"), User.objects.create_user("guest1")
    assert "showdown.target" in browser(clerk).get(own).content.decode()
    assert browser(guest).get(own).status_code in (302, 403)
    address = {"user": chief.pk, "email": "c@example.org"}
    assert client.post("/admin/account/emailaddress/add/", address).status_code == 302
    assert records.last().action == "emailaddress_added", "a library's rows are recorded too"


def menu(front):
    groups = front.context["sidebar_navigation"]
    return {str(item["title"]): str(item["link"]) for group in groups for item in group["items"]}


@pytest.mark.plain
def test_the_front_page_shows_what_waits_and_leads_to_every_list(chief, player):
    client, now = browser(chief), timezone.now()
    client.post(ADJUST, form(client, amount="1001"))
    for days in (1, 8):
        ended = now - timedelta(days=days)
        began_at = ended - timedelta(minutes=2)
        Downtime.objects.create(component="mail", began_at=began_at, ended_at=ended)
    front = client.get("/admin/")
    cards = {card.title: card for card in front.context["cards"]}
    assert cards["Pending adjustments"].value == "1"
    assert cards["Open flags"].value == cards["Open reports"].value == "0"
    assert {"Treasury", "Running games", "Web processes"} < set(cards)
    assert (cards["Outages"].value, cards["Outages"].url) == ("1", "/admin/games/downtime/")
    assert f"{now - timedelta(days=1):%Y-%m-%d}" in cards["Outages"].note
    page = front.content.decode()
    assert "adjustment proposed" in page
    assert "app-" not in page.partition("<main")[2]
    assert {
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    } <= set(menu(front).values())
    mail = client.get("/admin/post_office/email/")
    assert mail.status_code == 404, "a player's mail with its links is not there"
    front = browser(administrator("clerk")).get("/admin/")
    assert front.context["cards"] == []
    assert "people" not in front.context
    assert list(menu(front)) == ["Overview", "Records"]


def test_the_list_of_players_begins_with_people(chief, player):
    User.objects.create_user("robot", is_bot=True)
    User.objects.create_user("the_robot_bot", is_program=True)
    User.objects.create_user("the_robotic")
    client = browser(chief)

    def names(query=""):
        rows = client.get(f"/admin/accounts/user/?{query}").context["cl"].result_list
        return {user.username for user in rows} & {"robot", "tessio", "chief"}

    assert names() == {"tessio", "chief"}
    assert names("who=bots") == {"robot"}
    assert names("who=staff") == {"chief"}
    assert names("who=all") == {"robot", "tessio", "chief"}
    assert names("who=nonsense") == names()
    rows = client.get("/admin/accounts/user/?q=robot").context["cl"].result_list
    assert [user.username for user in rows] == ["the_robotic", "the_robot_bot", "robot"]


def test_the_admin_has_a_policy_of_its_own_and_other_pages_keep_theirs(chief):
    client = browser(chief)
    policy = client.get("/admin/").headers["Content-Security-Policy"]
    assert "script-src 'self' 'unsafe-eval'" in policy
    assert "script-src 'self' 'unsafe-eval' 'unsafe-inline'" not in policy
    assert "frame-ancestors 'none'" in policy
    for page in ("/", "/tables/", "/adminish/"):
        policy = client.get(page).headers["Content-Security-Policy"]
        assert "unsafe" not in policy


def test_dates_have_one_form_and_a_players_page_no_part_of_a_hash(chief, player):
    client, own = browser(chief), f"/admin/accounts/user/{player.pk}"
    client.post(f"{own}/freeze/", {"reason": REASON})
    record = f"/admin/economy/adminrecord/{AdminRecord.objects.get().pk}/change/"
    for page in (f"{own}/change/", "/admin/accounts/user/", "/admin/economy/adminrecord/", record):
        shown = client.get(page).content.decode()
        assert f"{timezone.now():%Y-%m-%d}" in shown, page
        assert not re.search(r"[ap]\.m\.|\w{3,9}\.? \d+, 20\d\d|noon|midnight", shown), page
    shown = client.get(f"{own}/change/").content.decode()
    for part in player.password.split("$"):
        assert len(part) < 4 or part not in shown
    assert "Set password" in shown
    assert client.get(f"{own}/set_password/", follow=True).status_code == 200
    page = client.get(f"{own}/adjust/", follow=True)
    assert page.redirect_chain[-1][0] == f"{ADJUST}?player=tessio"
    assert 'value="tessio"' in page.content.decode()


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
def test_what_is_new_of_a_person_is_told_once_to_the_address_before(chief, player, fields, said):
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
