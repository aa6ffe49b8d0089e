"""Agoran Mafia on the site: opened, played through the write path, ended by the sweeps."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin import site

from economy.audit import find_violations
from economy.selectors import balance_of
from games.mafia.agora.rules.roles import Role
from games.matches.admin.matches import MatchAdmin
from games.matches.journal.replay import replay_match
from games.matches.models import Match, WebProcess
from games.matches.processing import outage
from games.matches.queries import attention
from games.matches.services import posts
from tests.games.journal_kit import facts_of
from tests.games.mafia.agora.kit import town
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
    shown = kit.view()["game"]
    assert (shown["stage"], shown["last_night"]["killed"]) == ("day", kit.people.index(victim))
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


def test_agora_the_hidden_end_stands_in_no_view_of_anybody_nor_in_the_admin() -> None:
    kit = town(5, phase_seconds=600)
    office, everybody = MatchAdmin(Match, site), [None, *kit.people]
    public, *before = [kit.view(user) for user in everybody]
    runs_until = office.runs_until(kit.row)
    for user in kit.people:
        kit.act(user, kind="done")
    now_public, *after = [kit.view(user) for user in everybody]
    assert public == now_public
    for one, other in zip(before, after, strict=True):
        old, new = one["game"]["you"], other["game"]["you"]
        # What a seat alone sees is filled up, so that its length tells nothing.
        assert {key for key in old if new[key] != old[key]} - {"fill"} == {"is_done", "may"}
        assert {**one, "game": None} == {**other, "game": None}
    row = kit.row
    assert row.due_at is not None
    assert row.due_at < kit.now + timedelta(seconds=61)
    assert office.runs_until(row) == runs_until
    assert runs_until is not None
    assert row.due_at < runs_until
    assert "due_at" not in office.fields


def test_agora_what_the_game_wants_of_one_is_told_to_that_one_and_no_seat_chats() -> None:
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

    def say(user: Any, room: str) -> posts.Line:
        line = {"room": room, "text": "hello", "action_id": f"say-{room}"}
        return posts.say(match_id=kit.match.pk, user_id=user.pk, **line)

    for room in ("town", "mafia", "dead", "table", "spectators"):
        with pytest.raises(posts.RoomForbidden):
            say(kit.people[0], room)
    assert say(new_user(), "spectators").no == 1
