"""Dynamite Town on the site: opened, played through the write path, ended by the sweeps."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from economy.audit import find_violations
from economy.selectors import balance_of
from games.engine.errors import IllegalAction
from games.mafia.dynamite.rules.teams import Team
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match
from games.matches.queries import selectors
from tests.games.journal_kit import facts_of
from tests.games.mafia.dynamite.kit import BandKit, band

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
