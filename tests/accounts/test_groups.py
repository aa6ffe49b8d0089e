import re
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.groups import GROUPS, make_groups
from accounts.models import User
from economy.models import Adjustment, AdminRecord
from economy.selectors import balance_of
from games.matches.models import Downtime, Flag
from games.moderation import flags
from tests.accounts.admin_kit import ADJUST, PASSWORD, REASON, administrator, form
from tests.accounts.kit import browser
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db


def member(group: str) -> Client:
    user = administrator(group.lower()[:-1])
    user.groups.add(Group.objects.get(name=group))
    return browser(user)


@pytest.fixture
def world() -> Any:
    """An evening's work: a game, a reported name, a flag, an adjustment that waits."""
    kit, now = TableKit(new_user(), new_user()), timezone.now()
    kit.start(purse=10)
    ann, bob = kit.people
    flags.open_flag(flags.reported(bob.pk, ann.pk, "a rude name", now))
    flags.open_flag(flags.chips((ann.pk, bob.pk), 300, now))
    chief = browser(administrator("chief", superuser=True))
    for amount in ("4321", "17"):
        chief.post(ADJUST, form(chief, player=bob.username, amount=amount))
    chief.post(f"/admin/accounts/user/{bob.pk}/freeze/", {"reason": REASON})
    Downtime.objects.create(component="web", began_at=now, ended_at=now)
    report, chips = Flag.objects.order_by("pk")
    waiting = Adjustment.objects.get(state="proposed")
    return SimpleNamespace(kit=kit, ann=ann, bob=bob, report=report, chips=chips, waiting=waiting)


def works(world: Any) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """Return the posts of each group's evening: address and fields."""
    ann, bob = (f"/admin/accounts/user/{user.pk}" for user in (world.ann, world.bob))
    why = {"reason": REASON}
    report = f"/admin/games/flag/{world.report.pk}/change/"
    waiting = f"/admin/economy/adjustment/{world.waiting.pk}"
    return {
        "Moderators": [
            (report, {"verb": "claim"}),
            (report, {"verb": "mute", "reason": "Offensive name", "hours": "1"}),
            (f"/admin/games/flag/{world.chips.pk}/settle/", why),
            (f"/admin/games/match/{world.kit.match.pk}/unmask/", why),
            ("/admin/games/mute/add/", {"player": world.bob.username, "hours": "1", **why}),
            (f"{ann}/add_note/", {"text": "was warned by word"}),
            (f"{ann}/warn/", why), (f"{ann}/rename/", why), (f"{ann}/freeze/", why),
            (f"{bob}/unfreeze/", why), (f"{ann}/ban/", why), (f"{ann}/unban/", why),
        ],
        "Support": [
            (f"{ann}/add_note/", {"text": "lost a game in the outage"}),
            (f"/admin/games/match/{world.kit.match.pk}/void/", why),
        ],
        "Treasurers": [
            (f"{waiting}/approve/", {"password": PASSWORD}),
            ("/admin/economy/item/ROCK/change/", {"price": "7", "on_sale": "on"}),
        ],
    }  # fmt: skip


#: What every group may open: the first page, and what administrators did.
SHARED = {"/admin/", "/admin/economy/adminrecord/"}
LISTS = {
    "Moderators": {"accounts/user", "games/flag", "games/flag/queue", "games/match", "games/mute"},
    "Support": {
        "account/emailaddress", "accounts/apitoken", "accounts/user", "economy/account",
        "economy/transfer", "games/downtime", "games/match", "games/selfcheck", "games/webprocess",
        "usersessions/usersession",
    },
    "Treasurers": {
        "accounts/user", "economy/account", "economy/adjustment", "economy/item",
        "economy/transfer",
    },
}  # fmt: skip


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.parametrize("group", GROUPS)
def test_each_group_does_its_work_and_not_that_of_the_others(world: Any, group: str) -> None:
    client, own = member(group), {address for address, _ in works(world)[group]}
    others = [each for owner, posts in works(world).items() if owner != group for each in posts]
    for address, fields in others:
        if address not in own:
            assert client.post(address, fields).status_code == 403, address
    for address, fields in works(world)[group]:
        answer = client.post(address, fields)
        assert answer.status_code == 302 or "is shown once" in answer.content.decode(), address


@pytest.mark.parametrize("group", GROUPS)
def test_the_pages_of_a_group_lead_to_all_that_it_may_open_alone(world: Any, group: str) -> None:
    client, seen, waiting = member(group), set[str](), ["/admin/"]
    chief = User.objects.get(username="chief").pk
    like = Counter[str]()
    lists = {f"/admin/{name}/" for name in LISTS[group]} | SHARED
    while waiting:
        path = waiting.pop()
        answer = client.get(path, follow=True)
        assert answer.status_code == 200, path
        seen.add(path)
        found = set(re.findall(r'href="(/admin/[^"?#]*)', answer.content.decode()))
        found -= {"/admin/logout/", "/admin/password_change/"}
        for each in sorted(found - seen - set(waiting)):
            # Pages of the same kind are alike, but not those of who may do more.
            like[kind := re.sub(r"\d+", "0", each)] += 1
            if like[kind] <= 2 or f"/{chief}/" in each:
                waiting.append(each)
    assert lists <= seen
    tops = {path for path in seen - lists if path.count("/") == 4}
    assert all(re.search(r"/(add|queue)/$", path) for path in tops)
    assert f"/admin/accounts/user/{chief}/change/" in seen


def test_only_treasurers_read_the_amounts_of_adjustments(world: Any) -> None:
    bob = f"/admin/accounts/user/{world.bob.pk}/change/"
    pages = ("/admin/", "/admin/economy/adminrecord/", bob)
    record = AdminRecord.objects.get(action="points_adjusted")
    for group, reads in (("Moderators", False), ("Treasurers", True)):
        client = member(group)
        texts = [client.get(page).content.decode() for page in pages]
        texts.append(client.get(f"/admin/economy/adminrecord/{record.pk}/change/").content.decode())
        assert any("4321" in text for text in texts) is reads
        assert ("amount: 17" in texts[-1]) is reads


def test_treasurers_approve_no_wish_of_their_own(world: Any) -> None:
    client = member("Treasurers")
    client.post(ADJUST, form(client, player=world.ann.username, amount="2000"))
    made = Adjustment.objects.latest("pk")
    own = f"/admin/economy/adjustment/{made.pk}/approve/"
    assert client.post(own, {"password": PASSWORD}).status_code == 403
    assert balance_of(world.ann.pk) == 90


def test_migrate_keeps_the_groups_and_only_superusers_change_others() -> None:
    moderators = Group.objects.get(name="Moderators")
    moderators.permissions.clear()
    own = Group.objects.create(name="Night shift")
    make_groups(using="default", apps=apps)
    make_groups(using="default")
    held = moderators.permissions.values_list("content_type__app_label", "codename")
    assert {".".join(pair) for pair in held} == set(GROUPS["Moderators"])
    assert own.permissions.count() == 0
    assert AdminRecord.objects.filter(action="group_changed").count() == 1
    chief = browser(administrator("chief", superuser=True))
    for group, status in ((moderators, 403), (own, 302)):
        page = f"/admin/auth/group/{group.pk}"
        renamed = {"name": "Others", "permissions": []}
        assert chief.post(f"{page}/change/", renamed).status_code == status
        assert chief.post(f"{page}/delete/", {"post": "yes"}).status_code == status


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_migrate_makes_groups_that_are_missing() -> None:
    Group.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert set(Group.objects.values_list("name", flat=True)) == set(GROUPS)
    assert not AdminRecord.objects.exists()


def test_nobody_may_make_staff_of_a_bot_or_a_program() -> None:
    chief = browser(administrator("chief", superuser=True))
    robot = User.objects.create_user("robot", is_bot=True)
    program = User.objects.create_user("rob_bot", is_program=True)
    for machine in (robot, program):
        page = f"/admin/accounts/user/{machine.pk}/change/"
        kept = {"username": machine.username, "theme": "dark", "reminders": "half", "email": ""}
        chief.post(page, {**kept, "is_staff": "on", "is_superuser": "on"})
        machine.refresh_from_db()
        assert (machine.theme, machine.is_staff, machine.is_superuser) == ("dark", False, False)
    with pytest.raises(Exception, match="cannot be staff"):
        User(username="abot", password="x", is_bot=True, is_staff=True).full_clean()
