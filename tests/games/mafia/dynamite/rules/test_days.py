"""Days: votes, done, stapler, action points, danger; all of one moment together."""

import pytest

from games.engine.errors import BadTarget, NotInPhase, NotSeated, StaleAction
from games.engine.facts import Instant, SeatNo
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, NotAlive, RoomClosed, Undone
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, NoVote, Vote
from games.mafia.dynamite.rules.state import Cause
from games.mafia.dynamite.rules.teams import MAFIAS, Team, team_sizes
from tests.games.mafia.dynamite.rules.kit import RULES, Band


@pytest.mark.parametrize("players", range(4, 41))
def test_dynamite_setup_gives_each_mafia_a_quarter_and_the_town_up_to_three_more(
    players: int,
) -> None:
    sizes = dict(team_sizes(players))
    assert {sizes[team] for team in MAFIAS} == {players // 4}
    assert 0 <= sizes[Team.DYNAMITE] - players // 4 <= 3
    assert sum(sizes.values()) == players
    band = Band(players)
    assert {team: len(band.are(team)) for team in Team} == sizes


def test_dynamite_setup_begins_with_a_day_without_points() -> None:
    band = Band()
    assert band.state.stage == Stage.DAY
    assert (band.state.phase, band.state.round) == (1, 1)
    assert [purse.points for purse in band.state.points] == [0, 0, 0]
    assert band.kinds() == [
        "game_started", *["team_dealt"] * 8, *["mates_named"] * 3, "day_began",
    ]  # fmt: skip


@pytest.mark.parametrize("players", [3, 41])
def test_dynamite_too_few_or_too_many_cannot_play(players: int) -> None:
    with pytest.raises(ValueError, match="4 to 40"):
        team_sizes(players)


def test_dynamite_vote_is_public_and_can_be_changed_but_not_for_oneself_or_the_dead() -> None:
    band = Band()
    assert band.act(0, Vote(1)).events[0].audience is None
    band.act(0, Vote(2))
    assert band.view()["seats"][0]["vote"] == 2
    assert band.act(0, Vote(2)).events == ()
    for target in (0, 8, 999):
        with pytest.raises(BadTarget):
            band.act(0, Vote(target))
    dead = band.state.with_member(replace(band.player(3), is_alive=False))
    with pytest.raises(BadTarget):
        RULES.apply(dead, SeatNo(0), Vote(3), band.at)


def test_dynamite_done_needs_a_vote_and_a_changed_vote_takes_it_back() -> None:
    band = Band()
    with pytest.raises(NoVote):
        band.act(0, Done())
    band.act(0, Vote(1))
    assert band.act(0, Done()).events[0].audience == {0}
    assert [told.kind for told in band.act(0, Vote(2)).events] == ["voted", "check_in_withdrawn"]
    assert not band.player(0).is_done
    band.act(0, Done())
    band.act(0, Undone())
    assert not band.view(0)["you"]["is_done"]


def test_dynamite_day_ends_as_soon_as_all_have_voted_and_are_done() -> None:
    band = Band()
    for seat in range(8):
        band.act(seat, Vote((seat + 1) % 8))
    band.all_done(5)
    assert band.state.stage == Stage.DAY
    step = band.act(5, Done())
    assert band.state.stage == Stage.NIGHT
    assert "night_began" in [told.kind for told in step.events]


def test_dynamite_whoever_has_no_vote_is_killed_by_a_stapler_and_votes_for_it_count() -> None:
    band = Band()
    rock = band.are(Team.ROCK)
    for seat in range(8):
        if seat != rock[0]:
            band.act(seat, Vote(rock[0]))
    band.late()
    assert band.causes() == {rock[0]: (Cause.STAPLER,)}
    assert band.last("player_died").audience is None
    # Seven votes, and one for the dead member as night falls.
    assert band.state.points_of(Team.ROCK) == 8
    assert band.last("points_gained").data["team"] == "scissors"
    gained = next(t for t in band.told if t.kind == "points_gained" and t.data["team"] == "rock")
    assert gained.data == {"team": "rock", "by_votes": 7, "by_dead": 1, "points": 8}
    assert gained.audience == {rock[1]}


def test_dynamite_townie_explodes_with_three_danger_points_and_calms_down_by_one_a_day() -> None:
    band = Band(8)
    one, two = band.are(Team.DYNAMITE)
    others = [seat for seat in range(8) if seat not in (one, two)]
    votes = dict.fromkeys(range(8), others[0]) | {others[0]: two, others[1]: one, others[2]: one}
    band.day(votes)
    assert (band.player(one).danger, band.player(two).danger) == (1, 0)
    assert band.view(one)["you"]["danger"] == 1
    band.night()
    band.day(votes)
    assert band.causes() == {one: (Cause.EXPLOSION,)}
    assert band.last("player_died").data == {
        "seat": one, "team": "dynamite", "causes": ["explosion"],
    }  # fmt: skip


def test_dynamite_stapled_townie_can_explode_at_the_same_moment() -> None:
    band = Band()
    townie = band.are(Team.DYNAMITE)[0]
    for seat in range(8):
        if seat != townie:
            band.act(seat, Vote(townie))
    band.late()
    assert band.causes() == {townie: (Cause.STAPLER, Cause.EXPLOSION)}


def test_dynamite_who_leaves_by_day_acts_no_more_and_dies_when_it_ends() -> None:
    band = Band()
    band.act(0, Vote(1))
    step = band.leave(0)
    assert [(told.kind, told.audience) for told in step.events] == [("leaving_town", {0})]
    assert band.player(0).is_alive
    for refused in (Vote(2), Done(), Undone()):
        with pytest.raises(NotAlive):
            band.act(0, refused)
    with pytest.raises(RoomClosed):
        band.post(0, "town")
    assert band.view(0)["you"]["may"] == []
    band.act(1, Vote(0))
    for seat in range(2, 8):
        band.act(seat, Vote(1))
    for seat in range(1, 8):
        band.act(seat, Done())
    assert band.causes()[SeatNo(0)] == (Cause.LEFT,)
    assert dict(band.view()["last_day"]["votes"])[0] == 1
    assert band.player(0).has_left


def test_dynamite_who_leaves_without_a_vote_is_stapled_too() -> None:
    band = Band()
    band.leave(0)
    for seat in range(1, 8):
        band.act(seat, Vote(seat % 7 + 1))
    band.late()
    assert band.causes() == {0: (Cause.STAPLER, Cause.LEFT)}


def test_dynamite_day_refuses_what_is_the_nights_and_strangers_and_who_is_late() -> None:
    band = Band()
    with pytest.raises(NotInPhase):
        band.act(band.are(Team.ROCK)[0], Confront(band.are(Team.PAPER)[0]))
    with pytest.raises(NotSeated):
        RULES.apply(band.state, SeatNo(9), Vote(0), band.at)
    due_at = RULES.deadline(band.state)
    assert due_at is not None
    with pytest.raises(StaleAction):
        RULES.apply(band.state, SeatNo(0), Vote(1), Instant(due_at))
