import csv
import io
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from economy.admin_pages import MOST
from economy.models import AdminRecord
from tests.accounts.admin_kit import ADJUST, REASON, administrator, form
from tests.accounts.kit import browser, make_user
from tests.games.own_data.test_personal_data import parts_of
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db
LIST = "/admin/accounts/user/"


@pytest.fixture
def moderator() -> Client:
    return browser(administrator("moderator", "accounts.view_user", "accounts.change_user"))


def choose(client: Client, page: str, action: str, *rows: Any, across: str = "0") -> Any:
    """Choose rows of a list and an action, as the list's form does."""
    keys = [str(row.pk) for row in rows]
    sent = {"action": action, "_selected_action": keys, "select_across": across, "index": "0"}
    return client.post(page, sent)


def lines(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(parts_of(answer.streaming_content)).decode())))


@pytest.mark.both_databases
def test_an_act_for_many_is_done_to_each_and_recorded_for_each(moderator: Client) -> None:
    ann, bob, _ = (make_user(name) for name in ("ann", "bob", "cat"))
    for verb, field, expected in (
        ("freeze", "is_frozen", True),
        ("unfreeze", "is_frozen", False),
        ("ban", "is_active", False),
        ("unban", "is_active", True),
    ):
        asked = choose(moderator, LIST, f"{verb}_many", ann, bob)["Location"]
        assert "ann, bob" in moderator.get(asked).content.decode()
        assert moderator.post(asked, {"reason": "short"}).status_code == 200
        assert moderator.post(asked, {"reason": REASON}).status_code == 302
        found = dict(User.objects.values_list("username", field))
        assert (found["ann"], found["bob"]) == (expected, expected), verb
        assert found["cat"] is (field == "is_active")
    records = AdminRecord.objects.order_by("pk").values_list("action", "target", "reason")
    assert list(records)[4:6] == [("user_banned", f"user:{u.pk}", REASON) for u in (ann, bob)]
    assert len(records) == 8


def test_who_may_not_be_banned_stops_no_other(moderator: Client) -> None:
    ann, chief = make_user("ann"), administrator("chief", superuser=True)
    robot, own = make_user("robot", is_bot=True), User.objects.get(username="moderator")
    chosen = (ann, chief, robot, own)
    asked = choose(moderator, f"{LIST}?who=all", "ban_many", *chosen)["Location"]
    shown = moderator.post(asked, {"reason": REASON}).content.decode()
    for refused in ("chief: ", "robot: ", "moderator: "):
        assert refused in shown
    assert list(User.objects.filter(is_active=False)) == [ann]
    assert "banned already" in moderator.post(asked, {"reason": REASON}).content.decode()
    assert AdminRecord.objects.count() == 1


@pytest.mark.plain
def test_acts_for_many_need_their_permission_and_have_a_limit(moderator: Client) -> None:
    ann = make_user("ann")
    clerk = browser(administrator("clerk", "accounts.view_user"))
    choose(clerk, LIST, "ban_many", ann)
    page = f"{LIST}many/Ban/?rows={ann.pk}"
    assert clerk.get(page).status_code == clerk.post(page, {"reason": REASON}).status_code == 403
    assert moderator.get(f"{LIST}many/Delete/?rows={ann.pk}").status_code == 404
    strict = browser(User.objects.get(username="moderator"), enforce_csrf_checks=True)
    assert strict.post(page, {"reason": REASON}).status_code == 403
    many = ",".join([str(ann.pk)] * (MOST + 1))
    for rows in (many, "", "x", "9" * 30):
        answer = moderator.post(f"{LIST}many/Ban/?rows={rows}", {"reason": REASON})
        assert "Nothing is chosen, or too much." in answer.content.decode()
    ann.refresh_from_db()
    assert ann.is_active


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_players_are_downloaded_as_the_list_is_filtered_without_secrets(moderator: Client) -> None:
    ann = make_user("-ann", "ann@example.org")
    User.objects.create_user("robot", is_bot=True)
    (shown,) = lines(choose(moderator, f"{LIST}?q=-ann", "as_csv", ann, across="1"))
    assert (shown["name"], shown["points"], shown["banned"]) == ("'-ann", "100", "no")
    for secret in ("ann@example.org", ann.password, "argon2"):
        assert secret not in str(shown)
    teller = administrator("teller", "accounts.view_user", "account.view_emailaddress")
    (row,) = lines(choose(browser(teller), LIST, "as_csv", ann))
    assert row["e-mail"] == "ann@example.org"
    records = AdminRecord.objects.filter(action="list_downloaded").order_by("pk")
    told = [(r.actor_name, r.target, r.after) for r in records]
    assert told == [(name, "list:user", '{"rows":1}') for name in ("moderator", "teller")]


@pytest.mark.django_db(transaction=True)
def test_the_ledger_is_downloaded_masked_and_records_without_amounts_of_adjustments() -> None:
    kit = TableKit(new_user(), new_user())
    kit.start(purse=10)
    chief = browser(administrator("chief", superuser=True))
    chief.post(ADJUST, form(chief, player=kit.people[0].username, amount="17"))
    rows = lines(choose(chief, "/admin/economy/transfer/", "as_csv", kit.match, across="1"))
    cause = f"match:{kit.match.pk}"
    assert {row["amount"] for row in rows if row["cause"] == cause} == {"hidden"}
    assert {row["amount"] for row in rows if row["code"] == "ADMIN_ADJUST"} == {"17"}
    record = AdminRecord.objects.get(action="points_adjusted")
    for name, right, told in (
        ("clerk", "games.view_flag", "hidden"),
        ("cashier", "economy.view_adjustment", "amount: 17"),
    ):  # fmt: skip
        client = browser(administrator(name, right))
        (row,) = lines(choose(client, "/admin/economy/adminrecord/", "as_csv", record))
        assert told in row["change"]
        assert choose(client, "/admin/economy/transfer/", "as_csv", kit.match).status_code == 403
