import re
from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from economy.models import Account, Adjustment, AdminRecord, Transfer
from economy.records import Actor, Change, write_record
from economy.selectors import balance_of
from tests.accounts.admin_kit import ADJUST, PASSWORD, REASON, administrator, form
from tests.accounts.kit import browser
from tests.economy.altering import CHANGES
from tests.economy.kit import rich

pytestmark = pytest.mark.django_db
CHIEF = Actor("user:0", "chief")


@pytest.mark.plain
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
    # The own account is forbidden.
    assert client.post(ADJUST, form(client, player="chief")).status_code == 403
    assert balance_of(chief.pk) == 100


def test_hostile_55_a_wrong_form_moves_nothing(chief, player):
    for wrong in (
        {"amount": "0"}, {"amount": "1.5"}, {"amount": "x"}, {"amount": "-101"},
        {"amount": "999999999999"}, {"amount": "1000000000000"}, {"reason": "too short"},
        {"reason": " " * 30}, {"password": ""}, {"password": "another password"},
        {"player": "nobody"}, {"token": ""},
    ):  # fmt: skip
        client = browser(chief)
        page = client.post(ADJUST, form(client, **wrong))
        assert page.status_code == 200, wrong
        assert (b"(limit)" in page.content) is (len(wrong.get("amount", "")) > 9), wrong
    assert balance_of(player.pk) == 100
    assert not Adjustment.objects.exists()


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
    assert (made.state, balance_of(player.pk)) == ("proposed", 100)
    approve = f"/admin/economy/adjustment/{made.pk}/approve/"
    assert (first.get(approve).status_code, first.post(approve).status_code) == (200, 403)
    clerk = browser(administrator("clerk", "economy.view_adjustment"))
    given = {"password": PASSWORD}
    assert (clerk.get(approve).status_code, clerk.post(approve, given).status_code) == (403, 403)
    rights = ("economy.view_adjustment", "economy.approve_adjustment")
    second = browser(administrator("second", *rights))
    assert second.post(approve, {"password": "wrong"}).status_code == 200
    assert balance_of(player.pk) == 100
    assert second.post(approve, given).status_code == 302
    assert second.post(approve).status_code == 200  # decided already: says so, moves nothing
    assert balance_of(player.pk) == 1101
    assert Transfer.objects.filter(code="ADMIN_ADJUST").count() == 1


def test_hostile_55_many_small_adjustments_need_a_second_administrator_too(chief, player):
    first = browser(chief)
    first.post(ADJUST, form(first, amount="600"))
    first.post(ADJUST, form(first, amount="-400"))
    assert balance_of(player.pk) == 300
    for amount in ("1", "-1", "600"):
        first.post(ADJUST, form(first, amount=amount))
    assert (balance_of(player.pk), Adjustment.objects.filter(state="proposed").count()) == (300, 3)
    other = browser(administrator("other", "economy.add_adjustment", "economy.view_adjustment"))
    other.post(ADJUST, form(other, amount="7"))
    assert balance_of(player.pk) == 307, "each administrator has a limit of their own"
    day_ago = timezone.now() - timedelta(days=1)
    Adjustment.objects.filter(state="approved").update(proposed_at=day_ago)
    first.post(ADJUST, form(first, amount="1000"))
    assert balance_of(player.pk) == 1307


@pytest.mark.plain
def test_hostile_55_no_form_of_a_user_has_a_balance(chief, player):
    client = browser(chief)
    page = f"/admin/accounts/user/{player.pk}/change/"
    body = client.get(page).content.decode()
    assert not re.search('name="(balance|points)"', body)
    fields = {"username": "tessio", "theme": "dark", "points": "9999", "balance": "9999",
              "is_frozen": "on", "is_active": ""}  # fmt: skip
    assert client.post(page, fields).status_code == 302
    player.refresh_from_db()
    assert (player.theme, player.is_active, player.is_frozen) == ("dark", True, False)
    assert balance_of(player.pk) == 100
    record = AdminRecord.objects.get(action="user_changed")
    assert '"theme":"system"' in record.before
    assert '"theme":"dark"' in record.after


@pytest.mark.parametrize("model", [Transfer, Account])
def test_hostile_57_nobody_adds_changes_or_deletes_in_the_ledger(chief, model):
    client = browser(chief)
    rich(900001, 5)
    pk, path = model.objects.latest("pk").pk, f"/admin/economy/{model._meta.model_name}/"
    for page, status in (("", 200), (f"{pk}/change/", 200), ("add/", 403)):
        assert client.get(path + page).status_code == status
    changed = {"amount": "9", "balance": "900"}
    for page, given in ((f"{pk}/delete/", {"post": "yes"}), (f"{pk}/change/", changed)):
        assert client.post(path + page, given).status_code == 403
    delete = {"action": "delete_selected", "_selected_action": str(pk), "post": "yes"}
    client.post(path, delete)
    kept = model.objects.get(pk=pk)
    assert (getattr(kept, "amount", 5), getattr(kept, "balance", 5)) == (5, 5)


@pytest.mark.plain
def test_hostile_57_neither_raw_sql_nor_the_orm_changes_a_transfer_or_a_record():
    rich(900001, 5)
    with transaction.atomic():
        write_record(CHIEF, "setting_changed", "setting:x", change=Change({"v": 1}, {"v": 2}))
    of_records = ("UPDATE economy_adminrecord SET reason = 'x'", "DELETE FROM economy_adminrecord")
    for statement in (*CHANGES, *of_records):
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            connection.cursor().execute(statement)
    row, rows = Transfer.objects.latest("pk"), Transfer.objects.all()
    row.amount, records = 6, AdminRecord.objects.all()
    for change in (
        row.save, row.delete, lambda: rows.update(amount=1), rows.delete,
        lambda: records.update(actor="x"), records.delete,
    ):  # fmt: skip
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
