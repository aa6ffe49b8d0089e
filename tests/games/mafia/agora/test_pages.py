"""The pages of a town: who may see what, what is read in pages, and what no byte may tell."""

import json
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.mafia.agora.rules.roles import Role
from games.mafia.common.queries import PAGE
from games.matches.models import Entry, Match
from tests.accounts.kit import browser
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.mafia.common.secrecy import bytes_of, everything
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

ROOMS = ("town", "mafia", "dead", "table", "spectators", "nowhere")


def posts_of(user: User | None, match: Match, room: str = "town", **query: int) -> dict[str, Any]:
    """Return a page of posts."""
    path = reverse("mafia_posts", args=[match.public_id, room])
    response = browser(user).get(path, query)
    assert response.status_code == 200
    body: dict[str, Any] = response.json()
    return body


def numbers(page: dict[str, Any]) -> list[int]:
    return [post["no"] for post in page["posts"]]


def at_day(kit: TownKit) -> TownKit:
    """End the first night, in which nobody chooses."""
    kit.run_out()
    return kit


def with_posts(kit: TownKit, count: int) -> None:
    for no in range(1, count + 1):
        text = f'post {no} {{"kind":"post"}} é'
        kit.act(kit.people[no % len(kit.people)], kind="post", room="town", text=text)
        if no % 9 == 0:
            kit.act(kit.user_of(Role.MAFIOSO), kind="post", room="mafia", text="between")


def kill(kit: TownKit, victim: User) -> None:
    """Kill somebody by the mafia in the current night."""
    kit.act(kit.user_of(Role.MAFIOSO), kind="choose", target=kit.people.index(victim))
    kit.run_out()


def finish(kit: TownKit) -> Match:
    """End the game: the town of five lynches its only mafioso."""
    mafioso = kit.people.index(kit.user_of(Role.MAFIOSO))
    for user in kit.alive[:3]:
        kit.act(user, kind="vote", choice=mafioso)
    return kit.row


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["mafia", "rules_agora"])
def test_agora_page_opens_for_guests_and_users(name: str) -> None:
    for client in (browser(), browser(new_user())):
        response = client.get(reverse(name))
        assert response.status_code == 200
        assert "unsafe" not in response["Content-Security-Policy"]


@pytest.mark.plain
def test_agora_form_tells_the_roles_for_each_number_of_players_and_when_games_are_rated() -> None:
    page = browser(new_user()).get(reverse("mafia_new"), {"setup": "agora"})
    casts = page.context["casts"]
    assert list(casts) == list(range(5, 18))
    roles = "2 ordinary citizens, 1 doctor, 1 sheriff, 1 detective, 1 mafioso and"
    assert casts[7].startswith(roles)
    assert "Rated from 5 people and phases of 10 minutes" in page.content.decode()


@pytest.mark.both_databases
def test_agora_posts_are_read_in_pages_newest_first_and_what_is_new() -> None:
    kit = at_day(town(5))
    with_posts(kit, PAGE + 5)
    newest = posts_of(None, kit.match)
    assert (newest["last"], numbers(newest)) == (PAGE + 5, list(range(6, PAGE + 6)))
    assert newest["posts"][0] == {
        "no": 6,
        "seat": 1,
        "name": kit.people[1].username,
        "text": 'post 6 {"kind":"post"} é',
        "phase": 2,
        "at": newest["posts"][0]["at"],
        "is_hidden": False,
        "is_will": False,
    }
    assert newest["hidden"] == []
    assert numbers(posts_of(None, kit.match, before=6)) == [1, 2, 3, 4, 5]
    assert numbers(posts_of(None, kit.match, before=1)) == []
    assert numbers(posts_of(None, kit.match, after=PAGE + 3)) == [PAGE + 4, PAGE + 5]
    assert numbers(posts_of(None, kit.match, after=1)) == list(range(2, PAGE + 2))
    assert numbers(posts_of(None, kit.match, after=PAGE + 5)) == []
    assert numbers(posts_of(None, kit.match, before=PAGE, after=PAGE - 3)) == [PAGE - 2, PAGE - 1]


@pytest.mark.parametrize(
    "query", ["before=0", "before=x", "after=-1", "after=9999999999999", "before=²"]
)
def test_agora_posts_say_what_is_wrong_with_a_number(query: str) -> None:
    kit = town(5)
    path = reverse("mafia_posts", args=[kit.match.public_id, "town"])
    response = browser().get(f"{path}?{query}")
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_field")


def test_agora_posts_of_the_mafia_are_for_its_living_and_end_with_ones_death() -> None:
    kit = town(9)
    one, other = (kit.people[c.no] for c in kit.play.citizens if c.role == Role.MAFIOSO)
    kit.act(one, kind="post", room="mafia", text="the doctor?")
    kill(kit, other)
    kit.act(one, kind="post", room="mafia", text="sorry")
    assert [post["text"] for post in posts_of(one, kit.match, "mafia")["posts"]] == [
        "the doctor?", "sorry",
    ]  # fmt: skip
    dead = posts_of(other, kit.match, "mafia")
    assert (dead["last"], [post["text"] for post in dead["posts"]]) == (1, ["the doctor?"])
    assert posts_of(other, kit.match, "mafia", after=1)["posts"] == []
    agent = kit.user_of(Role.AGENT)
    assert len(posts_of(agent, kit.match, "mafia")["posts"]) == 2


def test_agora_posts_of_a_room_that_is_not_ones_own_look_like_none() -> None:
    kit = town(7, last_wills=True)
    kit.act(kit.user_of(Role.MAFIOSO), kind="post", room="mafia", text="hush")
    kit.act(kit.user_of(Role.DOCTOR), kind="write_will", text="I am the doctor.")
    for user in (None, new_user(), kit.user_of(Role.DOCTOR)):
        answers = {
            bytes_of(browser(user), reverse("mafia_posts", args=[kit.match.public_id, room]))
            for room in ("mafia", "dead", "spectators", "nowhere")
        }
        assert len(answers) == 1
        (status, cache, body) = answers.pop()
        assert (status, cache, json.loads(body)["error"]["code"]) == (
            404, "no-store, private", "not_found",
        )  # fmt: skip


def test_agora_posts_of_the_dead_are_for_the_dead() -> None:
    kit = town(7)
    victim = kit.user_of(Role.CITIZEN)
    kill(kit, victim)
    kit.act(victim, kind="post", room="dead", text="cold here")
    assert [post["text"] for post in posts_of(victim, kit.match, "dead")["posts"]] == ["cold here"]
    path = reverse("mafia_posts", args=[kit.match.public_id, "dead"])
    for user in (None, kit.alive[0]):
        assert browser(user).get(path).status_code == 404


def test_agora_posts_of_all_rooms_are_for_everybody_once_it_is_over() -> None:
    kit = town(5)
    kit.act(kit.user_of(Role.MAFIOSO), kind="post", room="mafia", text="alone")
    at_day(kit)
    finish(kit)
    assert [post["text"] for post in posts_of(None, kit.match, "mafia")["posts"]] == ["alone"]


@pytest.mark.plain
def test_agora_posts_before_the_start_are_none() -> None:
    kit = TownKit(new_user(), seats=5)
    path = reverse("mafia_posts", args=[kit.match.public_id, "town"])
    assert browser().get(path).status_code == 404


def test_agora_posts_of_a_game_that_one_may_not_watch_are_not_there() -> None:
    kit = at_day(town(5, spectators=False))
    for name, more in (("mafia_posts", ["town"]), ("mafia_votes", [])):
        path = reverse(name, args=[kit.match.public_id, *more])
        assert browser(new_user()).get(path).status_code == 404
        assert browser(kit.people[0]).get(path).status_code == 200


@pytest.mark.plain
@pytest.mark.both_databases
def test_agora_votes_are_told_day_by_day_with_every_change_their_time_and_place() -> None:
    kit = at_day(town(7))
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
    first, second = browser().get(reverse("mafia_votes", args=[kit.match.public_id])).json()["days"]
    assert (first["round"], first["is_over"], first["needed"]) == (1, True, 4)
    assert first["living"] == second["living"] == list(range(7))
    shown = [(cast["seat"], cast["choice"], cast["after"]) for cast in first["cast"]]
    others = [(seat, "none", 3) for seat in (1, 2, 3, 4)]
    assert shown == [(0, 1, 2), (0, None, 3), *others]
    assert (second["round"], second["is_over"]) == (2, False)
    gone = next(cast for cast in second["cast"] if cast["is_death"])
    assert (gone["seat"], gone["needed"]) == (leaver, 4)
    assert all(cast["at"].endswith("Z") for cast in (*first["cast"], *second["cast"]))


@pytest.mark.plain
@pytest.mark.both_databases
def test_agora_story_tells_roles_choices_votes_and_every_post() -> None:
    kit = town(5)
    mafioso, sheriff = kit.user_of(Role.MAFIOSO), kit.user_of(Role.SHERIFF)
    kit.act(sheriff, kind="choose", target=kit.people.index(mafioso))
    kit.act(mafioso, kind="post", room="mafia", text="alone <i>again</i>")
    at_day(kit)
    kit.act(sheriff, kind="post", room="town", text="I have a file")
    finish(kit)
    response = browser().get(reverse("mafia_story", args=[kit.match.public_id]))
    assert response["Cache-Control"] == "no-store, private"
    told = [
        (chapter.title, [line.text for line in chapter.lines])
        for chapter in response.context["chapters"]
    ]
    assert [title for title, _ in told] == ["The deal", "Night 1", "Day 1"]
    words = "\n".join(line for _, lines in told for line in lines)
    assert f"The file on {mafioso.username} says: MAFIA." in words
    assert f"{mafioso.username} is lynched." in words
    assert "alone <i>again</i>" in words
    page = response.content.decode()
    assert "alone &lt;i&gt;again&lt;/i&gt;" in page
    assert response.context["headline"] == "The town wins"
    sides = {fate.name: fate.look for fate in response.context["fates"]}
    assert sides.pop(mafioso.username) == "mafia"
    assert set(sides.values()) == {"town"}


def test_agora_what_others_do_in_secret_changes_no_byte_of_ones_pages() -> None:
    kit = town(7, last_wills=True)
    watchers = (None, kit.user_of(Role.CITIZEN), kit.user_of(Role.DETECTIVE))
    before = [everything(user, kit.match, ROOMS) for user in watchers]
    kit.act(kit.user_of(Role.MAFIOSO), kind="post", room="mafia", text="the sheriff?")
    kit.act(kit.user_of(Role.MAFIOSO), kind="choose", target=2)
    kit.act(kit.user_of(Role.AGENT), kind="choose", target=1)
    kit.act(kit.user_of(Role.SHERIFF), kind="done")
    kit.act(kit.user_of(Role.SHERIFF), kind="write_will", text="I am the sheriff.")
    assert Entry.objects.filter(match=kit.match, action__startswith='{"kind":"post"').exists()
    assert [everything(user, kit.match, ROOMS) for user in watchers] == before
