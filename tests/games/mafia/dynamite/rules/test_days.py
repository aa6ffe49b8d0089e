import pytest

from games.engine.errors import StaleAction
from games.engine.facts import SeatNo
from games.engine.protocols import Result
from games.engine.structs import canonical, replace
from games.mafia.common.rules.actions import Done, Leave, Post, Undone
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, Vote, Withdraw
from games.mafia.dynamite.rules.engine import FirstDynamite
from games.mafia.dynamite.rules.state import Cause, Reason
from games.mafia.dynamite.rules.teams import MAFIAS, VULNERABLE_TO, Team, team_sizes
from games.mafia.dynamite.town_config import fate
from tests.games.mafia.dynamite.rules.kit import RULES, Band


def test_dynamite_setup_gives_each_mafia_a_quarter_and_the_town_up_to_three_more() -> None:
    for players in range(4, 41):
        sizes, band = dict(team_sizes(players)), Band(players)
        assert {sizes[team] for team in MAFIAS} == {players // 4}
        assert 0 <= sizes[Team.DYNAMITE] - players // 4 <= 3
        assert sum(sizes.values()) == players
        assert {team: len(band.are(team)) for team in Team} == sizes
    for players in (3, 41):
        with pytest.raises(ValueError, match="4 to 40"):
            team_sizes(players)
    band = Band()
    assert (band.state.stage, band.state.phase, band.state.round) == (Stage.DAY, 1, 1)
    assert [purse.points for purse in band.state.points] == [0, 0, 0]
    dealt = [*["team_dealt"] * 8, *["mates_named"] * 3]
    assert band.kinds() == ["game_started", *dealt, "day_began"]


def test_dynamite_vote_is_public_and_can_be_changed_but_not_for_oneself_or_the_dead() -> None:
    band = Band()
    assert band.act(0, Vote(1)).events[0].audience is None
    band.act(0, Vote(2))
    assert (band.view()["seats"][0]["vote"], band.act(0, Vote(2)).events) == (2, ())
    band.state = band.state.with_member(replace(band.member(3), is_alive=False))
    band.refuses("action/bad_target", 0, *map(Vote, (0, 3, 8, 999)))


def test_dynamite_day_ends_as_soon_as_all_have_voted_and_are_done() -> None:
    """Done needs a vote, and a changed vote takes it back."""
    band = Band()
    band.refuses("action/no_vote", 0, Done())
    for seat in range(8):
        band.act(seat, Vote((seat + 1) % 8))
    assert band.act(0, Done()).events[0].audience == {0}
    assert [told.kind for told in band.act(0, Vote(2)).events] == ["voted", "check_in_withdrawn"]
    assert not band.member(0).is_done
    band.act(0, Done())
    band.act(0, Undone())
    assert not band.view(0)["you"]["is_done"]
    band.all_done(5)
    assert band.state.stage == Stage.DAY
    step = band.act(5, Done())
    assert band.state.stage == Stage.NIGHT
    assert "night_began" in [told.kind for told in step.events]


def test_dynamite_who_leaves_by_day_acts_no_more_and_dies_when_it_ends() -> None:
    band = Band()
    band.act(0, Vote(1))
    step = band.leave(0)
    assert [(told.kind, told.audience) for told in step.events] == [("leaving_town", {0})]
    assert band.member(0).is_alive
    band.refuses("action/not_alive", 0, Vote(2), Done(), Undone())
    band.refuses("action/room_closed", 0, Post("town", "hello"))
    assert band.view(0)["you"]["may"] == []
    for seat in range(1, 8):
        band.act(seat, Vote(int(seat != 1)))
    band.all_done(0)
    assert band.causes()[SeatNo(0)] == (Cause.LEFT,)
    assert dict(band.view()["last_day"]["votes"])[0] == 1
    assert band.member(0).has_left


def test_dynamite_day_refuses_what_is_the_nights_and_strangers_and_who_is_late() -> None:
    band = Band()
    band.refuses("action/not_in_phase", band.are(Team.ROCK)[0], Confront(band.are(Team.PAPER)[0]))
    band.refuses("action/not_seated", 9, Vote(0))
    with pytest.raises(StaleAction):
        RULES.apply(band.state, SeatNo(0), Vote(1), band.due_at)


def test_dynamite_a_death_keeps_its_stage_and_by_version_1_only_its_round() -> None:
    by_round = "left town, round 1"
    for rules, told in (
        (RULES, ["left town on day 1", "left town in night 1"]),
        (FirstDynamite(), [by_round, by_round]),
    ):
        band = Band(rules=rules)
        for seat in range(8):
            band.act(seat, Vote((seat + 1) % 8))
        for seat in (0, 1):
            band.leave(seat)
            band.late()
        assert [fate(band.view()["seats"][no])[2] for no in (0, 1)] == told
        assert ("died_stage" in canonical(band.state)) is (rules is RULES)


def test_dynamite_who_takes_over_stays_where_the_one_before_was_leaving() -> None:
    town = Band(substitutes=True)
    seat = town.are(Team.DYNAMITE)[0]
    town.act(seat, Vote(town.are(Team.ROCK)[0]))
    town.act(seat, Leave())
    assert town.member(seat).is_leaving
    step = RULES.take_over(town.state, town.member(seat).no, town.at)
    assert (step.events, step.state.member(seat).may_act) == ((), True)
    town.state = step.state
    town.day()
    assert town.member(seat).is_alive
    # Who lives without an action for two phases may be replaced.
    for is_wanted in (False, True):
        band = Band(substitutes=is_wanted)
        state = band.state.with_member(replace(band.member(3), idle_phases=2))
        assert RULES.open_seats(state) == ((3,) if is_wanted else ())


ROCK, PAPER, SCISSORS, TOWN = Team.ROCK, Team.PAPER, Team.SCISSORS, Team.DYNAMITE


def night(seats: int = 8, points: int = 4, **options: int) -> Band:
    """Return a first night in which every mafia can pay for two confrontations."""
    band = Band(seats, **options)
    band.quiet_day()
    for team in MAFIAS:
        band.give(team, points)
    return band


@pytest.mark.parametrize("prey", MAFIAS)
def test_dynamite_confrontation_kills_whom_it_is_stronger_than_and_nobody_else(prey: Team) -> None:
    band = night()
    (hunter, _), (target, _) = band.are(VULNERABLE_TO[prey]), band.are(prey)
    band.night((hunter, target))
    assert band.causes() == {target: (Cause.CONFRONTED,)}
    band = night()
    band.night((target, hunter))
    assert (band.causes(), band.kinds()[-2:]) == ({}, ["nobody_died", "day_began"])
    band = night()
    band.night((target, band.are(TOWN)[0]))
    assert band.causes() == {target: (Cause.TOWNIE,)}


def test_dynamite_points_are_reserved_come_back_and_pay_for_so_many() -> None:
    band = night(12)
    rock, prey = band.are(ROCK), band.are(SCISSORS)
    assert band.act(rock[0], Confront(prey[0])).events[0].audience == set(rock)
    assert band.view(rock[1])["you"]["reserved"] == 2
    assert band.view(rock[1])["you"]["confrontations"] == [(rock[0], prey[0])]
    band.act(rock[1], Confront(prey[0]))
    band.refuses("action/no_points_left", rock[2], Confront(prey[0]))
    # Another target costs nothing; taken back, the points are free for somebody else.
    band.act(rock[0], Confront(prey[1]))
    assert band.view(rock[0])["you"]["target"] == prey[1]
    band.act(rock[1], Withdraw())
    assert band.act(rock[1], Withdraw()).events == ()
    band.act(rock[2], Confront(prey[0]))
    assert band.state.points_of(ROCK) == 4
    band.late()
    assert (band.state.points_of(ROCK), band.state.points_of(PAPER)) == (0, 2)


def test_dynamite_one_cannot_confront_mates_oneself_the_dead_or_without_points() -> None:
    band = night()
    rock = band.are(ROCK)
    band.refuses("action/bad_target", rock[0], *map(Confront, (*rock, 99)))
    band.give(ROCK, 1)
    band.refuses("action/no_points_left", rock[0], Confront(band.are(PAPER)[0]))
    band.refuses("action/not_mafia", band.are(TOWN)[0], Confront(0), Withdraw())


def test_dynamite_each_night_a_team_gains_a_point_for_each_of_its_dead_who_learn_no_more() -> None:
    band = night()
    dead, mate = band.are(ROCK)
    band.night((band.are(PAPER)[0], dead))
    known = band.view(dead)["you"]
    assert (known["points"], known["mates"], known["confrontations"]) == (4, [dead, mate], [])
    band.give(ROCK, 9)
    assert band.view(dead)["you"]["points"] == 4


def test_dynamite_who_leaves_by_night_confronts_nobody_and_can_still_be_hit() -> None:
    band = night()
    (gone, mate), paper = band.are(ROCK), band.are(PAPER)
    band.act(gone, Confront(band.are(SCISSORS)[0]))
    band.act(paper[0], Confront(gone))
    step = band.leave(gone)
    assert [(told.kind, told.audience) for told in step.events] == [
        ("confrontation_withdrawn", {gone, mate}),
        ("leaving_town", {gone}),
    ]
    assert band.view(mate)["you"]["reserved"] == 0
    band.late()
    assert band.causes() == {gone: (Cause.CONFRONTED, Cause.LEFT)}


@pytest.mark.parametrize("prey", MAFIAS)
def test_dynamite_a_mafia_wins_with_its_dead_when_the_last_of_its_prey_is_dead(prey: Team) -> None:
    hunter = VULNERABLE_TO[prey]
    band = night()
    hunters, hunted = band.are(hunter), band.are(prey)
    # One of the hunters dies at a townie's in the same moment, and wins all the same.
    band.give(hunter, 6)
    third = next(team for team in MAFIAS if team not in (prey, hunter))
    band.night((hunters[0], hunted[0]), (band.are(third)[0], hunters[0]), (hunters[1], hunted[1]))
    result = band.state.result
    assert (result.reason, result.teams) == (Reason.ELIMINATED, (hunter,))
    assert set(result.winners) == {*hunters, *band.are(TOWN)}
    outcome = RULES.outcome(band.state)
    assert {no for no, one in outcome.items() if one.result == Result.WON} == set(result.winners)
    assert {one.net for one in outcome.values()} == {0}
    awards = [told.data for told in band.told_of("award_earned")]
    assert awards == [{"seat": no, "points": 5, "y_points": 0} for no in sorted(result.winners)]


def test_dynamite_all_three_win_when_every_mafioso_is_dead() -> None:
    band = night(4, points=2)
    rock, paper, scissors = (band.are(team)[0] for team in MAFIAS)
    band.night((rock, scissors), (scissors, paper), (paper, rock))
    assert set(band.state.result.teams) == set(MAFIAS)
    assert band.state.result.winners == (0, 1, 2, 3)


def test_dynamite_a_townie_sees_no_danger_but_its_own_and_no_teams_points() -> None:
    band = Band()
    townie = band.are(Team.DYNAMITE)[0]
    band.state = band.state.with_member(replace(band.member(townie), danger=1))
    assert band.view(townie)["you"]["danger"] == 1
    assert band.view(townie)["you"]["points"] is None
    assert band.view(band.are(Team.ROCK)[0])["you"]["danger"] is None
    assert "danger" not in canonical(band.view()["seats"])
