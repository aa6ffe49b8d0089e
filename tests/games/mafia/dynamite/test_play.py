"""Dynamite Town on the site: opened, played through the write path, ended by the sweeps."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from economy.audit import find_violations
from economy.selectors import balance_of
from games.engine.errors import IllegalAction
from games.mafia.dynamite.rules.teams import Team
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match, WebProcess
from games.matches.processing import outage, repair, writing
from games.matches.processing.roster import ensure_bots
from games.matches.queries import attention, selectors
from games.matches.services import matches
from tests.at_once import all_at_once
from tests.games.journal_kit import facts_of
from tests.games.mafia.common.kit import worker_sweep
from tests.games.mafia.dynamite.kit import BandKit, band
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

DAY = 86_400


def deaths(kit: BandKit) -> list[tuple[int, list[str]]]:
    return [(fact.data["seat"], fact.data["causes"]) for fact in facts_of(kit.row, "player_died")]


@pytest.mark.both_databases
def test_dynamite_a_game_is_played_by_people_to_its_end_and_replays_the_same() -> None:
    kit = band(4, phase_seconds=60)
    (rock,), (scissors,) = kit.of(Team.ROCK), kit.of(Team.SCISSORS)
    (paper,), (townie,) = kit.of(Team.PAPER), kit.of(Team.DYNAMITE)
    for user in (scissors, paper):
        kit.act(user, kind="vote", choice=kit.seat(rock))
    for user in (rock, townie):
        kit.act(user, kind="vote", choice=kit.seat(scissors))
    for user in kit.people:
        kit.act(user, kind="done")
    assert kit.view(rock)["game"]["stage"] == "night"
    assert kit.view(rock)["game"]["you"]["points"] == 2
    kit.act(rock, kind="confront", target=kit.seat(scissors))
    kit.act(scissors, kind="confront", target=kit.seat(townie))
    kit.run_out()
    row = kit.row
    assert row.status == Match.Status.OVER
    assert deaths(kit) == [(kit.seat(scissors), ["confronted", "townie"])]
    results = {seat.user_id: seat.result for seat in row.seats.all()}
    assert results == {rock.pk: "won", townie.pk: "won", paper.pk: "lost", scissors.pk: "lost"}
    assert [fact.data["seat"] for fact in facts_of(row, "award_earned")] == sorted(
        [kit.seat(rock), kit.seat(townie)]
    )
    assert {fact.data["y_points"] for fact in facts_of(row, "award_earned")} == {0}
    assert replay_match(row).is_same
    assert find_violations() == []
    assert {balance_of(user.pk) for user in kit.people} == {100}


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("phase_seconds", [60, DAY])
def test_dynamite_a_missing_vote_is_killed_by_a_stapler_once_however_many_sweep(
    phase_seconds: int,
) -> None:
    kit = band(8, phase_seconds=phase_seconds)
    lazy = kit.people[3]
    kit.vote_round(lazy)
    before, kit.now = kit.row.action_count, kit.row.due_at + timedelta(seconds=1)
    kit.beat()
    late = kit.submission(lazy, kind="vote", choice=0)
    answers = all_at_once(
        [
            *[lambda: repair.catch_up(kit.now)] * 4,
            lambda: repair.apply([late], kit.now).answers[0].error,
        ],
    )
    assert isinstance(answers[-1], IllegalAction)
    assert deaths(kit) == [(3, ["stapler"])]
    assert (kit.row.action_count, kit.row.phase) == (before + 1, 2)
    assert replay_match(kit.row).is_same


def test_dynamite_who_leaves_dies_when_the_phase_ends_and_nobody_is_told_before() -> None:
    kit = band(8, phase_seconds=600)
    kit.vote_round()
    gone, others = kit.people[0], [None, *kit.people[1:]]
    before = [canonical_view(kit, user) for user in others]
    kit.act(gone, kind="leave")
    assert [canonical_view(kit, user) for user in others] == before
    with pytest.raises(IllegalAction) as refused:
        kit.act(gone, kind="undone")
    assert refused.value.code == "action/not_alive"
    kit.run_out()
    assert deaths(kit) == [(0, ["left"])]


def canonical_view(kit: BandKit, user: Any) -> str:
    return json.dumps(kit.view(user), sort_keys=True)


def test_dynamite_a_night_leaves_no_trace_in_what_others_get() -> None:
    kit = band(8, phase_seconds=600)
    rock, mate = kit.of(Team.ROCK)
    for user in kit.people:
        choice = kit.seat(mate if user == rock else rock)
        kit.act(user, kind="vote", choice=choice)
    kit.run_out()
    strangers = [None, *(user for user in kit.people if user not in (rock, mate))]
    address, client = reverse("match_log", args=[kit.match.public_id]), Client()
    before = [canonical_view(kit, user) for user in strangers]
    log, lobby = client.get(address).content, selectors.lobby()
    kit.act(rock, kind="confront", target=kit.seat(kit.of(Team.PAPER)[0]))
    kit.act(mate, kind="confront", target=kit.seat(kit.of(Team.DYNAMITE)[0]))
    kit.act(mate, kind="withdraw")
    kit.act(rock, kind="post", room="rock", text="a canary of the rocks")
    kit.act(rock, kind="done")
    assert [canonical_view(kit, user) for user in strangers] == before
    assert (client.get(address).content, selectors.lobby()) == (log, lobby)
    assert kit.view(mate)["game"]["you"]["confrontations"]
    with pytest.raises(IllegalAction) as refused:
        kit.act(kit.of(Team.PAPER)[0], kind="post", room="rock", text="me too")
    assert refused.value.code == "action/room_closed"
    assert Entry.objects.filter(match=kit.match, action__contains="canary").count() == 1


def test_dynamite_what_the_game_wants_of_one_is_alike_for_every_team() -> None:
    kit = band(8, phase_seconds=600)

    def wanted() -> set[tuple[str, ...]]:
        return {tuple(need["what"] for need in attention.needs_of(u.pk)) for u in kit.people}

    assert wanted() == {("Vote",)}
    kit.vote_round()
    assert wanted() == {()}
    kit.run_out()
    assert wanted() == {("Check in for the night",)}
    for user in kit.people:
        kit.act(user, kind="done")
    assert wanted() == {()}


@pytest.mark.parametrize("away", [60, 3 * DAY])
def test_dynamite_a_slow_day_gets_the_length_of_an_outage_and_kills_nobody_meanwhile(
    away: int,
) -> None:
    kit = band(8, phase_seconds=DAY)
    due_at = kit.row.due_at
    WebProcess.objects.update(name="elsewhere:1")
    outage._own.process_id = None
    kit.now += timedelta(seconds=away)
    for _ in range(3):
        worker_sweep(kit.now)
    assert (kit.row.phase, deaths(kit)) == (1, [])
    assert kit.row.due_at == due_at + timedelta(seconds=away)


def test_dynamite_a_game_of_days_goes_on_by_the_workers_sweep_alone() -> None:
    kit = band(8, phase_seconds=DAY)
    outage.close_process(kit.now)
    for _ in range(100):
        if kit.row.status != Match.Status.RUNNING:
            break
        kit.play_like_bots(kit.snapshot)
        if kit.row.due_at is not None:
            kit.now = max(kit.now, kit.row.due_at)
            worker_sweep(kit.now)
    row = kit.row
    assert row.status == Match.Status.OVER
    assert replay_match(row).is_same
    days = facts_of(row, "day_began")
    assert [fact.data["round"] for fact in days] == list(range(1, len(days) + 1))


def test_dynamite_one_person_and_seven_bots_play_a_whole_game(settings: Any) -> None:
    settings.HOUSE_BOTS = 12
    ensure_bots()
    ann = new_user("ann")
    kit = BandKit(ann, seats=8, phase_seconds=60)
    kit.act(ann, kind="sit", seat=0)
    for _ in range(7):
        kit.act(ann, kind="add_bot")
    kit.act(ann, kind="ready", configuration=1)
    kit.pass_time(6)
    for _ in range(600):
        if kit.row.status != Match.Status.RUNNING:
            break
        kit.pass_time(5)
        kit.play_like_bots(kit.snapshot)
    row = kit.row
    assert row.status == Match.Status.OVER
    assert replay_match(row).is_same


def test_dynamite_forty_sit_down_play_a_phase_and_are_all_shown_it() -> None:
    kit = BandKit(*(new_user(f"f{no}x") for no in range(40)), seats=40, phase_seconds=60)
    kit.start(purse=0)
    batch = [kit.submission(user, kind="vote", choice=(no + 1) % 40) for no, user in
             enumerate(kit.people)]  # fmt: skip
    assert not [a.error for a in writing.apply_batch(batch, kit.now).answers if a.error]
    sizes = [len(canonical_view(kit, user)) for user in (None, kit.people[0], kit.people[39])]
    assert max(sizes) < 32_000
    kit.run_out()
    assert kit.view()["game"]["living"] == 40
    assert kit.row.phase == 2


def test_dynamite_a_void_gives_nobody_anything_and_tells_who_was_what() -> None:
    kit = band(4)
    repair.apply([writing.house(kit.match.pk, "void", "void-0001", reason="a test")], kit.now)
    assert kit.row.status == Match.Status.VOID
    assert {seat.result for seat in kit.row.seats.all()} == {""}
    assert find_violations() == []


def test_dynamite_options_out_of_bounds_are_refused() -> None:
    for seats in (3, 41):
        with pytest.raises(IllegalAction) as refused:
            matches.open_match(opened_by=new_user(), options={"seats": seats}, game="dynamite")
        assert refused.value.code == "action/bad_option"
