"""Posts that are reported, hidden or too many, and people who are muted.

Source: docs/explanation/agora.md "Moderation".
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from economy.models import AdminRecord
from games.engine.errors import IllegalAction
from games.mafia.agora.rules.roles import Role
from games.matches.journal.replay import replay_match
from games.matches.models import Flag, HiddenPost, Mute, PostReport
from games.matches.services import muting, posts, reports
from tests.accounts.admin_kit import administrator
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.match_kit import new_user
from tests.remembered import remembered

pytestmark = pytest.mark.django_db

REASON = "this is an insult to the town"
#: As many characters as a post may have, each of four bytes.
LONG = "🂡" * 4_000


@pytest.fixture
@remembered
def kit() -> TownKit:
    """A town of nine on its first day: twelve posts in the town, one in the mafia's room."""
    kit = town(9, phase_seconds=600)
    agent = kit.user_of(Role.AGENT)
    kit.act(agent, kind="post", room="mafia", text="a secret plan")
    kit.run_out()
    citizen = kit.user_of(Role.CITIZEN)
    for no in range(1, 13):
        kit.act(citizen, kind="post", room="town", text=f"line {no}")
    return kit


def browser(user: Any = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def address(kit: TownKit, room: str = "town") -> str:
    return reverse("mafia_posts", args=[kit.match.public_id, room])


def report(kit: TownKit, user: Any, room: str, no: int, reason: str = REASON) -> Any:
    url = reverse("mafia_report", args=[kit.match.public_id, room, no])
    return browser(user).post(url, {"reason": reason})


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def deed(flag: Flag, name: str) -> str:
    return f"/admin/games/flag/{flag.pk}/{name}/"


def staff(name: str = "looker", *more: str) -> Client:
    wanted = ("games.view_flag", "games.change_flag", *more)
    return browser(administrator(name, *wanted))


# Reports -------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_report_of_a_post_is_one_flag_that_tells_no_room_and_nobody(kit: TownKit) -> None:
    agent, mafioso = kit.user_of(Role.AGENT), kit.user_of(Role.MAFIOSO)
    assert report(kit, mafioso, "mafia", 1).json() == {"reported": True}
    assert report(kit, mafioso, "mafia", 1).json() == {"reported": True}
    flag = Flag.objects.get()
    assert list(flag.users.all()) == []
    assert json.loads(flag.detail) == {"match": kit.match.title}
    assert "mafia" not in f"{flag} {flag.key} {flag.detail}".lower()
    stored = PostReport.objects.get()
    assert (stored.author, stored.by, stored.reason) == (agent, mafioso, REASON)
    seen = staff().get(f"/admin/games/flag/{flag.pk}/change/").content.decode()
    for secret in (agent.username, mafioso.username, "a secret plan", REASON):
        assert secret not in seen


def test_report_is_for_whoever_may_read_the_post_and_says_why(kit: TownKit) -> None:
    citizen, doctor = kit.user_of(Role.CITIZEN), kit.user_of(Role.DOCTOR)
    assert code_of(report(kit, doctor, "mafia", 1)) == (404, "not_found")
    assert report(kit, doctor, "mafia", 1).content == report(kit, doctor, "nowhere", 1).content
    assert code_of(report(kit, doctor, "town", 13)) == (404, "not_found")
    assert code_of(report(kit, doctor, "town", 0)) == (404, "not_found")
    assert code_of(report(kit, doctor, "town", 1, "  ")) == (400, "bad_field")
    assert code_of(report(kit, None, "town", 1)) == (401, "unauthenticated")
    assert Flag.objects.count() == 0
    assert report(kit, new_user(), "town", 1).status_code == 200
    assert report(kit, citizen, "town", 2).status_code == 200
    assert Flag.objects.count() == 2


@pytest.mark.parametrize("no", [10**7, 2**63, 10**30])
def test_report_of_a_number_of_any_size_is_no_post(kit: TownKit, no: int) -> None:
    doctor = kit.user_of(Role.DOCTOR)
    assert code_of(report(kit, doctor, "town", no)) == (404, "not_found")
    for user in list(kit.alive):
        if kit.row.is_live:
            kit.act(user, kind="leave")
    assert code_of(report(kit, doctor, "town", no)) == (404, "not_found")


def test_report_keeps_of_its_reason_what_can_be_seen(kit: TownKit) -> None:
    doctor = kit.user_of(Role.DOCTOR)
    assert code_of(report(kit, doctor, "town", 1, "\0\u202e ")) == (400, "bad_field")
    assert report(kit, doctor, "town", 1, "a\0b\u202ec" + "d" * 600).status_code == 200
    assert PostReport.objects.get().reason == "abc" + "d" * 497


def test_report_after_death_reaches_no_further_than_reading(kit: TownKit) -> None:
    mafioso, agent = kit.user_of(Role.MAFIOSO), kit.user_of(Role.AGENT)
    kit.act(agent, kind="leave")
    kit.act(mafioso, kind="post", room="mafia", text="he is gone")
    assert report(kit, agent, "mafia", 1).status_code == 200
    assert code_of(report(kit, agent, "mafia", 2)) == (404, "not_found")


def test_report_of_too_many_posts_in_a_day_is_refused(
    kit: TownKit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MOST_A_DAY", 2)
    doctor = kit.user_of(Role.DOCTOR)
    answers = [report(kit, doctor, "town", no).status_code for no in (1, 2, 3)]
    assert answers == [200, 200, 409]
    assert code_of(report(kit, doctor, "town", 4)) == (409, "limit")


# The office ----------------------------------------------------------------------------------


def test_report_shows_the_post_with_those_around_it(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    flag = Flag.objects.get()
    client = staff()
    shown = client.post(deed(flag, "show_post"), {"reason": REASON}).content.decode()
    assert "&gt;&gt;&gt; #7" in shown
    assert [f"line {no}\n" in shown or f"line {no}<" in shown for no in (1, 2, 12)] == [
        False, True, True,
    ]  # fmt: skip
    assert kit.user_of(Role.DOCTOR).username in shown
    assert AdminRecord.objects.filter(action="match_unmasked").count() == 0


def test_report_of_a_private_room_is_a_look_and_keeps_the_looker_out(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), "mafia", 1)
    flag = Flag.objects.get()
    assert staff("clerk").post(deed(flag, "show_post"), {"reason": REASON}).status_code == 403
    player = kit.user_of(Role.DOCTOR)
    type(player).objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    refused = browser(player).post(deed(flag, "show_post"), {"reason": REASON}).content.decode()
    assert "Refused: you play here" in refused
    assert "a secret plan" not in refused
    looker = administrator("looker", "games.view_flag", "games.change_flag", "economy.unmask_match")
    shown = browser(looker).post(deed(flag, "show_post"), {"reason": REASON}).content.decode()
    assert "a secret plan" in shown
    assert AdminRecord.objects.get(action="match_unmasked").actor_name == "looker"
    with pytest.raises(IllegalAction) as refusal:
        kit.act(looker, kind="sit", seat=0)
    assert refusal.value.code == "forbidden"
    # When the game is over nothing of it is private any more, and the look is told.
    for user in list(kit.alive):
        if kit.row.is_live:
            kit.act(user, kind="leave")
    assert "looker (admin) looked at the hidden state" in kit.view()["log"][-1]["text"]
    again = staff("other").post(deed(flag, "show_post"), {"reason": REASON}).content.decode()
    assert "a secret plan" in again


@pytest.mark.parametrize("name", ["show_post", "hide_post", "mute_author"])
@pytest.mark.parametrize("room", ["town", "mafia"])
def test_report_is_not_handled_by_who_plays_in_that_match(
    kit: TownKit, room: str, name: str
) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), room, 1)
    flag, player = Flag.objects.get(), kit.user_of(Role.DOCTOR)
    type(player).objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    told = browser(player).post(deed(flag, name), {"reason": "it is my duty"}).content.decode()
    assert "Refused: you play here" in told
    assert REASON not in told
    assert not HiddenPost.objects.exists()
    assert not Mute.objects.exists()
    assert not AdminRecord.objects.exists()
    for user in list(kit.alive):
        if kit.row.is_live:
            kit.act(user, kind="leave")
    again = browser(player).post(deed(flag, name), {"reason": "it is my duty"}, follow=True)
    assert "Refused" not in again.content.decode()


@pytest.mark.both_databases
def test_hidden_post_is_hidden_wherever_it_is_read_and_the_journal_stays(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    flag = Flag.objects.get()
    client = staff()
    client.post(deed(flag, "hide_post"), {"reason": REASON})
    record = AdminRecord.objects.get(action="post_hidden")
    assert (record.target, record.reason) == (f"flag:{flag.pk}", REASON)
    for user in (None, kit.user_of(Role.CITIZEN), kit.user_of(Role.MAFIOSO)):
        read = browser(user).get(address(kit)).json()
        assert [post["no"] for post in read["posts"] if post["is_hidden"]] == read["hidden"] == [7]
        assert [post["text"] for post in read["posts"]][5:8] == ["line 6", "", "line 8"]
    # A viewer with the post on the screen learns of it with the next read of any posts.
    assert browser().get(f"{address(kit)}?after=12").json()["hidden"] == [7]
    log = browser().get(reverse("match_log", args=[kit.match.public_id])).content.decode()
    assert '"line 7"' not in log
    assert '"line 8"' in log
    assert "line 7" in client.post(deed(flag, "show_post"), {"reason": REASON}).content.decode()
    assert replay_match(kit.row).is_same
    kit.act(kit.user_of(Role.AGENT), kind="leave")
    kit.act(kit.user_of(Role.MAFIOSO), kind="leave")
    kit.act(kit.user_of(Role.MAFIOSO), kind="leave")
    assert not kit.row.is_live
    story = browser().get(reverse("mafia_story", args=[kit.match.public_id])).content.decode()
    assert story.count("An administrator has hidden this post.") == 1
    assert "line 7" not in story
    assert "line 8" in story
    log = browser().get(reverse("match_log", args=[kit.match.public_id])).content.decode()
    assert '"line 7"' not in log


def test_hidden_post_can_be_shown_again(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    flag = Flag.objects.get()
    for _ in range(2):
        staff_client = browser(administrator(f"s{_}", "games.view_flag", "games.change_flag"))
        staff_client.post(deed(flag, "hide_post"), {"reason": REASON})
    assert HiddenPost.objects.count() == 0
    assert browser().get(address(kit)).json()["hidden"] == []
    assert AdminRecord.objects.filter(action="post_shown_again").count() == 1


def test_hidden_posts_of_a_private_room_are_told_to_nobody_else(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), "mafia", 1)
    before = browser().get(address(kit)).content
    reports.hide(PostReport.objects.get())
    assert browser().get(address(kit)).content == before
    mine = browser(kit.user_of(Role.AGENT)).get(address(kit, "mafia")).json()
    assert mine["hidden"] == [1]


# Mutes ---------------------------------------------------------------------------------------


def test_mute_stops_posts_and_chat_and_no_vote(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    author = PostReport.objects.get().author
    staff().post(deed(Flag.objects.get(), "mute_author"), {"reason": REASON})
    refused = kit.answer(author, kind="post", room="town", text="but I")
    assert refused.error is not None
    assert refused.error.code == "muted"
    kit.act(author, kind="vote", choice="none")
    kit.act(kit.user_of(Role.DOCTOR), kind="post", room="town", text="peace")
    with pytest.raises(muting.Muted):
        posts.say(
            match_id=kit.match.pk, user_id=author.pk, room="town", text="x", action_id="a" * 9
        )
    # Nothing of whom, or of which match, stands in the record.
    record = AdminRecord.objects.get(action="author_muted")
    assert record.target == f"flag:{PostReport.objects.get().pk}"
    kit.now += timedelta(days=1, seconds=1)
    muting.require_voice(author.pk, kit.now)


def test_mute_of_a_muted_one_only_makes_it_longer(kit: TownKit) -> None:
    author = kit.people[0]
    first = muting.mute(user_id=author.pk, at=kit.now)
    assert muting.mute(user_id=author.pk, at=kit.now - timedelta(hours=3)) == first
    assert muting.mute(user_id=author.pk, at=kit.now + timedelta(hours=3)) > first


# Long posts ----------------------------------------------------------------------------------


def send(kit: TownKit, user: Any, text: str, room: str = "town", **more: Any) -> Any:
    body = {"id": "a-long-post-1", "phase": kit.row.phase, "text": text, **more}
    return browser(user).post(
        address(kit, room),
        json.dumps(body, ensure_ascii=False).encode(),
        content_type="application/json",
    )


def test_post_of_4000_characters_of_any_script_goes_by_its_rooms_address(kit: TownKit) -> None:
    citizen = kit.user_of(Role.CITIZEN)
    assert len(LONG.encode()) == 16_000
    assert send(kit, citizen, LONG).json() == {"id": "a-long-post-1"}
    assert send(kit, citizen, LONG).json() == {"id": "a-long-post-1"}
    read = browser().get(f"{address(kit)}?after=12").json()
    assert [post["text"] for post in read["posts"]] == [LONG]
    assert replay_match(kit.row).is_same


@pytest.mark.parametrize(
    ("text", "room", "more", "status", "code"),
    [
        ("x" * 4_001, "town", {}, 409, "bad_field"),
        ("   ", "town", {}, 409, "action/blank_post"),
        ("hello", "mafia", {}, 409, "action/room_closed"),
        ("hello", "nowhere", {}, 409, "action/room_closed"),
        ("hello", "town", {"phase": 1}, 409, "stale"),
        ("hello", "town", {"seat": 3}, 409, "bad_field"),
        ("hello", "town", {"id": "x"}, 409, "bad_field"),
        ("x" * 20_480, "town", {}, 413, "too_big"),
    ],
    ids=["long", "blank", "closed", "nowhere", "stale", "unknown", "id", "big"],
)
def test_post_by_the_address_is_refused_with_a_code_and_changes_nothing(
    kit: TownKit, text: str, room: str, more: dict[str, Any], status: int, code: str
) -> None:
    before = kit.row.action_count
    assert code_of(send(kit, kit.user_of(Role.CITIZEN), text, room, **more)) == (status, code)
    assert kit.row.action_count == before


def test_post_by_the_address_needs_a_log_in_and_a_csrf_token(kit: TownKit) -> None:
    assert code_of(send(kit, None, "hello")) == (401, "unauthenticated")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(kit.user_of(Role.CITIZEN))
    assert strict.post(address(kit), "{}", content_type="application/json").status_code == 403


def test_post_by_the_address_under_a_used_id_is_a_conflict(kit: TownKit) -> None:
    citizen = kit.user_of(Role.CITIZEN)
    send(kit, citizen, "hello")
    assert code_of(send(kit, citizen, "other words")) == (409, "conflict")
