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
from games.moderation import flags, muting, reports
from games.posts import chat
from games.posts.chat import Muted, require_voice
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

REASON = "this is an insult to the town"


@pytest.fixture
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


def address(kit: TownKit, room: str = "town") -> str:
    return reverse("mafia_posts", args=[kit.match.public_id, room])


def report(kit: TownKit, user: Any, room: str, no: int, reason: str = REASON) -> Any:
    url = reverse("mafia_report", args=[kit.match.public_id, room, no])
    return browser(user).post(url, {"reason": reason})


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def page(flag: Flag) -> str:
    return f"/admin/games/flag/{flag.pk}/change/"


def act(client: Client, verb: str, flag: Flag | None = None, **fields: Any) -> Any:
    """Press a button of a report's page, with a reason unless the fields have another."""
    form = {"verb": verb, "reason": "Insults or harassment", **fields}
    return client.post(page(flag or Flag.objects.get()), form)


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
    kit.end()
    assert code_of(report(kit, doctor, "town", no)) == (404, "not_found")


@pytest.mark.plain
def test_report_keeps_of_its_reason_what_can_be_seen(kit: TownKit) -> None:
    doctor = kit.user_of(Role.DOCTOR)
    assert code_of(report(kit, doctor, "town", 1, "\x07\u202e ")) == (400, "bad_field")
    assert report(kit, doctor, "town", 1, "a\x07b\u202ec" + "d" * 600).status_code == 200
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


# The queue -----------------------------------------------------------------------------------


def test_report_shows_the_post_with_those_around_it_its_people_and_the_reason(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    client = staff("looker", "accounts.view_user")
    answer = client.get("/admin/games/flag/queue/", follow=True)
    assert answer.redirect_chain[-1][0] == page(Flag.objects.get())
    menu = [item for group in answer.context["sidebar_navigation"] for item in group["items"]]
    assert [item["title"] for item in menu if item["active"]] == ["Reports"]
    shown = answer.content.decode()
    assert f">line {7}</p>" in shown.partition('class="reported"')[2][:300]
    assert [f">line {no}<" in shown for no in (1, 2, 12)] == [False, True, True]
    author, reporter = kit.user_of(Role.CITIZEN), kit.user_of(Role.DOCTOR)
    for user in (author, reporter):
        assert f'<a href="/admin/accounts/user/{user.pk}/change/">{user.username}</a>' in shown
    assert REASON in shown
    assert AdminRecord.objects.count() == 0
    reader = browser(administrator("reader", "games.view_flag"))
    for kept in ("line 7", REASON, "Past actions", author.username):
        assert kept not in reader.get(page(Flag.objects.get())).content.decode()


def test_report_of_a_private_room_is_a_look_and_keeps_the_looker_out(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), "mafia", 1)
    flag, agent = Flag.objects.get(), kit.user_of(Role.AGENT)
    clerk = staff("clerk")
    assert act(clerk, "look").status_code == 403
    for secret in ("a secret plan", REASON, agent.username):
        assert secret not in clerk.get(page(flag)).content.decode()
    player = kit.user_of(Role.DOCTOR)
    type(player).objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    refused = act(browser(player), "look").content.decode()
    assert "you play here" in refused
    assert "a secret plan" not in refused
    looker = administrator("looker", "games.view_flag", "games.change_flag", "economy.unmask_match")
    shown = act(browser(looker), "look", reason="").content.decode()
    for told in ("a secret plan", agent.username, REASON):
        assert told in shown
    assert AdminRecord.objects.get(action="match_unmasked").actor_name == "looker"
    # Each look is recorded, so that the page alone shows nothing to who has looked.
    assert "a secret plan" not in browser(looker).get(page(flag)).content.decode()
    with pytest.raises(IllegalAction) as refusal:
        kit.act(looker, kind="sit", seat=0)
    assert refusal.value.code == "forbidden"
    # When the game is over nothing of it is private any more, and the look is told.
    kit.end()
    assert "looker (admin) looked at the hidden state" in kit.view()["log"][-1]["text"]
    assert "a secret plan" in staff("other").get(page(flag)).content.decode()


@pytest.mark.parametrize("verb", ["look", "dismiss", "hide", "show", "mute", "ban"])
@pytest.mark.parametrize("room", ["town", "mafia"])
def test_report_is_not_handled_by_who_plays_in_that_match(
    kit: TownKit, room: str, verb: str
) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), room, 1)
    flag, player = Flag.objects.get(), kit.user_of(Role.DOCTOR)
    type(player).objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    answers = act(browser(player), verb, hours=24, days=7), browser(player).get(page(flag))
    for answer in answers:
        told = answer.content.decode()
        assert "you play here" in told
        for secret in (REASON, "line 1", "a secret plan", "Spectators do not read"):
            assert secret not in told
    assert not HiddenPost.objects.exists()
    assert not Mute.objects.exists()
    assert not AdminRecord.objects.exists()
    assert Flag.objects.filter(closed_at=None).exists()
    kit.end()
    assert "you play here" not in browser(player).get(page(flag)).content.decode()


def test_report_about_oneself_is_not_handled_by_oneself(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    author = kit.user_of(Role.CITIZEN)
    type(author).objects.filter(pk=author.pk).update(is_staff=True, is_superuser=True)
    kit.end()
    told = act(browser(author), "dismiss").content.decode()
    assert "it is about you" in told
    assert REASON not in told
    assert Flag.objects.filter(closed_at=None).exists()


@pytest.mark.plain
def test_report_is_dismissed_with_one_press_and_the_next_one_follows(kit: TownKit) -> None:
    for no in (7, 8):
        report(kit, kit.user_of(Role.DOCTOR), "town", no)
    first, second = Flag.objects.order_by("pk")
    client = staff()
    assert act(client, "dismiss", first, reason="")["Location"] == page(second)
    first.refresh_from_db()
    assert (str(first.closed_by), first.note) == ("looker", "dismissed: Nothing against the rules")
    assert AdminRecord.objects.get(action="flag_closed").target == f"flag:{first.pk}"
    assert "settled already" in act(client, "dismiss", first).content.decode()
    assert act(client, "dismiss", second)["Location"] == "/admin/games/flag/queue/"
    assert "No open reports" in client.get("/admin/games/flag/queue/").content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"reason": ""},
        {"reason": "no such chip"},
        {"reason": "", "note": "short"},
        {"hours": "5"},
        {"hours": ""},
    ],
)
def test_report_takes_no_mute_without_reason_and_length(kit: TownKit, fields: Any) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    assert act(staff(), "mute", **{"hours": "24", **fields}).status_code == 200
    assert not Mute.objects.exists()
    assert not AdminRecord.objects.exists()


def test_report_shows_what_was_done_about_the_author_before(kit: TownKit) -> None:
    for no in (7, 8):
        report(kit, kit.user_of(Role.DOCTOR), "town", no)
    first, second = Flag.objects.order_by("pk")
    client = staff()
    act(client, "mute", first, reason="Spam or advertising", hours=168)
    for flag in (first, second):
        shown = client.get(page(flag)).content.decode()
        assert "looker: user muted" in shown
        assert "Spam or advertising" in shown.partition("Past actions")[2].partition("<form")[0]
    assert f'<a href="{page(first)}">' in shown.partition("Other reports")[2]


def test_report_of_a_live_match_shows_no_reports_of_private_rooms_or_other_live_matches(
    kit: TownKit,
) -> None:
    agent, doctor = kit.user_of(Role.AGENT), kit.user_of(Role.DOCTOR)
    report(kit, kit.user_of(Role.MAFIOSO), "mafia", 1)
    kit.act(agent, kind="post", room="town", text="rude words")
    no = browser(doctor).get(address(kit)).json()["posts"][-1]["no"]
    report(kit, doctor, "town", no)
    private, public = Flag.objects.order_by("pk")
    flags.open_flag(flags.reported(doctor.pk, agent.pk, "a rude name", kit.now))
    named, client = Flag.objects.get(kind=Flag.Kind.REPORT), staff()
    act(client, "mute", private, hours=1)
    of_post = client.get(page(public)).content.decode().partition("Past actions")[2]
    of_name = client.get(page(named)).content.decode().partition("Past actions")[2]
    assert "rude words" in client.get(page(public)).content.decode()
    for told in (of_post, of_name):
        assert page(private) not in told
        assert "user muted" not in told
    assert page(named) in of_post
    assert page(public) not in of_name
    kit.end()
    of_name = client.get(page(named)).content.decode().partition("Past actions")[2]
    for flag in (private, public):
        assert page(flag) in of_name
    assert "user muted" in of_name


# Hiding --------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.both_databases
def test_hidden_post_is_hidden_wherever_it_is_read_and_the_journal_stays(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    flag = Flag.objects.get()
    client = staff()
    act(client, "hide", note="the first")
    record = AdminRecord.objects.get(action="post_hidden")
    assert (record.target, record.reason) == (
        f"flag:{flag.pk}",
        "Insults or harassment: the first",
    )
    flag.refresh_from_db()
    assert flag.note == "hidden: Insults or harassment: the first"
    for user in (None, kit.user_of(Role.CITIZEN), kit.user_of(Role.MAFIOSO)):
        read = browser(user).get(address(kit)).json()
        assert [post["no"] for post in read["posts"] if post["is_hidden"]] == read["hidden"] == [7]
        assert [post["text"] for post in read["posts"]][5:8] == ["line 6", "", "line 8"]
    # A viewer with the post on the screen learns of it with the next read of any posts.
    assert browser().get(f"{address(kit)}?after=12").json()["hidden"] == [7]
    log = browser().get(reverse("match_log", args=[kit.match.public_id])).content.decode()
    assert '"line 7"' not in log
    assert '"line 8"' in log
    assert "line 7" in client.get(page(flag)).content.decode()
    assert replay_match(kit.row).is_same
    kit.end()
    story = browser().get(reverse("mafia_story", args=[kit.match.public_id])).content.decode()
    assert story.count("An administrator has hidden this post.") == 1
    assert "line 7" not in story
    assert "line 8" in story
    log = browser().get(reverse("match_log", args=[kit.match.public_id])).content.decode()
    assert '"line 7"' not in log


@pytest.mark.plain
def test_hidden_post_can_be_shown_again(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    for name, verb in (("s0", "hide"), ("s1", "show")):
        act(staff(name), verb)
    assert HiddenPost.objects.count() == 0
    assert browser().get(address(kit)).json()["hidden"] == []
    assert AdminRecord.objects.filter(action="post_shown_again").count() == 1


@pytest.mark.plain
def test_hidden_posts_of_a_private_room_are_told_to_nobody_else(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), "mafia", 1)
    before = browser().get(address(kit)).content
    reports.hide(PostReport.objects.get())
    assert browser().get(address(kit)).content == before
    mine = browser(kit.user_of(Role.AGENT)).get(address(kit, "mafia")).json()
    assert mine["hidden"] == [1]


# Mutes ---------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.both_databases
def test_mute_stops_posts_and_chat_and_no_vote_and_is_recorded(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    author = PostReport.objects.get().author
    act(staff(), "mute", hours=24, hides="1")
    refused = kit.answer(author, kind="post", room="town", text="but I")
    assert refused.error is not None
    assert refused.error.code == "muted"
    kit.act(author, kind="vote", choice="none")
    kit.act(kit.user_of(Role.DOCTOR), kind="post", room="town", text="peace")
    with pytest.raises(Muted):
        chat.say(match_id=kit.match.pk, user_id=author.pk, room="town", text="x", action_id="a" * 9)
    record, flag = AdminRecord.objects.get(action="user_muted"), Flag.objects.get()
    assert (record.target, record.reason) == (f"flag:{flag.pk}", "Insults or harassment")
    assert json.loads(record.after)["length"] == "1 day"
    assert HiddenPost.objects.count() == 1
    assert flag.note == "muted for 1 day: Insults or harassment"
    kit.now += timedelta(days=1, seconds=1)
    require_voice(author.pk, kit.now)


@pytest.mark.parametrize(("room", "role"), [("mafia", Role.AGENT), ("town", Role.CITIZEN)])
def test_mute_names_nobody_until_the_match_is_over(kit: TownKit, room: str, role: Role) -> None:
    """A record that names the author of each public post would tell whose room is private."""
    report(kit, kit.user_of(Role.MAFIOSO), room, 1)
    flag, author = Flag.objects.get(), kit.user_of(role)
    clerk = staff("clerk", "accounts.view_user", "accounts.change_user")
    assert act(clerk, "mute", hours=1).status_code == 302
    mute, record = Mute.objects.get(), AdminRecord.objects.get(action="user_muted")
    assert (mute.user, record.target) == (author, f"flag:{flag.pk}")
    of_mute, of_author = f"/admin/games/mute/{mute.pk}/change/", f"/admin/accounts/user/{author.pk}"
    places = (
        "/admin/",
        "/admin/games/mute/",
        "/admin/games/flag/",
        "/admin/economy/adminrecord/",
        f"/admin/economy/adminrecord/{record.pk}/change/",
    )
    for place in places:
        assert author.username not in clerk.get(place).content.decode(), place
    assert "by clerk" not in clerk.get(f"{of_author}/change/").content.decode()
    assert clerk.get(of_mute).status_code == 302
    kit.end()
    for place in (*places, of_mute):
        assert author.username in clerk.get(place).content.decode(), place
    assert "by clerk" in clerk.get(f"{of_author}/change/").content.decode()


@pytest.mark.plain
def test_report_of_a_private_post_is_settled_unread_and_bans_nobody(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), "mafia", 1)
    clerk = staff("clerk", "accounts.view_user", "accounts.change_user")
    assert "you cannot ban from here" in act(clerk, "ban", days=7).content.decode()
    assert act(clerk, "mute", hours=1).status_code == 302
    told = clerk.get(page(Flag.objects.get())).content.decode()
    for secret in ("a secret plan", REASON, *(user.username for user in kit.people)):
        assert secret not in told


@pytest.mark.parametrize("hours", [1, 24, 168])
def test_mute_lasts_for_its_length_and_the_longest_counts(kit: TownKit, hours: int) -> None:
    author, chief = kit.people[0], kit.people[1]
    muting.mute(user_id=author.pk, by=chief, hours=hours, at=kit.now)
    muting.mute(user_id=author.pk, by=chief, hours=1, at=kit.now - timedelta(minutes=30))
    with pytest.raises(Muted) as refusal:
        require_voice(author.pk, kit.now)
    assert refusal.value.detail == {"seconds": hours * 3600}
    require_voice(author.pk, kit.now + timedelta(hours=hours))


def test_mute_is_given_by_name_and_ended_and_both_are_recorded(kit: TownKit) -> None:
    author, client = kit.people[0], staff()
    form = {"player": author.username.upper(), "hours": "168", "reason": REASON}
    assert client.post("/admin/games/mute/add/", {**form, "reason": "short"}).status_code == 200
    assert client.post("/admin/games/mute/add/", {**form, "player": "nobody"}).status_code == 200
    assert not Mute.objects.exists()
    reader = browser(administrator("reader", "games.view_flag"))
    assert reader.post("/admin/games/mute/add/", form).status_code == 403
    assert client.post("/admin/games/mute/add/", form).status_code == 302
    mute = Mute.objects.get()
    assert (mute.user, mute.until - mute.at) == (author, timedelta(days=7))
    unmute = f"/admin/games/mute/{mute.pk}/unmute/"
    assert reader.post(unmute, {"reason": REASON}).status_code == 403
    assert client.post(unmute, {"reason": REASON}).status_code == 302
    assert client.post(unmute, {"reason": REASON}).status_code == 200
    require_voice(author.pk)
    told = AdminRecord.objects.order_by("pk").values_list("action", "target")
    whom = f"user:{author.pk}"
    assert list(told) == [("user_muted", whom), ("user_unmuted", whom)]


# Bans and names ------------------------------------------------------------------------------


@pytest.mark.plain
def test_ban_from_the_queue_needs_its_permission_and_spares_superusers(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.DOCTOR), "town", 7)
    author = kit.user_of(Role.CITIZEN)
    assert act(staff("clerk"), "ban", days=7).status_code == 403
    client = staff("banner", "accounts.change_user")
    type(author).objects.filter(pk=author.pk).update(is_superuser=True)
    assert "you cannot ban" in act(client, "ban", days=7).content.decode()
    type(author).objects.filter(pk=author.pk).update(is_superuser=False)
    assert act(client, "ban", days=7).status_code == 302
    author.refresh_from_db()
    assert (author.is_active, author.banned_reason) == (False, "Insults or harassment")
    assert author.banned_until is not None
    assert Flag.objects.get().note == "banned: Insults or harassment"
    assert "banned already" in act(client, "ban", days=0).content.decode()


@pytest.mark.plain
def test_report_of_a_name_has_its_page_too(kit: TownKit) -> None:
    named, reporter = kit.people[:2]
    flags.open_flag(flags.reported(reporter.pk, named.pk, "a rude name", kit.now))
    client = staff("banner", "accounts.change_user")
    shown = client.get(page(Flag.objects.get())).content.decode()
    for told in (named.username, reporter.username, "a rude name"):
        assert told in shown
    assert 'value="hide"' not in shown
    assert "no post to hide" in act(client, "hide").content.decode()
    assert act(client, "mute", hours=1, reason="Offensive name").status_code == 302
    assert Mute.objects.get().user == named
    assert AdminRecord.objects.get(action="user_muted").target == f"user:{named.pk}"


# Long posts ----------------------------------------------------------------------------------


def send(kit: TownKit, user: Any, text: str, room: str = "town", **more: Any) -> Any:
    body = {"id": "a-long-post-1", "phase": kit.row.phase, "text": text, **more}
    return browser(user).post(
        address(kit, room),
        json.dumps(body, ensure_ascii=False).encode(),
        content_type="application/json",
    )


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


@pytest.mark.plain
def test_post_by_the_address_needs_a_log_in_and_a_csrf_token(kit: TownKit) -> None:
    assert code_of(send(kit, None, "hello")) == (401, "unauthenticated")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(kit.user_of(Role.CITIZEN))
    assert strict.post(address(kit), "{}", content_type="application/json").status_code == 403


@pytest.mark.plain
def test_post_by_the_address_under_a_used_id_is_a_conflict(kit: TownKit) -> None:
    citizen = kit.user_of(Role.CITIZEN)
    send(kit, citizen, "hello")
    assert code_of(send(kit, citizen, "other words")) == (409, "conflict")


def test_report_of_a_live_match_is_answered_by_a_warning_that_no_list_tells(kit: TownKit) -> None:
    report(kit, kit.user_of(Role.MAFIOSO), "mafia", 1)
    agent, client = kit.user_of(Role.AGENT), staff("looker", "accounts.view_user")
    assert act(client, "rename").status_code == 403
    assert act(client, "warn").status_code == 302
    assert AdminRecord.objects.get(action="user_warned").target == f"flag:{Flag.objects.get().pk}"
    person = f"/admin/accounts/user/{agent.pk}/change/"
    told = "warning · by looker"
    assert told not in client.get(person).content.decode()
    with pytest.raises(IllegalAction) as refusal:
        kit.act(agent, kind="post", room="town", text="me again")
    assert refusal.value.code == "message_unread"
    kit.end()
    assert told in client.get(person).content.decode()
