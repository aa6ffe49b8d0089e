"""Days: votes, done, stapler, action points, danger; all of one moment together."""

import pytest

from games.engine.errors import BadTarget, NotInPhase, NotSeated, StaleAction
from games.engine.facts import SeatNo
from games.engine.structs import replace
from games.mafia.common.rules.actions import Done, NotAlive, Post, RoomClosed, Undone
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, NoVote, Vote
from games.mafia.dynamite.rules.state import Cause
from games.mafia.dynamite.rules.teams import MAFIAS, Team, team_sizes
from tests.games.mafia.dynamite.rules.kit import RULES, Band

pytestmark = pytest.mark.plain


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
    assert band.view()["seats"][0]["vote"] == 2
    assert band.act(0, Vote(2)).events == ()
    band.state = band.state.with_member(replace(band.player(3), is_alive=False))
    band.refuses(BadTarget, 0, *map(Vote, (0, 3, 8, 999)))


def test_dynamite_day_ends_as_soon_as_all_have_voted_and_are_done() -> None:
    """Done needs a vote, and a changed vote takes it back."""
    band = Band()
    band.refuses(NoVote, 0, Done())
    for seat in range(8):
        band.act(seat, Vote((seat + 1) % 8))
    assert band.act(0, Done()).events[0].audience == {0}
    assert [told.kind for told in band.act(0, Vote(2)).events] == ["voted", "check_in_withdrawn"]
    assert not band.player(0).is_done
    band.act(0, Done())
    band.act(0, Undone())
    assert not band.view(0)["you"]["is_done"]
    band.all_done(5)
    assert band.state.stage == Stage.DAY
    step = band.act(5, Done())
    assert band.state.stage == Stage.NIGHT
    assert "night_began" in [told.kind for told in step.events]


def test_dynamite_whoever_has_no_vote_is_killed_by_a_stapler_and_votes_for_it_count() -> None:
    band = Band()
    rock, mate = band.are(Team.ROCK)
    band.all_vote(rock, but=rock)
    assert band.causes() == {rock: (Cause.STAPLER,)}
    assert band.last("player_died").audience is None
    # Seven votes, and one for the dead member as night falls.
    assert band.state.points_of(Team.ROCK) == 8
    gained = band.told_of("points_gained")
    assert gained[-1].data["team"] == "scissors"
    own = next(told for told in gained if told.data["team"] == "rock")
    assert own.data == {"team": "rock", "by_votes": 7, "by_dead": 1, "points": 8}
    assert own.audience == {mate}
    band = Band()
    townie = band.are(Team.DYNAMITE)[0]
    band.all_vote(townie, but=townie)
    assert band.causes() == {townie: (Cause.STAPLER, Cause.EXPLOSION)}, "at the same moment"


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
    died = {"seat": one, "team": "dynamite", "causes": ["explosion"]}
    assert band.last("player_died").data == died


def test_dynamite_who_leaves_by_day_acts_no_more_and_dies_when_it_ends() -> None:
    band = Band()
    band.act(0, Vote(1))
    step = band.leave(0)
    assert [(told.kind, told.audience) for told in step.events] == [("leaving_town", {0})]
    assert band.player(0).is_alive
    band.refuses(NotAlive, 0, Vote(2), Done(), Undone())
    band.refuses(RoomClosed, 0, Post("town", "hello"))
    assert band.view(0)["you"]["may"] == []
    for seat in range(1, 8):
        band.act(seat, Vote(int(seat != 1)))
    band.all_done(0)
    assert band.causes()[SeatNo(0)] == (Cause.LEFT,)
    assert dict(band.view()["last_day"]["votes"])[0] == 1
    assert band.player(0).has_left
    band = Band()
    band.leave(0)
    for seat in range(1, 8):
        band.act(seat, Vote(seat % 7 + 1))
    band.late()
    assert band.causes() == {0: (Cause.STAPLER, Cause.LEFT)}, "without a vote"


def test_dynamite_day_refuses_what_is_the_nights_and_strangers_and_who_is_late() -> None:
    band = Band()
    band.refuses(NotInPhase, band.are(Team.ROCK)[0], Confront(band.are(Team.PAPER)[0]))
    band.refuses(NotSeated, 9, Vote(0))
    with pytest.raises(StaleAction):
        RULES.apply(band.state, SeatNo(0), Vote(1), band.due_at)
