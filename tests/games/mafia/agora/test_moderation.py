import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from economy.models import AdminRecord
from games.engine.errors import IllegalAction
from games.mafia.agora.rules.roles import Role
from games.matches.journal.replay import replay_match
from games.matches.models import Flag, HiddenPost, Mute, PostReport
from games.moderation import flags, muting, reports
from games.posts import chat
from games.posts.chat import require_voice
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.match_kit import new_user
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

REASON = "this is an insult to the town"


@pytest.fixture
def kit() -> TownKit:
    """A town of nine on its first day: twelve posts in the town, one in the mafia's room."""
    kit = town(9, phase_seconds=600)
    kit.act(kit.user_of(Role.AGENT), kind="post", room="mafia", text="a secret plan")
    kit.run_out()
    for no in range(1, 13):
        kit.act(kit.user_of(Role.CITIZEN), kind="post", room="town", text=f"line {no}")
    return kit


def address(kit: TownKit, room: str = "town") -> str:
    return reverse("mafia_posts", args=[kit.match.public_id, room])


def report(kit: TownKit, user: Any, room: str, no: int, reason: str = REASON) -> Any:
    url = reverse("mafia_report", args=[kit.match.public_id, room, no])
    return browser(user).post(url, {"reason": reason})


def reported(kit: TownKit, room: str = "town", no: int = 7) -> Flag:
    reporter = kit.user_of(Role.DOCTOR if room == "town" else Role.MAFIOSO)
    assert report(kit, reporter, room, no).json() == {"reported": True}
    return Flag.objects.latest("pk")


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def page(flag: Flag) -> str:
    return f"/admin/games/flag/{flag.pk}/change/"


def read(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def act(client: Client, verb: str, flag: Flag | None = None, **fields: Any) -> Any:
    """Press a button of a report's page, with a reason unless the fields have another."""
    form = {"verb": verb, "reason": "Insults or harassment", **fields}
    return client.post(page(flag or Flag.objects.get()), form)


def staff(name: str = "looker", *more: str) -> Client:
    wanted = ("games.view_flag", "games.change_flag", *more)
    return browser(administrator(name, *wanted))


def promoted(user: Any) -> Client:
    type(user).objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    return browser(user)


@pytest.mark.both_databases
def test_report_of_a_post_is_one_flag_that_tells_no_room_and_nobody(kit: TownKit) -> None:
    agent, mafioso = kit.user_of(Role.AGENT), kit.user_of(Role.MAFIOSO)
    assert reported(kit, "mafia", 1) == reported(kit, "mafia", 1)
    flag = Flag.objects.get()
    assert list(flag.users.all()) == []
    assert json.loads(flag.detail) == {"match": kit.match.title}
    assert "mafia" not in f"{flag} {flag.key} {flag.detail}".lower()
    stored = PostReport.objects.get()
    assert (stored.author, stored.by, stored.reason) == (agent, mafioso, REASON)
    seen = read(staff(), page(flag))
    for secret in (agent.username, mafioso.username, "a secret plan", REASON):
        assert secret not in seen


@pytest.mark.plain
def test_report_is_for_whoever_may_read_the_post_and_says_why(kit: TownKit) -> None:
    citizen, doctor = kit.user_of(Role.CITIZEN), kit.user_of(Role.DOCTOR)
    assert code_of(report(kit, doctor, "mafia", 1)) == (404, "not_found")
    assert report(kit, doctor, "mafia", 1).content == report(kit, doctor, "nowhere", 1).content
    numbers = (0, 13, 10**7, 2**63, 10**30)
    for no in numbers:
        assert code_of(report(kit, doctor, "town", no)) == (404, "not_found")
    for reason in ("  ", "\x07\u202e "):
        assert code_of(report(kit, doctor, "town", 1, reason)) == (400, "bad_field")
    assert code_of(report(kit, None, "town", 1)) == (401, "unauthenticated")
    assert Flag.objects.count() == 0
    assert report(kit, new_user(), "town", 1, "a\x07b\u200bc" + "d" * 600).status_code == 200
    assert PostReport.objects.get().reason == "abc" + "d" * 497, "what can be seen"
    assert (report(kit, citizen, "town", 2).status_code, Flag.objects.count()) == (200, 2)
    kit.end()
    for no in numbers:
        assert code_of(report(kit, doctor, "town", no)) == (404, "not_found")


def test_report_is_of_what_one_reads_and_so_often_a_day(kit: TownKit, monkeypatch: Any) -> None:
    monkeypatch.setattr(reports, "MOST_A_DAY", 2)
    answers = [report(kit, kit.user_of(Role.DOCTOR), "town", no) for no in (1, 2, 3, 4)]
    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    assert [code_of(answer) for answer in answers[2:]] == [(409, "limit")] * 2
    mafioso, agent = kit.user_of(Role.MAFIOSO), kit.user_of(Role.AGENT)
    kit.act(agent, kind="leave")
    kit.act(mafioso, kind="post", room="mafia", text="he is gone")
    answers = [report(kit, agent, "mafia", no) for no in (1, 2)]
    assert [answer.status_code for answer in answers] == [200, 404], "nothing after death"


def test_report_shows_the_post_with_those_around_it_its_people_and_the_reason(kit: TownKit) -> None:
    flag, client = reported(kit), staff("looker", "accounts.view_user")
    answer = client.get("/admin/games/flag/queue/", follow=True)
    assert answer.redirect_chain[-1][0] == page(flag)
    menu = [item for group in answer.context["sidebar_navigation"] for item in group["items"]]
    assert [item["title"] for item in menu if item["active"]] == ["Reports"]
    shown = answer.content.decode()
    assert ">line 7</p>" in shown.partition('class="reported"')[2][:300]
    assert [f">line {no}<" in shown for no in (1, 2, 12)] == [False, True, True]
    author, reporter = kit.user_of(Role.CITIZEN), kit.user_of(Role.DOCTOR)
    for user in (author, reporter):
        assert f'<a href="/admin/accounts/user/{user.pk}/change/">{user.username}</a>' in shown
    assert REASON in shown
    # A mute takes a reason and a length.
    short = {"reason": "", "note": "short"}
    for wrong in ({"reason": ""}, {"reason": "no such chip"}, short, {"hours": 5}, {"hours": ""}):
        assert act(client, "mute", flag, **{"hours": 24, **wrong}).status_code == 200
    assert Mute.objects.count() == AdminRecord.objects.count() == 0
    shown = read(browser(administrator("reader", "games.view_flag")), page(flag))
    for kept in ("line 7", REASON, "Past actions", author.username):
        assert kept not in shown


def test_report_of_a_private_room_is_a_look_and_keeps_the_looker_out(kit: TownKit) -> None:
    flag, agent = reported(kit, "mafia", 1), kit.user_of(Role.AGENT)
    clerk = staff("clerk")
    assert act(clerk, "look").status_code == 403
    shown = read(clerk, page(flag))
    for secret in ("a secret plan", REASON, agent.username):
        assert secret not in shown
    looker = administrator("looker", "games.view_flag", "games.change_flag", "economy.unmask_match")
    shown = act(browser(looker), "look", reason="").content.decode()
    for told in ("a secret plan", agent.username, REASON):
        assert told in shown
    assert AdminRecord.objects.get(action="match_unmasked").actor_name == "looker"
    # Each look is recorded, so that the page alone shows nothing to who has looked.
    assert "a secret plan" not in read(browser(looker), page(flag))
    with pytest.raises(IllegalAction) as refusal:
        kit.act(looker, kind="sit", seat=0)
    assert refusal.value.code == "forbidden"
    # When the game is over nothing of it is private any more, and the look is told.
    kit.end()
    assert "looker (admin) looked at the hidden state" in kit.view()["log"][-1]["text"]
    assert "a secret plan" in read(staff("other"), page(flag))


def test_report_is_not_handled_by_who_plays_or_whom_it_is_about(kit: TownKit) -> None:
    public, private = reported(kit, no=1), reported(kit, "mafia", 1)
    player, author = promoted(kit.user_of(Role.DOCTOR)), kit.user_of(Role.CITIZEN)
    for flag in (public, private):
        answers = [
            act(player, verb, flag, hours=24, days=7)
            for verb in ("look", "dismiss", "hide", "show", "mute", "ban")
        ]
        for answer in (*answers, player.get(page(flag))):
            told = answer.content.decode()
            assert "you play here" in told
            for secret in (REASON, "line 1", "a secret plan", "Spectators do not read"):
                assert secret not in told
    kit.end()
    assert "you play here" not in read(player, page(public)) + read(player, page(private))
    told = act(promoted(author), "dismiss", public).content.decode()
    assert "it is about you" in told
    assert REASON not in told
    for model in (HiddenPost, Mute, AdminRecord):
        assert not model.objects.exists()
    assert Flag.objects.filter(closed_at=None).count() == 2


@pytest.mark.plain
def test_report_is_settled_with_one_press_and_the_next_one_follows(kit: TownKit) -> None:
    first, second, third = (reported(kit, no=no) for no in (7, 8, 9))
    client = staff()
    assert act(client, "dismiss", first, reason="")["Location"] == page(second)
    first.refresh_from_db()
    assert (str(first.closed_by), first.note) == ("looker", "dismissed: Nothing against the rules")
    assert AdminRecord.objects.get(action="flag_closed").target == f"flag:{first.pk}"
    assert "settled already" in act(client, "dismiss", first).content.decode()
    # A mute is shown with the author's other reports.
    act(client, "mute", second, reason="Spam or advertising", hours=168)
    for flag in (second, third):
        shown = read(client, page(flag))
        assert "looker: user muted" in shown
        assert "Spam or advertising" in shown.partition("Past actions")[2].partition("<form")[0]
    assert f'<a href="{page(second)}">' in shown.partition("Other reports")[2]
    assert act(client, "dismiss", third)["Location"] == "/admin/games/flag/queue/"
    assert "No open reports" in read(client, "/admin/games/flag/queue/")


def test_report_of_a_live_match_shows_none_of_private_rooms_or_others(kit: TownKit) -> None:
    agent, doctor = kit.user_of(Role.AGENT), kit.user_of(Role.DOCTOR)
    private = reported(kit, "mafia", 1)
    kit.act(agent, kind="post", room="town", text="rude words")
    public = reported(kit, no=13)
    flags.open_flag(flags.reported(doctor.pk, agent.pk, "a rude name", kit.now))
    named, client = Flag.objects.get(kind=Flag.Kind.REPORT), staff()
    act(client, "mute", private, hours=1)
    of_post, of_name = (read(client, page(each)) for each in (public, named))
    assert "rude words" in of_post
    of_post, of_name = (each.partition("Past actions")[2] for each in (of_post, of_name))
    for told in (of_post, of_name):
        assert page(private) not in told
        assert "user muted" not in told
    assert page(named) in of_post
    assert page(public) not in of_name
    kit.end()
    of_name = read(client, page(named)).partition("Past actions")[2]
    for told in (page(private), page(public), "user muted"):
        assert told in of_name


@pytest.mark.plain
@pytest.mark.both_databases
def test_hidden_post_is_hidden_wherever_it_is_read_until_it_is_shown(kit: TownKit) -> None:
    flag, client = reported(kit), staff()
    act(client, "hide", note="the first")
    record = AdminRecord.objects.get(action="post_hidden")
    why = "Insults or harassment: the first"
    assert (record.target, record.reason) == (f"flag:{flag.pk}", why)
    flag.refresh_from_db()
    assert flag.note == f"hidden: {why}"
    for user in (None, kit.user_of(Role.CITIZEN), kit.user_of(Role.MAFIOSO)):
        shown = browser(user).get(address(kit)).json()
        hidden = [post["no"] for post in shown["posts"] if post["is_hidden"]]
        assert hidden == shown["hidden"] == [7]
        assert [post["text"] for post in shown["posts"]][5:8] == ["line 6", "", "line 8"]
    # A viewer with the post on the screen learns of it with the next read of any posts.
    assert browser().get(f"{address(kit)}?after=12").json()["hidden"] == [7]
    log_at = reverse("match_log", args=[kit.match.public_id])
    log = read(browser(), log_at)
    assert ('"line 7"' in log, '"line 8"' in log) == (False, True)
    assert "line 7" in read(client, page(flag))
    assert replay_match(kit.row).is_same
    kit.end()
    story = read(browser(), reverse("mafia_story", args=[kit.match.public_id]))
    assert story.count("An administrator has hidden this post.") == 1
    assert ("line 7" in story, "line 8" in story) == (False, True)
    assert '"line 7"' not in read(browser(), log_at)
    act(staff("another"), "show")
    assert HiddenPost.objects.count() == 0
    assert browser().get(address(kit)).json()["hidden"] == []
    assert AdminRecord.objects.filter(action="post_shown_again").count() == 1


@pytest.mark.plain
@pytest.mark.both_databases
def test_mute_stops_posts_and_chat_and_no_vote_and_is_recorded(kit: TownKit) -> None:
    flag = reported(kit)
    author = PostReport.objects.get().author
    act(staff(), "mute", hours=24, hides="1")
    assert kit.answer(author, kind="post", room="town", text="but I").error.code == "muted"
    kit.act(author, kind="vote", choice="none")
    kit.act(kit.user_of(Role.DOCTOR), kind="post", room="town", text="peace")
    line = {"match_id": kit.match.pk, "room": "town", "text": "x", "action_id": "a" * 9}
    with refuses("muted"):
        chat.say(user_id=author.pk, **line)
    record = AdminRecord.objects.get(action="user_muted")
    assert (record.target, record.reason) == (f"flag:{flag.pk}", "Insults or harassment")
    assert (json.loads(record.after)["length"], HiddenPost.objects.count()) == ("1 day", 1)
    flag.refresh_from_db()
    assert flag.note == "muted for 1 day: Insults or harassment"
    kit.now += timedelta(days=1, seconds=1)
    require_voice(author.pk, kit.now)


@pytest.mark.parametrize(("room", "role"), [("mafia", Role.AGENT), ("town", Role.CITIZEN)])
def test_mute_names_nobody_until_the_match_is_over(kit: TownKit, room: str, role: Role) -> None:
    """A record that names the author of each public post would tell whose room is private."""
    flag, author = reported(kit, room, 1), kit.user_of(role)
    clerk = staff("clerk", "accounts.view_user", "accounts.change_user")
    assert act(clerk, "mute", hours=1).status_code == 302
    mute, record = Mute.objects.get(), AdminRecord.objects.get(action="user_muted")
    assert (mute.user, record.target) == (author, f"flag:{flag.pk}")
    of_mute = f"/admin/games/mute/{mute.pk}/change/"
    of_author = f"/admin/accounts/user/{author.pk}/change/"
    records = "/admin/economy/adminrecord/"
    lists = ("/admin/", "/admin/games/mute/", "/admin/games/flag/", records)
    places = (*lists, f"{records}{record.pk}/change/")
    for place in places:
        assert author.username not in read(clerk, place), place
    assert "by clerk" not in read(clerk, of_author)
    assert clerk.get(of_mute).status_code == 302
    kit.end()
    for place in (*places, of_mute):
        assert author.username in read(clerk, place), place
    assert "by clerk" in read(clerk, of_author)


def test_mute_is_given_by_name_and_ended_and_both_are_recorded() -> None:
    author, client, adding = new_user(), staff(), "/admin/games/mute/add/"
    form = {"player": author.username.upper(), "hours": "168", "reason": REASON}
    for wrong in ({"reason": "short"}, {"player": "nobody"}):
        assert client.post(adding, {**form, **wrong}).status_code == 200
    assert not Mute.objects.exists()
    reader = browser(administrator("reader", "games.view_flag"))
    assert reader.post(adding, form).status_code == 403
    assert client.post(adding, form).status_code == 302
    mute = Mute.objects.get()
    assert (mute.user, mute.until - mute.at) == (author, timedelta(days=7))
    unmute = f"/admin/games/mute/{mute.pk}/unmute/"
    answers = [each.post(unmute, {"reason": REASON}) for each in (reader, client, client)]
    assert [answer.status_code for answer in answers] == [403, 302, 200]
    require_voice(author.pk)
    told = AdminRecord.objects.order_by("pk").values_list("action", "target")
    whom = f"user:{author.pk}"
    assert list(told) == [("user_muted", whom), ("user_unmuted", whom)]
    # It lasts for its length, and the longest counts.
    now, chief = timezone.now(), new_user()
    for hours in (1, 24, 168):
        muting.mute(user_id=author.pk, by=chief, hours=hours, at=now)
        muting.mute(user_id=author.pk, by=chief, hours=1, at=now - timedelta(minutes=30))
        with refuses("muted") as refusal:
            require_voice(author.pk, now)
        assert refusal.value.detail == {"seconds": hours * 3600}
        require_voice(author.pk, now + timedelta(hours=hours))


def test_ban_from_the_queue_needs_its_permission_and_spares_superusers(kit: TownKit) -> None:
    flag, private = reported(kit), reported(kit, "mafia", 1)
    author = kit.user_of(Role.CITIZEN)
    assert act(staff("clerk"), "ban", flag, days=7).status_code == 403
    client = staff("banner", "accounts.view_user", "accounts.change_user")
    # One of a private post is settled unread, and bans nobody.
    assert "you cannot ban from here" in act(client, "ban", private, days=7).content.decode()
    assert act(client, "mute", private, hours=1).status_code == 302
    told = read(client, page(private))
    for secret in ("a secret plan", REASON, *(user.username for user in kit.people)):
        assert secret not in told
    for is_superuser, status in ((True, 200), (False, 302)):
        type(author).objects.filter(pk=author.pk).update(is_superuser=is_superuser)
        answer = act(client, "ban", flag, days=7)
        assert answer.status_code == status
        assert ("you cannot ban" in answer.content.decode()) == is_superuser
    author.refresh_from_db()
    assert (author.is_active, author.banned_reason) == (False, "Insults or harassment")
    assert author.banned_until is not None
    flag.refresh_from_db()
    assert flag.note == "banned: Insults or harassment"
    assert "banned already" in act(client, "ban", flag, days=0).content.decode()


@pytest.mark.plain
def test_report_of_a_name_has_its_page_too() -> None:
    named, reporter = new_user(), new_user()
    flags.open_flag(flags.reported(reporter.pk, named.pk, "a rude name", timezone.now()))
    client = staff("banner", "accounts.change_user")
    shown = read(client, page(Flag.objects.get()))
    for told in (named.username, reporter.username, "a rude name"):
        assert told in shown
    assert 'value="hide"' not in shown
    assert "no post to hide" in act(client, "hide").content.decode()
    assert act(client, "mute", hours=1, reason="Offensive name").status_code == 302
    assert Mute.objects.get().user == named
    assert AdminRecord.objects.get(action="user_muted").target == f"user:{named.pk}"


def test_report_of_a_live_match_is_answered_by_a_warning_that_no_list_tells(kit: TownKit) -> None:
    flag, agent = reported(kit, "mafia", 1), kit.user_of(Role.AGENT)
    client = staff("looker", "accounts.view_user")
    assert act(client, "rename").status_code == 403
    assert act(client, "warn").status_code == 302
    assert AdminRecord.objects.get(action="user_warned").target == f"flag:{flag.pk}"
    person, told = f"/admin/accounts/user/{agent.pk}/change/", "warning · by looker"
    assert told not in read(client, person)
    with pytest.raises(IllegalAction) as refusal:
        kit.act(agent, kind="post", room="town", text="me again")
    assert refusal.value.code == "message_unread"
    kit.end()
    assert told in read(client, person)


@pytest.mark.plain
def test_post_by_the_address_is_refused_with_a_code_and_changes_nothing(kit: TownKit) -> None:
    citizen, before = kit.user_of(Role.CITIZEN), kit.row.action_count

    def send(text: str, room: str = "town", user: Any = citizen, **more: Any) -> tuple[int, str]:
        body = {"id": "a-long-post-1", "phase": kit.row.phase, "text": text, **more}
        raw = json.dumps(body, ensure_ascii=False).encode()
        where, how = address(kit, room), {"content_type": "application/json"}
        answer = browser(user).post(where, raw, **how)
        return (200, "") if answer.status_code == 200 else code_of(answer)

    assert send("x" * 4_001) == (409, "bad_field")
    assert send("   ") == (409, "action/blank_post")
    assert send("hello", "mafia") == send("hello", "nowhere") == (409, "action/room_closed")
    assert send("hello", phase=1) == (409, "stale")
    assert send("hello", seat=3) == send("hello", id="x") == (409, "bad_field")
    assert send("x" * 20_480) == (413, "too_big")
    assert send("hello", user=None) == (401, "unauthenticated")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(citizen)
    assert strict.post(address(kit), "{}", content_type="application/json").status_code == 403
    assert kit.row.action_count == before
    assert [send("hello"), send("other words")] == [(200, ""), (409, "conflict")]
