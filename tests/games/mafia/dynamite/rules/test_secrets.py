"""Nothing private reaches anybody but those entitled: no view, fact, audience, phase or clock."""

from itertools import combinations
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.facts import SPECTATOR, Instant, SecretFact, Step, Viewer
from games.engine.structs import canonical, replace
from games.mafia.common.rules.actions import (
    Done,
    Leave,
    NotAlive,
    NoWills,
    Post,
    RoomClosed,
    Undone,
    WriteWill,
)
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.view import RoomView
from games.mafia.common.testing import exchanged, said_to
from games.mafia.dynamite.rules.actions import Confront, Vote, Withdraw
from games.mafia.dynamite.rules.options import Options
from games.mafia.dynamite.rules.teams import Team
from games.mafia.dynamite.rules.view import (
    DayView,
    NightView,
    PlayerView,
    PublicView,
    ResultView,
    YouView,
)
from games.mafia.dynamite.testing import CARD, is_known, other_worlds, play_random
from games.testing.trials import steps
from tests.forms import form
from tests.games.classified import classified
from tests.games.mafia.common.rules.noticing import noticed, noticed_of, viewers
from tests.games.mafia.dynamite.rules.kit import RULES, Band

#: Every field of the state is here or there: a new one fails until somebody decides.
PUBLIC = {
    "DynamiteState": {
        *("options", "players", "clock", "stage", "phase", "round", "quiet_phases"),
        *("has_seen_death", "is_played_out", "rooms", "points", "last_night", "last_day", "result"),
    },
    "Player": {"no", "is_alive", "has_left", "causes", "died_round", "vote"},
    "TeamPoints": {"team"},
    "Clock": {"began_at", "limit", "ends_at"},
    "RoomLines": {"room"},
    "DayRecord": {"round", "votes", "died"},
    "NightRecord": {"round", "died"},
    "Result": {"reason", "teams", "winners", "awards"},
    "Options": set(Options.__struct_fields__),
}
SECRET = {
    "DynamiteState": {"seed"},
    "Player": {
        *(
            "team",
            "is_done",
            "is_active",
            "idle_phases",
            "has_chosen",
            "unchosen_phases",
            "reads_to",
            "target",
            "nights",
            "will",
        ),
        *("danger", "points_known", "is_leaving"),
    },
    "TeamPoints": {"points"},
    "Clock": {"early_at"},
    "RoomLines": {"lines"},
}

seeds = st.integers(0, 10**6).map(lambda n: f"secrets/{n}")


def test_dynamite_every_field_of_the_state_is_classified() -> None:
    assert classified(RULES.State) == (PUBLIC, SECRET)


def test_dynamite_facts_that_not_everybody_may_know_are_secret() -> None:
    secret = {kind.__name__ for kind in get_args(RULES.Fact) if issubclass(kind, SecretFact)}
    assert secret == {
        *("TeamDealt", "MatesNamed", "PointsGained", "DangerChanged", "ConfrontationDeclared"),
        *(
            "ConfrontationWithdrawn",
            "LeavingTown",
            "WillWritten",
            "CheckedIn",
            "CheckInWithdrawn",
            "Posted",
        ),
    }
    for number in range(5):
        for _, _, step in steps(RULES, play_random(f"audiences/{number}")):
            for told in step.events:
                if not isinstance(told.fact, SecretFact):
                    assert told.audience is None
                elif told.kind != "posted" or told.data["room"] != "town":
                    assert told.audience is not None


def test_dynamite_secrets_do_not_show_in_the_text_of_a_state() -> None:
    band = Band()
    band.quiet_day()
    band.give(Team.ROCK, 2)
    band.act(band.are(Team.ROCK)[0], Confront(band.are(Team.PAPER)[0]))
    hidden = [event for event in band.told if event.audience is not None]
    shown = repr([band.state, band.state.players, band.state.points, hidden, Confront(3)])
    assert not [team for team in Team if team.value in shown.lower().replace("dynamitestate", "")]
    assert band.state.seed not in shown


@settings(max_examples=form(8, in_all=16, in_long=25), deadline=None)
@given(seeds)
def test_dynamite_views_do_not_depend_on_what_a_viewer_may_not_know(seed: str) -> None:
    states = [step.state for _, _, step in steps(RULES, play_random(seed))]
    for state in states[:: max(1, len(states) // 5)]:
        for viewer in viewers(state):
            shown = canonical(RULES.view(state, viewer))
            assert all(
                canonical(RULES.view(other, viewer)) == shown
                for other in other_worlds(state, viewer)
            )


ASKED: tuple[Any, ...] = (
    Undone(), Withdraw(), Vote(0), Vote(1), Confront(0), Confront(1), Confront(2),
    *(Post(room, "a") for room in ("town", "rock", "paper", "scissors", "dynamite", "dead")),
    WriteWill("b"), WriteWill(""),
)  # fmt: skip


@settings(max_examples=form(6, in_all=12, in_long=15), deadline=None)
@given(seeds, st.data())
def test_dynamite_what_one_does_comes_to_the_same_in_all_worlds_that_one_cannot_tell_apart(
    seed: str, data: st.DataObject
) -> None:
    """Refusals, facts, views, deadlines: what the actor notices depends on what it may know."""
    states = [step.state for _, _, step in steps(RULES, play_random(seed))]
    state = data.draw(st.sampled_from([s for s in states if s.stage != Stage.OVER] or states))
    if state.stage == Stage.OVER:
        return
    state = replace(state, clock=replace(state.clock, early_at=None))
    own = data.draw(st.sampled_from(state.players))
    unknown = [player for player in state.living if not is_known(player, own)]
    worlds = [exchanged(state, *pair, CARD) for pair in combinations(unknown, 2)]
    # Whether the last of a day is done shows everybody; by night it shows nobody.
    asked = (*ASKED, Done(), Leave()) if state.stage == Stage.NIGHT else ASKED
    for each in asked:
        here = noticed_of(RULES, state, own.no, each, Viewer(own.no))
        there = [noticed_of(RULES, other, own.no, each, Viewer(own.no)) for other in worlds]
        assert all(found == here for found in there)


@settings(max_examples=form(6, in_all=12, in_long=15), deadline=None)
@given(seeds)
def test_dynamite_what_is_done_at_night_shows_nobody_else_anything(seed: str) -> None:
    """Confronting, checking in, leaving, posting to the team: others hear and see nothing."""
    nights = [
        before
        for before, _, _ in steps(RULES, play_random(seed))
        if before.stage == Stage.NIGHT and before.clock.early_at is None
    ]
    for state in nights[:: max(1, len(nights) // 6)]:
        for player in state.living:
            for action in (
                *RULES.legal_actions(state, player.no),
                Post(player.team.value, "x"),
                WriteWill("y"),
            ):
                try:
                    step = RULES.apply(state, player.no, action, Instant(state.clock.began_at + 1))
                except (RoomClosed, NotAlive, NoWills):
                    continue
                entitled = {seat for event in step.events for seat in event.audience or ()}
                for viewer in viewers(state):
                    if viewer.seat not in entitled:
                        assert said_to(step, viewer) == []
                        nothing = noticed(RULES, Step(state), viewer)
                        assert noticed(RULES, step, viewer) == nothing


@pytest.mark.parametrize("minutes", [1, 1_440])
def test_dynamite_time_that_is_given_back_does_not_tell_that_all_are_done(minutes: int) -> None:
    shown = []
    for is_done in (False, True):
        band = Band(phase_seconds=60 * minutes)
        band.quiet_day()
        if is_done:
            band.all_done()
        due_at = RULES.deadline(band.state)
        assert due_at is not None
        given_at = due_at + 90_000 if minutes > 5 else band.state.clock.began_at + 120_000
        step = band.take(RULES.postpone(band.state, Instant(given_at)))
        shown.append(noticed(RULES, step, SPECTATOR))
    assert shown[0] == shown[1]


def test_dynamite_a_view_has_exactly_the_documented_fields_whatever_the_team() -> None:
    band = Band(9)
    band.quiet_day()
    band.night()
    for player in band.state.players:
        shown = band.view(player.no)
        assert set(shown) == {*PublicView.__annotations__, "you"}
        assert set(shown["you"]) == set(YouView.__annotations__)
        assert set(shown["you"]["rooms"][0]) == set(RoomView.__annotations__)
    assert set(shown["seats"][0]) == set(PlayerView.__annotations__)
    assert set(shown["last_night"]) == set(NightView.__annotations__)
    assert set(shown["last_day"]) == set(DayView.__annotations__)
    band.take(RULES.void(band.state))
    assert set(band.view()["result"]) == set(ResultView.__annotations__)


def test_dynamite_a_townie_sees_no_danger_but_its_own_and_no_teams_points() -> None:
    band = Band()
    townie = band.are(Team.DYNAMITE)[0]
    band.endanger(townie, 1)
    assert band.view(townie)["you"]["danger"] == 1
    assert band.view(townie)["you"]["points"] is None
    assert band.view(band.are(Team.ROCK)[0])["you"]["danger"] is None
    assert "danger" not in canonical(band.view()["seats"])


def test_dynamite_a_view_of_forty_late_in_a_long_game_fits_32_kb() -> None:
    band = Band(40, quiet_limit=60)
    for _ in range(12):
        for n in range(10):
            band.post(band.alive[n], "town", "x" * 4_000)
        band.quiet_day()
        for team in (Team.ROCK, Team.PAPER, Team.SCISSORS):
            for mate in band.are(team):
                band.give(team, 40)
                band.act(mate, Confront(band.are(_harmless(team))[0]))
        band.late()
    assert len(band.alive) == 40
    for seat in band.alive:
        band.act(seat, Vote((seat + 1) % 40))
    sizes = [len(canonical(band.view(seat))) for seat in range(40)]
    assert max(sizes) < 32_000


def _harmless(team: Team) -> Team:
    """Return the team to which a mafia is vulnerable: confronting it does nothing."""
    return {Team.ROCK: Team.PAPER, Team.PAPER: Team.SCISSORS, Team.SCISSORS: Team.ROCK}[team]
