"""Nothing private reaches anybody but those entitled: no view, fact, audience, phase or clock."""

from itertools import combinations
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.facts import SPECTATOR, Instant, SecretFact, Step, Viewer
from games.engine.structs import canonical, replace
from games.mafia.agora.rules.actions import Choose, Vote
from games.mafia.agora.rules.options import Options
from games.mafia.agora.rules.roles import NIGHT_ROLES, Role
from games.mafia.agora.rules.view import (
    CitizenView,
    DayView,
    NightView,
    PublicView,
    ResultView,
    YouView,
)
from games.mafia.agora.testing import CARD, other_worlds, play_random, unknown_to
from games.mafia.common.rules.actions import (
    Done,
    Leave,
    NoWills,
    Post,
    RoomClosed,
    Undone,
    WriteWill,
)
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.view import RoomView
from games.mafia.common.testing import exchanged, said_to
from games.testing.trials import steps
from tests.forms import form
from tests.games.classified import classified
from tests.games.mafia.agora.rules.kit import RULES, Town
from tests.games.mafia.common.rules.noticing import noticed, noticed_of, viewers

#: Every field of the state is here or there: a new one fails until somebody decides.
PUBLIC = {
    "AgoraState": {
        *("options", "citizens", "clock", "stage", "phase", "round", "quiet_phases"),
        *("has_seen_death", "is_played_out", "rooms", "last_night", "last_day", "result"),
    },
    "Citizen": {"no", "is_alive", "has_left", "cause", "died_round", "vote"},
    "Clock": {"began_at", "limit", "ends_at"},
    "RoomLines": {"room"},
    "DayRecord": {"round", "votes", "lynched"},
    "NightRecord": {"round", "killed"},
    "Result": {"reason", "winner", "awards"},
    "Options": set(Options.__struct_fields__),
}
SECRET = {
    "AgoraState": {"seed"},
    "Citizen": {
        *(
            "role",
            "is_done",
            "is_active",
            "idle_phases",
            "has_chosen",
            "unchosen_phases",
            "reads_to",
            "is_file_mafia",
            "target",
        ),
        *("nights", "read_files", "learned", "saved", "will"),
    },
    "Clock": {"early_at"},
    "RoomLines": {"lines"},
}

seeds = st.integers(0, 10**6).map(lambda n: f"secrets/{n}")


def test_agora_every_field_of_the_state_is_classified() -> None:
    assert classified(RULES.State) == (PUBLIC, SECRET)


def test_agora_facts_that_not_everybody_may_know_are_secret() -> None:
    secret = {kind.__name__ for kind in get_args(RULES.Fact) if issubclass(kind, SecretFact)}
    assert secret == {
        *("RoleDealt", "MafiaNamed", "TargetChosen", "CheckedIn", "CheckInWithdrawn", "Posted"),
        *("SavedByDoctor", "FileRead", "RoleLearned", "WillWritten"),
    }
    for _, _, step in steps(RULES, play_random("audiences")):
        for told in step.events:
            if not isinstance(told.fact, SecretFact):
                assert told.audience is None
            elif told.kind != "posted" or told.data["room"] != "town":
                assert told.audience is not None


def test_agora_secrets_do_not_show_in_the_text_of_a_state() -> None:
    town = Town()
    town.choose(Role.DOCTOR, 3)
    hidden = [event for event in town.told if event.audience is not None]
    shown = repr([town.state, town.state.citizens, hidden, Choose(3)])
    assert not [role for role in NIGHT_ROLES if role.value in shown.lower()]
    assert town.state.seed not in shown


@settings(max_examples=form(8, in_all=16, in_long=25), deadline=None)
@given(seeds)
def test_agora_views_do_not_depend_on_what_a_viewer_may_not_know(seed: str) -> None:
    states = [step.state for _, _, step in steps(RULES, play_random(seed))]
    for state in states[:: max(1, len(states) // 5)]:
        for viewer in viewers(state):
            shown = canonical(RULES.view(state, viewer))
            assert all(
                canonical(RULES.view(other, viewer)) == shown
                for other in other_worlds(state, viewer)
            )


ASKED: tuple[Any, ...] = (
    Done(), Undone(), Vote(0), Vote("none"), Vote(None), Choose(1), Choose("none"),
    Post("town", "a"), Post("mafia", "b"), Post("dead", "c"), WriteWill("d"), WriteWill(""),
)  # fmt: skip


@settings(max_examples=form(6, in_all=12, in_long=15), deadline=None)
@given(seeds, st.data())
def test_agora_what_one_does_comes_to_the_same_in_all_worlds_that_one_cannot_tell_apart(
    seed: str, data: st.DataObject
) -> None:
    """Refusals, facts, views, deadlines: what the actor notices depends on what it may know."""
    states = [step.state for _, _, step in steps(RULES, play_random(seed))]
    state = data.draw(st.sampled_from([s for s in states if s.stage != Stage.OVER] or states))
    if state.stage == Stage.OVER:
        return
    state = replace(state, clock=replace(state.clock, early_at=None))
    seat = data.draw(st.sampled_from([citizen.no for citizen in state.citizens]))
    own = state.member(seat)
    worlds = [
        exchanged(state, one, other, CARD)
        for one, other in combinations(unknown_to(state, own), 2)
        if one.is_alive and other.is_alive
    ]
    for asked in ASKED:
        if isinstance(asked, Vote) and asked.choice is not None:
            continue  # a lynching shows who won
        here = noticed_of(RULES, state, seat, asked, Viewer(seat))
        assert all(noticed_of(RULES, other, seat, asked, Viewer(seat)) == here for other in worlds)


@settings(max_examples=form(6, in_all=12, in_long=15), deadline=None)
@given(seeds)
def test_agora_what_is_done_at_night_shows_nobody_else_anything(seed: str) -> None:
    """Choosing, checking in, posting to the mafia: others hear nothing, and see no difference."""
    nights = [
        before
        for before, _, _ in steps(RULES, play_random(seed))
        if before.stage == Stage.NIGHT and before.clock.early_at is None
    ]
    for state in nights[:: max(1, len(nights) // 6)]:
        for citizen in state.living:
            for action in (
                *RULES.legal_actions(state, citizen.no),
                Post("mafia", "x"),
                WriteWill("y"),
            ):
                if isinstance(action, Leave):
                    continue
                try:
                    step = RULES.apply(state, citizen.no, action, Instant(state.clock.began_at + 1))
                except (RoomClosed, NoWills):
                    continue
                entitled = {seat for event in step.events for seat in event.audience or ()}
                for viewer in viewers(state):
                    if viewer.seat not in entitled:
                        assert said_to(step, viewer) == []
                        assert noticed(RULES, step, viewer) == noticed(RULES, Step(state), viewer)


@pytest.mark.parametrize("minutes", [1, 5, 6, 1_440])
@pytest.mark.parametrize("away", [0, 90_000, 3_600_000])
def test_agora_time_that_is_given_back_does_not_tell_that_all_are_done(
    minutes: int, away: int
) -> None:
    """As the house repays: a live clock until an instant, a slow one by the outage's length."""
    shown, early = [], []
    for is_done in (False, True):
        town = Town(phase_seconds=60 * minutes)
        if is_done:
            town.all_done()
        due_at = RULES.deadline(town.state)
        assert due_at is not None
        until = town.state.clock.began_at + 10_000 + away + 20_000
        given = due_at + away if minutes > 5 else until
        step = town.take(RULES.postpone(town.state, Instant(given)))
        shown.append(noticed(RULES, step, SPECTATOR))
        early.append(RULES.deadline(town.state))
        assert RULES.deadline(town.state) >= given
    assert shown[0] == shown[1]
    assert early[1] <= early[0]


def test_agora_the_kinds_of_what_one_may_do_do_not_tell_others_a_role() -> None:
    town = Town()
    kinds = {c.role: town.view(c.no)["you"]["may"] for c in town.state.citizens}
    assert {role for role, may in kinds.items() if "choose" in may} == NIGHT_ROLES
    assert all(may[-2:] == ["done", "leave"] for may in kinds.values())
    assert "you" in town.view()
    assert town.view()["you"] is None
    targets = [
        [a.target for a in RULES.legal_actions(town.state, c.no) if isinstance(a, Choose)]
        for c in town.state.citizens
        if c.has_night_action
    ]
    assert all(each == targets[0] for each in targets)


def test_agora_a_view_has_exactly_the_documented_fields_whatever_the_role() -> None:
    town = Town(9)
    town.night(mafioso=town.one(Role.CITIZEN))
    town.late()
    for citizen in town.state.citizens:
        shown = town.view(citizen.no)
        assert set(shown) == {*PublicView.__annotations__, "you"}
        assert set(shown["you"]) == set(YouView.__annotations__)
        assert set(shown["you"]["rooms"][0]) == set(RoomView.__annotations__)
    assert set(shown["seats"][0]) == set(CitizenView.__annotations__)
    assert set(shown["last_night"]) == set(NightView.__annotations__)
    assert set(shown["last_day"]) == set(DayView.__annotations__)
    town.take(RULES.void(town.state))
    assert set(town.view()["result"]) == set(ResultView.__annotations__)


def test_agora_a_view_of_seventeen_late_in_a_long_game_fits_8_kb() -> None:
    town = Town(17, quiet_limit=30)
    for _ in range(20):
        town.night(sheriff=1, mafioso="none", doctor=2, agent=3)
        for n in range(10):
            town.post(n, "town", "x" * 4_000)
        for seat in town.alive:
            town.vote((seat * 3) % 17 if seat % 2 else "none", seat)
        if town.view()["stage"] == "day":
            town.late()
    sizes = [len(canonical(town.view(seat))) for seat in range(17)]
    assert max(sizes) < 8_000
