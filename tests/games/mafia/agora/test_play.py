"""Agoran Mafia on the site: opened, played through the write path, ended by the sweeps."""

import json
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin import site
from django.test import Client
from django.urls import reverse

from economy.audit import find_violations
from economy.selectors import balance_of
from games.engine.errors import IllegalAction
from games.mafia.agora.rules.roles import Role
from games.matches.journal import loading
from games.matches.journal.loading import match_cache
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match, WebProcess
from games.matches.processing import outage
from games.matches.queries import selectors
from games.moderation.match_admin import MatchAdmin
from games.notices import attention
from games.posts import chat
from tests.games.journal_kit import facts_of
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.mafia.common.kit import worker_sweep
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_agora_a_game_is_played_by_people_to_its_end_and_replays_the_same() -> None:
    kit = town(5, phase_seconds=60)
    mafioso, victim = kit.user_of(Role.MAFIOSO), kit.user_of(Role.CITIZEN)
    kit.act(mafioso, kind="choose", target=kit.people.index(victim))
    kit.act(kit.user_of(Role.SHERIFF), kind="choose", target=kit.people.index(mafioso))
    for user in kit.people:
        kit.act(user, kind="done")
    assert kit.view()["due_at"] > kit.row.due_at.isoformat(timespec="milliseconds")
    kit.run_out()
    view = kit.view()
    assert (view["game"]["stage"], view["game"]["last_night"]["killed"]) == (
        "day", kit.people.index(victim),
    )  # fmt: skip
    for user in kit.alive[:3]:
        kit.act(user, kind="vote", choice=kit.people.index(mafioso))
    row = kit.row
    assert row.status == Match.Status.OVER
    assert Counter(seat.result for seat in row.seats.all()) == {"won": 4, "lost": 1}
    assert replay_match(row).is_same
    assert find_violations() == []
    # Nights and days of a minute are not rated: nobody's points have moved.
    assert len(facts_of(row, "award_earned")) == 4
    assert {balance_of(user.pk) for user in kit.people} == {100}


@pytest.mark.both_databases
def test_agora_a_state_is_rebuilt_from_its_checkpoint_and_the_entries_after_it() -> None:
    kit = town(7, phase_seconds=60)
    for no in range(40):
        user = kit.people[no % 7]
        kit.act(user, kind="undone" if kit.play.citizens[no % 7].is_done else "done")
    row = kit.row
    assert row.state_no < row.action_count
    before = kit.snapshot.table.encode(kit.snapshot.state)
    match_cache.drop([row.pk])
    rebuilt = loading.load([row.pk])[row.pk]
    assert rebuilt.table.encode(rebuilt.state) == before
    assert replay_match(row).is_same


def test_agora_the_shown_end_moves_alike_whether_an_early_one_is_hidden() -> None:
    """The time given back after an outage must not reveal that everybody was done."""
    for are_done in (4, 5):
        kit = town(5, phase_seconds=86_400)
        kit.pass_time(1 - kit.now.microsecond / 10**6)
        ends_at = datetime.fromisoformat(kit.view()["game"]["due_at"])
        for user in kit.people[:are_done]:
            kit.act(user, kind="done")
        assert (kit.row.due_at < ends_at) == (are_done == 5)
        WebProcess.objects.update(name="elsewhere:1")
        outage._own.process_id = None
        kit.now += timedelta(hours=5)
        worker_sweep(kit.now)
        assert kit.row.phase == 1
        shown = datetime.fromisoformat(kit.view()["game"]["due_at"])
        assert shown == ends_at + timedelta(hours=5)
        WebProcess.objects.all().delete()


def test_agora_the_hidden_end_stands_in_no_view_of_anybody() -> None:
    kit = town(5, phase_seconds=600)
    before = [kit.view(user) for user in [None, *kit.people]]
    for user in kit.people:
        kit.act(user, kind="done")
    after = [kit.view(user) for user in [None, *kit.people]]
    assert before[0] == after[0]
    for one, other in zip(before[1:], after[1:], strict=True):
        changed = {
            key for key, value in one["game"]["you"].items() if other["game"]["you"][key] != value
        }
        # What a seat alone sees is filled up, so that its length tells nothing.
        assert changed - {"fill"} == {"is_done", "may"}
        assert {**one, "game": None} == {**other, "game": None}
    assert kit.row.due_at < kit.now + timedelta(seconds=61)


def test_agora_the_hidden_end_does_not_stand_in_the_admin() -> None:
    kit = town(5, phase_seconds=600)
    office = MatchAdmin(Match, site)
    before = office.runs_until(kit.row)
    for user in kit.people:
        kit.act(user, kind="done")
    row = kit.row
    assert office.runs_until(row) == before
    assert before is not None
    assert row.due_at is not None
    assert row.due_at < before
    assert "due_at" not in office.fields


def test_agora_a_private_post_leaves_no_trace_in_what_others_get() -> None:
    kit = town(7, phase_seconds=600)
    agent, other = kit.user_of(Role.AGENT), kit.user_of(Role.DOCTOR)
    before = [canonical_view(kit, user) for user in (None, other)]
    public = kit.row.public_count
    kit.act(agent, kind="post", room="mafia", text="a canary of the mafia")
    assert [canonical_view(kit, user) for user in (None, other)] == before
    assert "canary" not in json.dumps([kit.view(user) for user in [None, *kit.people]])
    assert (kit.row.public_count, kit.row.summary) == (public, kit.row.summary)
    with pytest.raises(IllegalAction) as refused:
        kit.act(other, kind="post", room="mafia", text="me too")
    assert refused.value.code == "action/room_closed"
    assert Entry.objects.filter(match=kit.match, action__contains="canary").count() == 1


def canonical_view(kit: TownKit, user: Any) -> str:
    return json.dumps(kit.view(user), sort_keys=True)


def test_agora_the_public_log_of_a_running_game_holds_nothing_private() -> None:
    kit = town(7, phase_seconds=600)
    mafioso, doctor = kit.user_of(Role.MAFIOSO), kit.user_of(Role.DOCTOR)
    address, client = reverse("match_log", args=[kit.match.public_id]), Client()
    client.force_login(doctor)
    before, lobby = client.get(address).content, selectors.lobby()
    kit.act(mafioso, kind="post", room="mafia", text="a canary of the mafia")
    kit.act(mafioso, kind="choose", target=kit.people.index(doctor))
    kit.act(doctor, kind="choose", target=kit.people.index(doctor))
    for user in kit.people:
        kit.act(user, kind="done")
    assert client.get(address).content == before
    assert selectors.lobby() == lobby
    kit.run_out()
    log = client.get(address).json()
    assert [event["kind"] for event in log["events"]][-3:] == [
        "night_began", "nobody_died", "day_began",
    ]  # fmt: skip
    assert [event["n"] for event in log["events"]] == list(range(1, len(log["events"]) + 1))
    assert {"role_dealt", "target_chosen", "posted", "saved_by_doctor"}.isdisjoint(
        event["kind"] for event in log["events"]
    )
    assert len(facts_of(kit.row, "saved_by_doctor")) == 1


def test_agora_chat_is_not_taken_from_seats_while_the_game_runs() -> None:
    kit = town(5)
    kit.run_out()
    spectator = new_user()

    def say(user: Any, room: str) -> chat.Line:
        return chat.say(
            match_id=kit.match.pk, user_id=user.pk, room=room, text="hello", action_id=f"say-{room}"
        )

    for room in ("town", "mafia", "dead", "table", "spectators"):
        with pytest.raises(chat.RoomForbidden):
            say(kit.people[0], room)
    assert say(spectator, "spectators").no == 1


def test_agora_what_the_game_wants_of_one_is_told_to_that_one() -> None:
    kit = town(7, phase_seconds=600)

    def wanted(user: Any) -> list[str]:
        return [need["what"] for need in attention.needs_of(user.pk)]

    doctor = kit.user_of(Role.DOCTOR)
    for user in kit.people:
        assert wanted(user) == ["Check in for the night"], "the same for every role"
    kit.act(doctor, kind="choose", target="none")
    assert wanted(doctor) == ["Check in for the night"]
    kit.act(doctor, kind="done")
    assert wanted(doctor) == []
    kit.run_out()
    assert wanted(doctor) == ["Vote"]
    kit.act(doctor, kind="vote", choice="none")
    assert wanted(doctor) == []
