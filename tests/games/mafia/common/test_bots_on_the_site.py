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
from games.matches.processing.roster import ensure_bots
from games.matches.queries import posts
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


def may(kit: Any, user: Any) -> bool:
    """Whether a user may play the rest out; if not, it is refused and nothing changes."""
    is_shown = "play_out" in kit.view(user)["you"]["may"]
    if user is not None and not is_shown:
        before = kit.row.action_count
        with pytest.raises(NotInPhase if user in kit.people else IllegalAction):
            kit.act(user, kind="play_out")
        assert kit.row.action_count == before
    return bool(is_shown)


def pass_while(kit: Any, is_so: Callable[[], bool], seconds: float, times: int) -> None:
    while is_so():
        times -= 1
        assert times, "it is still so"
        kit.pass_time(seconds)


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.parametrize("kit_of", [TownKit, BandKit])
def test_the_dead_see_in_seconds_how_it_ends_where_only_bots_live(
    kit_of: Any, settings: Any
) -> None:
    kit = among_bots(kit_of, settings, 8, "ann")
    (ann,) = kit.people
    assert not may(kit, ann)
    parts, presence = Parts(), {"watching": 0, "seats": [None] * 8}
    before = json.loads(Rendering(kit.snapshot, presence, parts).view(0))
    kit.act(ann, kind="leave")
    after = json.loads(Rendering(kit.snapshot, presence, parts).view(0))
    # A socket is told at once.
    assert before["phase"] == after["phase"]
    told = ["play_out" in view["you"]["may"] for view in (before, after)]
    assert told == [False, kit_of is TownKit]
    if not may(kit, ann):
        # In Dynamite somebody who leaves dies at the end of the phase, which is all that shows.
        pass_while(kit, lambda: kit.play.members[0].is_alive, 2, 200)
    assert may(kit, ann)
    assert not may(kit, None)
    kit.act(ann, kind="play_out")
    assert not may(kit, ann), "once is enough"
    assert kit.view(None)["game"]["is_played_out"]
    begun = kit.now
    pass_while(kit, lambda: kit.row.status == Match.Status.RUNNING, 0.2, 2_000)
    assert kit.row.status == Match.Status.OVER
    assert (kit.now - begun).total_seconds() <= 40 * PLAYED_OUT / 1_000
    assert replay_match(kit.row).is_same


def dealt(settings: Any, is_wanted: Callable[[AgoraState], bool], *people: str) -> Any:
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
    assert not any(may(kit, user) for user in (ann, bob, new_user("guest")))
    kit.act(bob, kind="leave")
    kit.act(ann, kind="play_out")
    assert kit.play.is_played_out


@pytest.mark.plain
def test_a_bot_of_the_site_answers_a_person_who_names_it_within_seconds(settings: Any) -> None:
    kit = among_bots(TownKit, settings, 7, "ann")
    (ann,) = kit.people
    kit.act(ann, kind="done")
    pass_while(kit, lambda: kit.play.stage != Stage.DAY, 2, 80)
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
