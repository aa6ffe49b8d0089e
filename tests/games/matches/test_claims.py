"""The queue of reports: one moderator at a time, warnings and renames from it.

Source: docs/explanation/agora.md "Moderation".
"""

from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from economy.admin_models import AdminRecord
from games.matches.models import Flag, Mute
from games.matches.services import flags, moderation
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db
QUEUE = "/admin/games/flag/queue/"


def moderator(name: str) -> Client:
    rights = ("games.view_flag", "games.change_flag", "accounts.change_user")
    return browser(administrator(name, *rights))


@pytest.fixture
def reported() -> list[Flag]:
    """Two reported names, the oldest first."""
    for _ in range(2):
        by, rude = new_user(), new_user("rude")
        flags.open_flag(flags.reported(by.pk, rude.pk, "a rude name", timezone.now()))
    return list(Flag.objects.order_by("pk"))


def page(flag: Flag) -> str:
    return f"/admin/games/flag/{flag.pk}/change/"


def press(client: Client, flag: Flag, verb: str, **fields: Any) -> Any:
    return client.post(page(flag), {"verb": verb, "reason": "Offensive name", **fields})


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_claimed_report_is_one_moderators_until_it_is_released_or_lapses(reported) -> None:
    first, second = moderator("first"), moderator("second")
    claimed, free = reported
    with time_machine.travel(timezone.now(), tick=False) as clock:
        second.force_login(User.objects.get(username="second"))
        assert press(first, claimed, "claim")["Location"] == page(claimed)
        assert second.get(QUEUE)["Location"] == page(free)
        assert first.get(QUEUE)["Location"] == page(claimed)
        assert "first works on it" in second.get(page(claimed)).content.decode()
        refused = press(second, claimed, "mute", hours="1")
        assert "another moderator works on it" in refused.content.decode()
        assert not Mute.objects.exists()
        assert press(second, claimed, "claim").status_code == 200
        clock.shift(moderation.CLAIMED_FOR.total_seconds() - 1)
        assert press(second, claimed, "dismiss").status_code == 200
        clock.shift(1)
        assert second.get(QUEUE)["Location"] == page(claimed)
        assert press(second, claimed, "claim").status_code == 302
        assert press(first, claimed, "release").status_code == 302
        assert press(first, claimed, "dismiss").status_code == 200, "it was not the first one's"
        assert press(second, claimed, "release").status_code == 302
        assert press(first, claimed, "dismiss").status_code == 302
    assert not AdminRecord.objects.exclude(action="flag_closed").exists()


@pytest.mark.plain
def test_a_queue_in_which_all_is_claimed_says_so(reported: list[Flag]) -> None:
    for flag in reported:
        press(moderator(f"mod{flag.pk}"), flag, "claim")
    assert "Others work on all 2 open reports." in moderator("late").get(QUEUE).content.decode()


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.parametrize(("verb", "kind"), [("warn", "warning"), ("rename", "renamed")])
def test_a_report_is_settled_by_a_warning_or_another_name(reported, verb, kind) -> None:
    flag, client = reported[0], moderator("first")
    name = moderation.case_of(flag).author.username
    assert press(client, flag, verb)["Location"] == page(reported[1])
    flag.refresh_from_db()
    author = moderation.case_of(flag).author
    message = author.staff_messages.get()
    told = (message.kind, message.text, message.cause)
    assert told == (kind, "Offensive name", f"flag:{flag.pk}")
    assert (flag.closed_by.username, author.username == name) == ("first", verb == "warn")
    actions = AdminRecord.objects.order_by("pk").values_list("action", "target")
    word = {"warn": "user_warned", "rename": "user_renamed"}[verb]
    assert list(actions) == [(word, f"user:{author.pk}"), ("flag_closed", f"flag:{flag.pk}")]


def test_a_rename_from_the_queue_needs_its_permission_and_spares_superusers(reported) -> None:
    flag = reported[0]
    clerk = browser(administrator("clerk", "games.view_flag", "games.change_flag"))
    assert press(clerk, flag, "rename").status_code == 403
    assert 'value="rename"' not in clerk.get(page(flag)).content.decode()
    User.objects.filter(pk=moderation.case_of(flag).author.pk).update(is_superuser=True)
    assert "you cannot rename from here" in press(moderator("m"), flag, "rename").content.decode()


@pytest.mark.plain
@pytest.mark.both_databases
def test_many_flags_are_settled_at_once_but_not_those_of_other_moderators(reported) -> None:
    flags.open_flag(flags.chips((new_user().pk, new_user().pk), 300, timezone.now()))
    press(moderator("other"), reported[0], "claim")
    every = list(Flag.objects.order_by("pk"))
    client, keys = moderator("first"), [str(flag.pk) for flag in every]
    chosen = {"action": "settle_many", "_selected_action": keys, "select_across": "0", "index": "0"}
    asked = client.post("/admin/games/flag/", chosen)["Location"]
    answer = client.post(asked, {"reason": "one evening of spam"})
    assert "another moderator works on it" in answer.content.decode()
    assert [flag.closed_at is None for flag in Flag.objects.order_by("pk")] == [True, False, False]
    hidden = client.post(asked.replace("settle", "hide"), {"reason": "one evening of spam"})
    assert "Refused" not in hidden.content.decode()
    reader = browser(administrator("reader", "games.view_flag"))
    assert reader.post(asked, {"reason": "one evening of spam"}).status_code == 403
