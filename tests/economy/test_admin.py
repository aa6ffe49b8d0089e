import html
import itertools

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission

from economy.admin_pages import RecordedAdmin
from economy.ledger import post, stock, wallet
from economy.models import Account, AdminRecord, Item, Setting
from economy.tunables import TUNABLES
from economy.units import Unit
from tests.economy.kit import NOON, box, give, move
from tests.forms import form

pytestmark = pytest.mark.django_db
PAGES = "/admin/economy"


@pytest.fixture
def admin_client(client):
    client.admin = get_user_model().objects.create_superuser("the-admin", "", "a password 7")
    client.force_login(client.admin)
    return client


@pytest.fixture
def secret(add_to_parts):
    """A landmine planted in a running match."""
    give(stock(900001, Unit.LANDMINE), 2)
    planted = move(stock(900001, Unit.LANDMINE), box(1, Unit.LANDMINE), 2)
    transfer = post([planted._replace(cause="match:77")], NOON)[0]
    add_to_parts(hidden_causes=(f"{__name__}.hidden",))
    return transfer


def hidden(causes):
    return causes & {"match:77"}


def shown(response):
    """The rows of a page, without the choices of its filters."""
    body = response.content.decode()
    return body.partition('id="result_list"')[2].partition("</table>")[0] or body


def unmask(admin):
    admin.user_permissions.add(Permission.objects.get(codename="unmask_transfer"))


@pytest.mark.plain
@pytest.mark.parametrize("by_group", [False, True], ids=["own permission", "of a group"])
def test_hostile_56_transfers_of_a_running_match_are_masked_even_for_superusers(
    admin_client, secret, by_group
):
    pages = (f"{PAGES}/transfer/?q=match:77", f"{PAGES}/transfer/{secret.pk}/change/")
    for page in pages:
        body = shown(admin_client.get(page))
        assert "match:77" in body
        for told in ("LANDMINE", secret.key, "user:900001", "ADMIN_ADJUST"):
            assert told not in body
    if by_group:
        group = Group.objects.create(name="arbiters")
        group.permissions.add(Permission.objects.get(codename="unmask_transfer"))
        admin_client.admin.groups.add(group)
    else:
        unmask(admin_client.admin)
    for page in pages:
        assert "LANDMINE" in shown(admin_client.get(page))


@pytest.mark.plain
@pytest.mark.both_databases
def test_hostile_56_no_filter_or_order_tells_what_is_masked(admin_client, secret):
    for trick in ("unit__exact=LANDMINE", "debit__unit=LANDMINE", "amount__gte=2", "code=PURSE"):
        assert admin_client.get(f"{PAGES}/transfer/?{trick}").status_code == 400
    plain, ordered = (
        [row.pk for row in admin_client.get(f"{PAGES}/transfer/?{query}").context["cl"].result_list]
        for query in ("", "o=7")
    )
    assert plain == ordered


@pytest.mark.plain
def test_hostile_56_stocks_are_not_shown_without_the_permission(admin_client, secret):
    owner = wallet(900001).owner

    def kinds():
        found = admin_client.get(f"{PAGES}/account/?q={owner}").context["cl"].result_list
        return {account.kind for account in found}

    assert kinds() <= {"wallet"}
    hidden = Account.objects.get(owner=owner, kind="stock")
    assert admin_client.get(f"{PAGES}/account/{hidden.pk}/change/").status_code == 302
    unmask(admin_client.admin)
    assert "stock" in kinds()


@pytest.mark.both_databases
def test_prices_and_settings_can_be_changed_within_their_limits_and_nothing_else(admin_client):
    price, setting = f"{PAGES}/item/ROCK/change/", f"{PAGES}/setting/showdown.target/change/"
    admin_client.post(price, {"price": "7", "on_sale": "on", "unit": "PAPER"})
    admin_client.post(setting, {"value": "4"})
    for page, name, values in (
        (price, "price", ("0", "-5", "10000001", "x")),
        (setting, "value", ("2", "16", "-1", "x")),
    ):
        for value in values:
            assert admin_client.post(page, {name: value}).status_code == 200
            assert Item.objects.get(unit="ROCK").price == 7
            assert Setting.objects.get(name="showdown.target").value == 4
    assert admin_client.get(f"{PAGES}/item/add/").status_code == 403


@pytest.mark.plain
def test_the_settings_page_says_what_they_mean_by_game_with_units(admin_client):
    address = f"{PAGES}/setting/agora.phase/change/"
    admin_client.post(address, {"value": "604800"})
    answer = admin_client.get(f"{PAGES}/setting/")
    sections = answer.context_data["sections"]
    by_name = {row["name"]: row for rows in sections.values() for row in rows}
    assert list(by_name) == list(TUNABLES)
    assert by_name["showdown.target"] == {
        "page": f"{PAGES}/setting/showdown.target/change/",
        "value": "5",
        "help": "victory points that end a game",
        "limits": "3 to 15",
        "default": "",
        "name": "showdown.target",
    }
    agora = by_name["agora.phase"]
    assert (agora["value"], agora["limits"], agora["default"]) == ("7 d", "1 min to 7 d", "1 d")
    assert by_name["showdown.tax_bp"]["value"] == "5 %"
    assert "Agoran Mafia" in sections
    assert "victory points that end a game" in answer.content.decode()
    found = admin_client.get(f"{PAGES}/setting/?q=agora.phase").context_data["sections"]
    assert list(found) == ["Agoran Mafia"]
    body = shown(admin_client.get(f"{PAGES}/adminrecord/"))
    assert f'href="{address}">Agoran Mafia: longest night or day</a>' in body
    assert "setting:agora.phase" not in body


def test_each_settings_page_opens_from_the_list(admin_client):
    sections = admin_client.get(f"{PAGES}/setting/").context_data["sections"]
    some = [rows[: form(1, in_all=len(rows))] for rows in sections.values()]
    for row in itertools.chain.from_iterable(some):
        assert admin_client.get(row["page"]).status_code == 200, row["name"]


@pytest.mark.both_databases
def test_a_form_sent_to_a_list_locks_no_rows(admin_client):
    """PostgreSQL refuses to lock the distinct values of a filter."""
    for model in admin.site._registry:
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert admin_client.post(address).status_code < 500, address


@pytest.mark.plain
def test_the_ledger_names_people_and_not_their_numbers_and_nobody_deletes_them(admin_client):
    user = get_user_model().objects.create_user("tessio", "t@example.org", "a password 7")
    own = f"/admin/accounts/user/{user.pk}"
    link = f'href="{own}/change/">tessio</a>'
    body = shown(admin_client.get(f"{PAGES}/transfer/"))
    assert f"{link} · " in body
    assert f"user:{user.pk}" not in body
    admin_client.post(f"{own}/freeze/", {"reason": "a long reason"})
    for page in ("account", "adminrecord"):
        assert link in shown(admin_client.get(f"{PAGES}/{page}/")), page
    assert admin_client.get(f"{own}/change/").status_code == 200
    assert admin_client.post(f"{own}/delete/", {"post": "yes"}).status_code == 403


ANTE = "showdown.ante_default"
ASKED = "The rule book's ante is now 1 (yours: 5). Take it, or keep it"


@pytest.fixture
def upgraded(admin_client):
    """The browser of an administrator of a site that was opened with ante 5."""
    Setting.objects.filter(pk=ANTE).update(value=5)
    return admin_client


def is_asked(client):
    return html.unescape(client.get("/admin/").content.decode()).count(ASKED) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize(("button", "ante"), [("take", 1), ("keep", 5)])
def test_the_ante_of_an_upgraded_site_is_asked_about_once(upgraded, button, ante):
    assert is_asked(upgraded)
    for _ in range(2):
        assert upgraded.post("/admin/ante/", {button: "1"}).status_code == 302
    assert Setting.objects.get(pk=ANTE).value == ante
    assert AdminRecord.objects.filter(target=f"setting:{ANTE}").count() == 1
    Setting.objects.filter(pk=ANTE).update(value=5)
    assert not is_asked(upgraded)


@pytest.mark.parametrize("before", [1, 3])
def test_the_ante_is_not_asked_about_where_an_admin_has_left_the_default(admin_client, before):
    Setting.objects.filter(pk=ANTE).update(value=before)
    assert not is_asked(admin_client)
    page = f"{PAGES}/setting/{quote(ANTE)}/change/"
    assert admin_client.post(page, {"value": "5"}).status_code == 302
    assert is_asked(admin_client) == (before != 1)


def test_the_ante_is_asked_of_those_who_may_change_settings_only(upgraded):
    clerk = get_user_model().objects.create_user("clerk", password="a password 7", is_staff=True)
    upgraded.force_login(clerk)
    assert not is_asked(upgraded)
    assert upgraded.post("/admin/ante/", {"take": "1"}).status_code == 403
    assert upgraded.get("/admin/ante/").status_code == 405
    assert Setting.objects.get(pk=ANTE).value == 5
    upgraded.logout()
    answer = upgraded.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/")


def test_each_permission_of_a_button_is_there() -> None:
    """The library's check of them is off, since it asks a database that may be empty."""
    named = {
        permission
        for pages in admin.site._registry.values()
        if isinstance(pages, RecordedAdmin)
        for action in pages._get_base_actions_detail()
        for permission in action.method.allowed_permissions
        if "." in permission
    }
    rows = Permission.objects.values_list("content_type__app_label", "codename")
    assert len(named) > 5
    assert named <= {".".join(row) for row in rows}
