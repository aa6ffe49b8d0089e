"""Bots of a town on the site: they vote, answer and are silent; the end is played in seconds."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from games.engine.errors import IllegalAction, NotInPhase
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState
from games.mafia.common.rules.phases import PLAYED_OUT, Stage
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match
from games.matches.processing import bots, repair
from games.matches.processing.bots import ensure_bots
from games.posts import queries as posts
from games.realtime.rendering import Parts, Rendering
from tests.games.mafia.agora.kit import TownKit
from tests.games.mafia.dynamite.kit import BandKit
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def among_bots(kit_of: Any, settings: Any, seats: int, *people: str) -> Any:
    """Return a game with these people on the first seats and bots on the others."""
    settings.HOUSE_BOTS = 20
    ensure_bots()
    users = [new_user(name) for name in people]
    kit = kit_of(*users, seats=seats, phase_seconds=120)
    for no, user in enumerate(users):
        kit.act(user, kind="sit", seat=no)
    for _ in range(seats - len(users)):
        kit.act(users[0], kind="add_bot")
    for user in users:
        kit.act(user, kind="ready", configuration=1)
    kit.pass_time(6)
    assert kit.row.status == Match.Status.RUNNING
    return kit


def may(kit: Any, user: Any) -> list[str]:
    """Return the kinds of the table's actions that a user may do now."""
    kinds: list[str] = kit.view(user)["you"]["may"]
    return kinds


def refused(kit: Any, user: Any) -> bool:
    """Whether a user may not play the rest out; then nothing has changed."""
    before = kit.row.action_count
    with pytest.raises(NotInPhase):
        kit.act(user, kind="play_out")
    return bool(kit.row.action_count == before)


@pytest.mark.plain
def test_a_socket_is_told_at_once_that_the_rest_may_be_played_out(settings: Any) -> None:
    kit = among_bots(TownKit, settings, 8, "ann")
    parts, presence = Parts(), {"watching": 0, "seats": [None] * 8}
    before = json.loads(Rendering(kit.snapshot, presence, parts).view(0))
    kit.act(kit.people[0], kind="leave")
    after = json.loads(Rendering(kit.snapshot, presence, parts).view(0))
    assert before["phase"] == after["phase"]
    assert ("play_out" in before["you"]["may"], "play_out" in after["you"]["may"]) == (False, True)


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.parametrize("kit_of", [TownKit, BandKit])
def test_the_dead_see_in_seconds_how_it_ends_where_only_bots_live(
    kit_of: Any, settings: Any
) -> None:
    kit = among_bots(kit_of, settings, 8, "ann")
    (ann,) = kit.people
    assert "play_out" not in may(kit, ann)
    assert refused(kit, ann)
    kit.act(ann, kind="leave")
    if "play_out" not in may(kit, ann):
        # In Dynamite somebody who leaves dies at the end of the phase, which is all that shows.
        assert refused(kit, ann)
        while kit.play.members[0].is_alive:
            kit.pass_time(2)
    assert "play_out" in may(kit, ann)
    assert "play_out" not in may(kit, None)
    kit.act(ann, kind="play_out")
    assert refused(kit, ann), "once is enough"
    assert kit.view(None)["game"]["is_played_out"]
    begun = kit.now
    for _ in range(2_000):
        if kit.row.status != Match.Status.RUNNING:
            break
        kit.pass_time(0.2)
    assert kit.row.status == Match.Status.OVER
    assert (kit.now - begun).total_seconds() <= 40 * PLAYED_OUT / 1_000
    assert replay_match(kit.row).is_same


def dealt(settings: Any, is_wanted: Callable[[AgoraState], bool], *people: str) -> Any:
    """Return a town in which the people were dealt what is wanted."""
    for number in range(60):
        kit = among_bots(TownKit, settings, 7, *(f"{name}{number}" for name in people))
        if is_wanted(kit.play):
            return kit
    raise AssertionError("nobody was dealt it")


@pytest.mark.plain
def test_nobody_hurries_a_town_in_which_a_person_lives(settings: Any) -> None:
    # If both leave and were the whole mafia, the game ends.
    kit = dealt(settings, lambda play: any(each.no > 1 for each in play.mafia), "ann", "bob")
    ann, bob = kit.people
    kit.act(ann, kind="leave")
    assert "play_out" not in may(kit, ann)
    assert refused(kit, ann)
    assert refused(kit, bob)
    guest = new_user("guest")
    with pytest.raises(IllegalAction):
        kit.act(guest, kind="play_out")
    kit.act(bob, kind="leave")
    kit.act(ann, kind="play_out")
    assert kit.play.is_played_out


@pytest.mark.plain
def test_a_bot_of_the_site_answers_a_person_who_names_it_within_seconds(settings: Any) -> None:
    kit = among_bots(TownKit, settings, 7, "ann")
    (ann,) = kit.people
    kit.act(ann, kind="done")
    for _ in range(80):
        if kit.play.stage == Stage.DAY:
            break
        kit.pass_time(2)
    assert kit.play.stage == Stage.DAY
    assert kit.play.citizens[0].is_alive, "spared in the first night"
    bot = next(citizen.no for citizen in kit.play.living if citizen.no)
    name = kit.view()["seats"][bot]["player"]["name"]
    before = len(posts.posts_by_room(kit.match).get("town", ()))
    kit.act(ann, kind="post", room="town", text=f"@{name}, whom do you trust?")
    for _ in range(12):
        kit.pass_time(1)
    said = posts.posts_by_room(kit.match)["town"][before:]
    assert [each.seat for each in said if each.seat == bot], said


def test_the_mafias_partner_answers_in_its_room_and_others_are_not_told(settings: Any) -> None:
    kit = dealt(settings, lambda play: play.citizens[0].role == Role.AGENT, "ann")
    (agent,) = kit.people
    mafioso = next(c.no for c in kit.play.citizens if c.role == Role.MAFIOSO)
    for _ in range(4):
        kit.pass_time(2)
    public = kit.row.public_count
    victim = next(no for no in range(1, 7) if no != mafioso)
    name = kit.view(agent)["seats"][victim]["player"]["name"]
    kit.act(agent, kind="post", room="mafia", text=f"{name}, I would say")
    for _ in range(5):
        kit.pass_time(2)
    answers = [each for each in posts.posts_by_room(kit.match)["mafia"] if each.seat == mafioso]
    assert len(answers) == 1
    assert name in answers[0].text
    assert kit.play.citizens[mafioso].target == victim
    assert kit.row.public_count == public, "nobody else is told anything"


@pytest.mark.plain
def test_bots_that_look_and_do_nothing_leave_no_entry(settings: Any) -> None:
    kit = among_bots(TownKit, settings, 7, "ann")
    for _ in range(5):
        kit.pass_time(2)
    row, count = kit.row, Entry.objects.filter(match=kit.match).count()
    assert row.bot_at is not None
    assert kit.play.stage == Stage.NIGHT
    later = row.bot_at
    assert bots.bot_actions(row, later) == []
    assert repair.wakes([row.pk], later) == []
    after = kit.row
    assert after.bot_at is None or after.bot_at > later
    assert after.wake_at > later
    assert Entry.objects.filter(match=kit.match).count() == count
