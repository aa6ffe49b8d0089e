import json
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin import site
from django.urls import reverse

from accounts.models import User
from economy.selectors import balance_of
from games.mafia.agora.rules.roles import Role
from games.mafia.common.posts import PAGE
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match
from games.matches.queries import selectors
from games.moderation.admin import MatchAdmin
from games.posts import chat
from tests.accounts.kit import browser
from tests.games.journal_kit import facts_of
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.mafia.common.secrecy import bytes_of, everything
from tests.games.match_kit import new_user
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

ROOMS = ("town", "mafia", "dead", "table", "spectators", "nowhere")


def address(kit: TownKit, name: str, *more: str) -> str:
    return reverse(name, args=[kit.match.public_id, *more])


def posts_of(kit: TownKit, user: User | None, room: str = "town", **query: int) -> dict[str, Any]:
    response = browser(user).get(address(kit, "mafia_posts", room), query)
    assert response.status_code == 200
    return dict(response.json())


def texts(page: dict[str, Any]) -> list[str]:
    return [post["text"] for post in page["posts"]]


def with_posts(kit: TownKit, count: int) -> None:
    for no in range(1, count + 1):
        text = f'post {no} {{"kind":"post"}} é'
        kit.act(kit.people[no % len(kit.people)], kind="post", room="town", text=text)
        if no % 9 == 0:
            kit.act(kit.user_of(Role.MAFIOSO), kind="post", room="mafia", text="between")


@pytest.mark.plain
@pytest.mark.both_databases
def test_agora_pages_open_for_guests_and_users_and_the_form_tells_the_roles() -> None:
    for client in (browser(), browser(new_user())):
        for name in ("mafia", "rules_agora"):
            response = client.get(reverse(name))
            assert response.status_code == 200
            assert "unsafe" not in response["Content-Security-Policy"]
    page = browser(new_user()).get(reverse("mafia_new"), {"setup": "agora"})
    casts = page.context["casts"]
    assert list(casts) == list(range(5, 18))
    roles = "2 ordinary citizens, 1 doctor, 1 sheriff, 1 detective, 1 mafioso and"
    assert casts[7].startswith(roles)
    assert "Rated from 5 people and phases of 10 minutes" in page.content.decode()


@pytest.mark.both_databases
def test_agora_posts_are_read_in_pages_newest_first_and_what_is_new() -> None:
    kit = town(5)
    kit.run_out()
    with_posts(kit, PAGE + 5)

    def numbers(**query: int) -> list[int]:
        return [post["no"] for post in posts_of(kit, None, **query)["posts"]]

    newest = posts_of(kit, None)
    assert (newest["last"], numbers()) == (PAGE + 5, list(range(6, PAGE + 6)))
    sixth = {"no": 6, "seat": 1, "name": kit.people[1].username, "phase": 2}
    sixth |= {"text": 'post 6 {"kind":"post"} é', "is_hidden": False, "is_will": False}
    assert newest["posts"][0] == {**sixth, "at": newest["posts"][0]["at"]}
    assert (newest["hidden"], numbers(before=6)) == ([], [1, 2, 3, 4, 5])
    assert numbers(before=1) == numbers(after=PAGE + 5) == []
    assert numbers(after=PAGE + 3) == [PAGE + 4, PAGE + 5]
    assert numbers(after=1) == list(range(2, PAGE + 2))
    assert numbers(before=PAGE, after=PAGE - 3) == [PAGE - 2, PAGE - 1]
    for query in ("before=0", "before=x", "after=-1", "after=9999999999999", "before=²"):
        response = browser().get(f"{address(kit, 'mafia_posts', 'town')}?{query}")
        assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_field")


def test_agora_posts_of_a_private_room_end_with_ones_death_and_are_none_for_others() -> None:
    kit = town(9, last_wills=True)
    one, other = (kit.people[c.no] for c in kit.play.citizens if c.role == Role.MAFIOSO)
    doctor = kit.user_of(Role.DOCTOR)
    kit.act(one, kind="post", room="mafia", text="the doctor?")
    kit.act(doctor, kind="write_will", text="I am the doctor.")
    for user in (None, new_user(), doctor):
        (answer,) = {
            bytes_of(browser(user), address(kit, "mafia_posts", room))
            for room in ("mafia", "dead", "spectators", "nowhere")
        }
        status, cache, body = answer
        assert (status, cache) == (404, "no-store, private")
        assert json.loads(body)["error"]["code"] == "not_found"
    kit.act(one, kind="choose", target=kit.people.index(other))
    kit.run_out()
    kit.act(one, kind="post", room="mafia", text="sorry")
    kit.act(other, kind="post", room="dead", text="cold here")
    said = ["the doctor?", "sorry"]
    assert texts(posts_of(kit, one, "mafia")) == said
    dead = posts_of(kit, other, "mafia")
    assert (dead["last"], texts(dead)) == (1, ["the doctor?"])
    assert posts_of(kit, other, "mafia", after=1)["posts"] == []
    assert texts(posts_of(kit, kit.user_of(Role.AGENT), "mafia")) == said
    assert texts(posts_of(kit, other, "dead")) == ["cold here"]
    for user in (None, doctor):
        assert browser(user).get(address(kit, "mafia_posts", "dead")).status_code == 404
    kit.end()
    assert texts(posts_of(kit, None, "mafia")) == said, "once it is over all are for everybody"


@pytest.mark.plain
def test_agora_posts_before_the_start_or_of_a_game_that_one_may_not_watch_are_not_there() -> None:
    forming = TownKit(new_user(), seats=5)
    assert browser().get(address(forming, "mafia_posts", "town")).status_code == 404
    kit = town(5, spectators=False)
    for path in (address(kit, "mafia_posts", "town"), address(kit, "mafia_votes")):
        assert browser(new_user()).get(path).status_code == 404
        assert browser(kit.people[0]).get(path).status_code == 200


@pytest.mark.plain
@pytest.mark.both_databases
def test_agora_votes_are_told_day_by_day_with_every_change_their_time_and_place() -> None:
    kit = town(7)
    kit.run_out()
    with_posts(kit, 2)
    kit.act(kit.people[0], kind="vote", choice=1)
    with_posts(kit, 1)
    kit.act(kit.people[0], kind="vote", choice=None)
    for user in kit.people[1:5]:
        kit.act(user, kind="vote", choice="none")
    kit.run_out()
    kit.act(kit.people[2], kind="vote", choice=3)
    kit.act(kit.people[0], kind="vote", choice=5)
    leaver = kit.people.index(kit.user_of(Role.CITIZEN))
    kit.act(kit.people[leaver], kind="leave")
    first, second = browser().get(address(kit, "mafia_votes")).json()["days"]
    assert (first["round"], first["is_over"], first["needed"]) == (1, True, 4)
    assert first["living"] == second["living"] == list(range(7))
    shown = [(cast["seat"], cast["choice"], cast["after"]) for cast in first["cast"]]
    assert shown == [(0, 1, 2), (0, None, 3), *((seat, "none", 3) for seat in (1, 2, 3, 4))]
    assert (second["round"], second["is_over"]) == (2, False)
    gone = next(cast for cast in second["cast"] if cast["is_death"])
    assert (gone["seat"], gone["needed"]) == (leaver, 4)
    assert all(cast["at"].endswith("Z") for cast in (*first["cast"], *second["cast"]))


def test_agora_what_others_do_in_secret_changes_no_byte_of_ones_pages() -> None:
    kit = town(7, last_wills=True)
    mafioso, sheriff, doctor = map(kit.user_of, (Role.MAFIOSO, Role.SHERIFF, Role.DOCTOR))
    watchers = (None, kit.user_of(Role.CITIZEN), kit.user_of(Role.DETECTIVE))

    def shown() -> list[Any]:
        own = [everything(user, kit.match, ROOMS) for user in watchers]
        return [*own, selectors.lobby(), kit.row.public_count, kit.row.summary]

    before, target = shown(), kit.people.index(doctor)
    kit.act(mafioso, kind="post", room="mafia", text="a canary of the mafia")
    kit.act(mafioso, kind="choose", target=target)
    kit.act(kit.user_of(Role.AGENT), kind="choose", target=1)
    kit.act(doctor, kind="choose", target=target)
    kit.act(sheriff, kind="write_will", text="I am the sheriff.")
    for user in kit.people:
        if user not in watchers:
            kit.act(user, kind="done")
    assert Entry.objects.filter(match=kit.match, action__contains="canary").count() == 1
    assert shown() == before
    assert "canary" not in json.dumps([kit.view(user) for user in [None, *kit.people]])
    kit.run_out()
    events = browser(doctor).get(address(kit, "match_log")).json()["events"]
    kinds = [event["kind"] for event in events]
    assert kinds[-3:] == ["night_began", "nobody_died", "day_began"]
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert {"role_dealt", "target_chosen", "posted", "saved_by_doctor"}.isdisjoint(kinds)
    assert len(facts_of(kit.row, "saved_by_doctor")) == 1


@pytest.mark.plain
@pytest.mark.both_databases
def test_agora_a_game_is_played_by_people_to_its_end_replays_the_same_and_is_told() -> None:
    kit = town(5, phase_seconds=60)
    mafioso, sheriff, victim = map(kit.user_of, (Role.MAFIOSO, Role.SHERIFF, Role.CITIZEN))
    target = kit.people.index(mafioso)
    kit.act(mafioso, kind="choose", target=kit.people.index(victim))
    kit.act(sheriff, kind="choose", target=target)
    kit.act(mafioso, kind="post", room="mafia", text="alone <i>again</i>")
    for user in kit.people:
        kit.act(user, kind="done")
    assert kit.view()["due_at"] > kit.row.due_at.isoformat(timespec="milliseconds")
    kit.run_out()
    shown = kit.view()["game"]
    assert (shown["stage"], shown["last_night"]["killed"]) == ("day", kit.people.index(victim))
    kit.act(sheriff, kind="post", room="town", text="I have a file")
    kit.lynch_the_mafioso()
    row = kit.row
    assert row.status == Match.Status.OVER
    assert Counter(seat.result for seat in row.seats.all()) == {"won": 4, "lost": 1}
    assert replay_match(row).is_same
    # Nights and days of a minute are not rated: nobody's points have moved.
    assert len(facts_of(row, "award_earned")) == 4
    assert {balance_of(user.pk) for user in kit.people} == {100}
    response = browser().get(address(kit, "mafia_story"))
    assert response["Cache-Control"] == "no-store, private"
    chapters = response.context["chapters"]
    assert [chapter.title for chapter in chapters] == ["The deal", "Night 1", "Day 1"]
    words = "\n".join(line.text for chapter in chapters for line in chapter.lines)
    assert f"The file on {mafioso.username} says: MAFIA." in words
    assert f"{mafioso.username} is lynched." in words
    assert "alone <i>again</i>" in words
    assert "alone &lt;i&gt;again&lt;/i&gt;" in response.content.decode()
    assert response.context["headline"] == "The town wins"
    sides = {fate["name"]: fate["look"] for fate in response.context["fates"]}
    assert (sides.pop(mafioso.username), set(sides.values())) == ("mafia", {"town"})


def test_agora_the_hidden_end_stands_in_no_view_of_anybody_nor_in_the_admin() -> None:
    kit = town(5, phase_seconds=600)
    office, public = MatchAdmin(Match, site), kit.view()
    before, runs_until = kit.view(kit.people[0]), office.runs_until(kit.row)
    for user in kit.people:
        kit.act(user, kind="done")
    after = kit.view(kit.people[0])
    assert (kit.view(), {**before, "game": None}) == (public, {**after, "game": None})
    old, new = before["game"]["you"], after["game"]["you"]
    assert {key for key in old if new[key] != old[key]} - {"fill"} == {"is_done", "may"}
    row = kit.row
    assert row.due_at < kit.now + timedelta(seconds=61)
    assert row.due_at < runs_until == office.runs_until(row)
    assert "due_at" not in office.fields


def test_agora_no_seat_chats() -> None:
    kit = town(7, phase_seconds=600)

    def say(user: Any, room: str) -> chat.Line:
        line = {"room": room, "text": "hello", "action_id": f"say-{room}"}
        return chat.say(match_id=kit.match.pk, user_id=user.pk, **line)

    for room in ("town", "mafia", "dead", "table", "spectators"):
        with refuses("forbidden", match="not a room"):
            say(kit.people[0], room)
    assert say(new_user(), "spectators").no == 1
