import json
from unittest.mock import Mock

import pytest
from django.urls import reverse

from accounts import shared
from accounts.models import Relation, User
from accounts.people import Kind, relate
from games import registry
from games.matches import services as matches
from games.matches.models import Flag, Match
from games.matches.queries import selectors
from games.people import activity
from games.posts import chat
from games.realtime import protocol, socket_queries
from games.realtime.hub import Room
from games.realtime.presence import keep_online
from tests.accounts.kit import browser
from tests.games.match_kit import MatchKit, new_user
from tests.games.table_kit import TableKit

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def press(user: User, other: User, button: str) -> int:
    client = browser(user)
    page = reverse("person", args=[other.username])
    return client.post(page, {"do": button}).status_code


def heard(kit: TableKit, user: User | None) -> list[str]:
    pk = None if user is None else user.pk
    return [line.wire["text"] for line in socket_queries.said_before(kit.match.pk, pk)[1]]


def say(kit: MatchKit, user: User, text: str, room: str = "table") -> chat.Line:
    said = {"room": room, "text": text, "action_id": f"say-{text}-1234"}
    return chat.say(match_id=kit.match.pk, user_id=user.pk, **said)


@pytest.mark.plain
def test_chat_of_muted_and_blocked_people_is_not_sent() -> None:
    ann, bob, cid = (new_user() for _ in range(3))
    kit = TableKit(ann, bob, cid)
    kit.seat_everybody()
    for user, text in ((ann, "one"), (bob, "two"), (cid, "three")):
        say(kit, user, text)
    assert heard(kit, ann) == ["one", "two", "three"]
    relate(user_id=ann.pk, other_id=bob.pk, kind=Kind.MUTE)
    relate(user_id=bob.pk, other_id=cid.pk, kind=Kind.BLOCK)
    assert heard(kit, ann) == ["one", "three"]
    assert heard(kit, bob) == ["one", "two"]
    assert heard(kit, cid) == ["one", "three"]
    line, room = say(kit, bob, "four"), Room(snapshot=selectors.snapshot_of(kit.match))
    gets = [room.may_read(Mock(user_id=user.pk), line) for user in (ann, bob, cid)]
    assert gets == [False, True, False]


@pytest.mark.skipif("agora" not in registry.slugs(), reason="a game with hidden roles")
def test_chat_is_heard_by_everybody_where_roles_are_hidden() -> None:
    from tests.games.mafia.agora.kit import town

    kit = town(7)
    watcher = new_user()
    relate(user_id=next(iter(kit.people)).pk, other_id=watcher.pk, kind=Kind.BLOCK)
    assert not say(kit, watcher, "hm", room="spectators").unheard_by


def test_a_quick_phrase_is_said_in_the_words_of_the_site() -> None:
    frame = '{"type":"phrase","id":"phrase-1234","room":"table","phrase":"%s"}'
    read = protocol.parse(frame % "good_game")
    assert read == protocol.Say("phrase-1234", "table", "Good game")
    with pytest.raises(protocol.MalformedFrame) as refused:
        protocol.parse(frame % "none_such")
    assert refused.value.code == "bad_field"


@pytest.mark.plain
@pytest.mark.skipif("duel" not in registry.slugs(), reason="a game of challenges")
def test_a_block_declines_the_challenges_between_the_two_and_profiles_offer_none() -> None:
    ann, bob = new_user(), new_user()
    challenge = matches.open_match(opened_by=ann, options={}, game="showdown", invited=bob)
    client = browser(ann)
    page, way = reverse("profile", args=[bob.username]), f"{reverse('duel_new')}?opponent="
    assert way in client.get(page).content.decode()
    assert press(bob, ann, "block") == 200
    challenge.refresh_from_db()
    assert (challenge.status, challenge.void_reason) == ("closed", "declined")
    press(bob, ann, "unblock")
    assert way in client.get(page).content.decode()
    press(ann, bob, "block")
    assert way not in client.get(page).content.decode()


@pytest.mark.plain
def test_buttons_of_the_menu_follow_mute_and_undo_and_as_a_page_it_leads_to_the_profile() -> None:
    ann, bob = new_user(), new_user()
    for button in ("follow", "mute", "follow", "unfollow"):
        assert press(ann, bob, button) == 200
    assert list(Relation.objects.values_list("kind", flat=True)) == ["mute"]
    assert press(ann, bob, "befriend") == 400
    assert press(ann, ann, "follow") == 404
    client, page = browser(ann), reverse("person", args=[bob.username])
    opened = client.get(page)
    assert (opened.status_code, opened["Location"]) == (302, f"/@{bob.username}/")
    menu = client.get(page, headers={"X-Requested-With": "fetch"})
    assert (menu.status_code, menu.templates[0].name) == (200, "games/people/_person.html")


def test_the_people_page_shows_who_is_online_and_the_last_opponents() -> None:
    ann, bob, cid = new_user("ann"), new_user("bob"), new_user("cid")
    kit = TableKit(ann, cid, seats=2)
    kit.seat_everybody()
    Match.objects.filter(pk=kit.match.pk).update(status=Match.Status.OVER)
    relate(user_id=ann.pk, other_id=bob.pk, kind=Kind.FOLLOW)
    client = browser(ann)
    context = client.get(reverse("people")).context
    assert (context["following"], context["opponents"]) == ([(bob, False)], [cid])
    keep_online([bob.pk])
    assert client.get(reverse("people")).context["following"] == [(bob, True)]
    User.objects.filter(pk=bob.pk).update(shows_presence=False)
    assert client.get(reverse("people")).context["following"] == [(bob, False)]
    press(cid, ann, "block")
    assert client.get(reverse("people")).context["opponents"] == []


@pytest.mark.plain
def test_a_report_of_a_player_carries_the_line_of_chat() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    kit = TableKit(ann, bob)
    kit.seat_everybody()
    line = say(kit, bob, "rude")
    client = browser(ann)
    place = {"match": kit.match.public_id, "room": "table", "no": line.no}
    page = reverse("person_report", args=[bob.username], query=place)
    assert client.post(page, {"reason": " "}).status_code == 422
    assert client.post(page, {"reason": "an insult"}).status_code == 302
    detail = json.loads(Flag.objects.get(kind="report").detail)
    assert (detail["reported"], detail["reason"], detail["said"]) == (bob.pk, "an insult", "rude")


@pytest.mark.plain
def test_the_lobby_names_those_followed_and_who_of_them_is_seen_online() -> None:
    ann, bob, cyd, dan, eve = (new_user() for _ in range(5))
    for other in (bob, cyd, dan, eve):
        relate(user_id=ann.pk, other_id=other.pk, kind=Kind.FOLLOW)
    User.objects.filter(pk=cyd.pk).update(shows_presence=False)
    User.objects.filter(pk=eve.pk).update(is_active=False)
    keep_online([bob.pk, cyd.pk, eve.pk])

    def friends() -> list[tuple[str, bool]]:
        activity.forget()
        shared.forget()
        return list(browser(ann).get("/").context["friends"])

    assert friends() == sorted([(bob.username, True), (cyd.username, False), (dan.username, False)])
    relate(user_id=dan.pk, other_id=ann.pk, kind=Kind.BLOCK)
    assert dan.username not in dict(friends())
    assert "friends" not in browser().get("/").context
