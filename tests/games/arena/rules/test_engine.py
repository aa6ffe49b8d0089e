from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.rules.figures import Figures
from games.arena.rules.moves import Move
from games.arena.rules.options import Preference, Preferences, RoundOptions
from games.arena.rules.state import ArenaState, PlayerState, with_players
from games.arena.testing import play_random
from games.engine.draws import hash_of_seed
from games.engine.errors import IllegalAction, all_codes
from games.engine.facts import SPECTATOR, Instant, Points, SeatNo, SeatSetup, Step, Viewer
from games.engine.structs import canonical, reader_of, replace
from games.testing.trials import steps
from tests.games.arena.rules.kit import NOON, RULES, SEED, arena

SECOND = 1_000
ONE, TWO = SeatNo(0), SeatNo(1)
OFF = Preferences(*[Preference.OFF] * 6)


def act(state: ArenaState, seat: int, action: Any, at: int | None = None) -> ArenaState:
    return RULES.apply(state, SeatNo(seat), action, Instant(NOON if at is None else at)).state


def pass_on(state: ArenaState) -> Step[ArenaState]:
    assert state.due_at is not None
    return RULES.on_deadline(state, state.due_at)


def wishing(state: ArenaState, **wishes: str) -> ArenaState:
    """Return the arena with everybody wishing for this and nothing else, from this round on."""
    wanted = replace(OFF, **{name: Preference(wish) for name, wish in wishes.items()})
    players = tuple(replace(player, preferences=wanted) for player in state.players)
    return replace(state, players=players)


def player(state: ArenaState, seat: int) -> PlayerState:
    found = state.player(SeatNo(seat))
    assert found is not None
    return found


def code(state: ArenaState, seat: int, action: Any, at: int | None = None) -> str:
    with pytest.raises(IllegalAction) as refused:
        act(state, seat, action, at)
    assert refused.value.code in all_codes()
    return refused.value.code


@pytest.mark.parametrize(("blitz", "seconds"), [("off", 5), ("on", 3)])
def test_arena_selection_lasts_five_seconds_three_with_blitz_and_two_more_for_a_result(
    blitz: str, seconds: int
) -> None:
    state = arena().state
    assert state.due_at == NOON + (3 if state.current.blitz else 5) * SECOND
    assert state.shows_result_until is None
    ended = state.due_at
    assert ended is not None
    following = pass_on(wishing(state, blitz=blitz)).state
    assert following.due_at == ended + (seconds + 2) * SECOND
    assert following.shows_result_until == ended + 2 * SECOND


def test_arena_rests_with_nobody_in_and_wakes_without_a_result_to_look_at() -> None:
    state = arena(seats=0).state
    assert RULES.deadline(state) is None
    assert RULES.view(state, SPECTATOR)["state"] == "resting"
    with pytest.raises(IllegalAction) as refused:
        RULES.on_deadline(state, Instant(NOON + 99_000))
    assert refused.value.code == "action/not_in_phase"
    state = act(state, 4, Join())
    assert state.round == 1
    state = pass_on(act(state, 4, Leave())).state
    assert (state.due_at, state.shows_result_until) == (None, None)
    later = NOON + 60 * SECOND
    state = act(state, 4, Join(), later)
    assert state.round == 2
    assert state.shows_result_until is None
    assert state.due_at is not None
    assert state.due_at - later in (3 * SECOND, 5 * SECOND)


def test_arena_whoever_joins_during_a_selection_plays_in_that_round() -> None:
    state = act(act(arena(seats=1).state, 7, Join()), 7, Choose(Move.ROCK))
    state = pass_on(state).state
    assert (state.last.round, state.last.players) == (1, 2)


def test_arena_leaving_and_resetting_wait_for_the_rounds_end() -> None:
    state = wishing(arena(seats=2).state)
    state = replace(state, round_options=RoundOptions())
    state = act(act(state, 0, Choose(Move.ROCK)), 1, Choose(Move.PAPER))
    state = act(act(state, 0, Leave()), 1, Reset())
    assert player(state, 0).is_in
    state = pass_on(state).state
    assert not player(state, 0).is_in
    assert player(state, 0).figures == Figures(score=-1, streak=-1, losses=1, round_losses=1)
    assert player(state, 1).figures == Figures()
    part = player(state, 1).last
    assert part.score_delta == 1


def test_arena_whoever_joins_again_in_time_stays() -> None:
    state = act(act(arena().state, 0, Leave()), 0, Join())
    assert player(pass_on(state).state, 0).is_in


def test_arena_figures_outlast_leaving() -> None:
    state = arena(seats=2).state
    for _ in range(4):
        state = pass_on(state).state
    before = player(state, 0).figures
    state = pass_on(act(state, 0, Leave())).state
    gone = player(state, 0).figures
    assert gone.round_wins + gone.round_losses + gone.round_ties == 5
    assert before != Figures()
    assert player(act(state, 0, Join(), state.due_at and state.due_at - 1), 0).figures == gone


def test_arena_after_twenty_rounds_without_a_choice_one_watches() -> None:
    state = arena(seats=2).state
    for number in range(20):
        assert player(state, 1).is_in, number
        state = act(state, 0, Choose(Move.ROCK), state.due_at and state.due_at - 1)
        state = pass_on(state).state
    assert player(state, 0).is_in
    assert not player(state, 1).is_in
    assert player(act(state, 1, Join(), state.due_at and state.due_at - 1), 1).idle_rounds == 0


def test_arena_a_choice_can_be_changed_and_taken_back_until_the_selection_ends() -> None:
    state = act(act(arena().state, 0, Choose(Move.ROCK)), 0, Choose(Move.PAPER))
    assert player(state, 0).choice == Move.PAPER
    state = act(state, 0, Choose(None))
    assert player(state, 0).choice is None
    assert state.due_at is not None
    assert code(state, 0, Choose(Move.ROCK), state.due_at) == "stale"
    with pytest.raises(IllegalAction) as refused:
        RULES.on_deadline(state, Instant(state.due_at - 1))
    assert refused.value.code == "action/too_early"


def test_arena_what_makes_no_sense_is_refused() -> None:
    state = arena(seats=2).state
    assert code(state, 0, Join()) == "action/already_seated"
    assert code(state, 5, Choose(Move.ROCK)) == "action/not_seated"
    assert code(state, 5, Leave()) == "action/not_seated"
    assert code(state, 5, Reset()) == "action/nothing_to_reset"
    assert code(act(state, 0, Leave()), 0, Leave()) == "action/not_in_phase"
    assert code(act(state, 0, Reset()), 0, Reset()) == "action/nothing_to_reset"


def test_arena_setup_refuses_points_and_doubles() -> None:
    rich = SeatSetup(ONE, Points(5))
    for seats, what in (([SeatSetup(ONE), SeatSetup(ONE)], "once"), ([rich], "points")):
        with pytest.raises(ValueError, match=what):
            RULES.setup(RULES.Options(), seats, SEED, NOON)


def test_arena_the_drawn_players_settings_are_used_and_shown() -> None:
    state = arena(seats=2).state
    state = act(state, 0, Prefer("count", Preference.ON))
    state = act(state, 1, Prefer("count", Preference.ON))
    state = pass_on(state).state
    shown = RULES.view(state, SPECTATOR)
    assert shown["options"]["count"] is True
    assert shown["drawn"] in (0, 1)


def test_arena_a_seed_is_shown_with_its_result_and_was_committed_to() -> None:
    before = arena().state
    promised = RULES.view(before, SPECTATOR)["commitment"]
    last = RULES.view(pass_on(before).state, SPECTATOR)["last"]
    assert hash_of_seed(last["seed"]) == promised == last["commitment"]
    assert SEED not in canonical(RULES.view(before, SPECTATOR))


def test_arena_survivor_fills_health_and_sits_out_who_has_none() -> None:
    state = pass_on(wishing(arena(seats=3).state, survivor="on")).state
    assert [each.health for each in state.players] == [3, 3, 3]
    assert state.survivor_round == 1
    at = state.due_at and state.due_at - 1
    state = act(state, 9, Join(), at)
    assert RULES.view(state, Viewer(SeatNo(9)))["you"]["is_sat_out"] is True
    assert code(state, 9, Choose(Move.ROCK), at) == "action/out"
    assert Choose(Move.ROCK) not in RULES.legal_actions(state, SeatNo(9))
    following = pass_on(state).state
    assert following.last.players == 3
    assert player(following, 9).idle_rounds == 0
    assert player(following, 9).figures == Figures()
    off = pass_on(wishing(following)).state
    assert {each.health for each in off.players} == {0}


def test_arena_survivor_goes_on_until_one_is_left_and_begins_anew() -> None:
    state = pass_on(wishing(arena(seats=4, idle_rounds=1000).state, survivor="on")).state
    rounds, step = 0, pass_on(state)
    while not any(told.kind == "health_refilled" for told in step.events):
        state, rounds = step.state, rounds + 1
        step = pass_on(state)
        assert state.survivor_round == rounds + 1
    # Nine rounds that cost losers alone, then three at most for the last two of them.
    assert rounds < 13 * 3
    assert {each.health for each in step.state.players} == {3}
    assert step.state.survivor_round == 1


def test_arena_coming_back_under_survivor_is_not_joining() -> None:
    state = pass_on(wishing(arena(seats=3, idle_rounds=1000).state, survivor="on")).state
    state = pass_on(act(state, 0, Leave(), state.due_at and state.due_at - 1)).state
    left = player(state, 0).health
    assert left in (2, 3)
    back = act(state, 0, Join(), state.due_at and state.due_at - 1)
    assert player(back, 0).health == left


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6).map("legal/{}".format))
def test_arena_every_legal_action_is_accepted_and_no_other(seed: str) -> None:
    every: list[ArenaAction] = [
        *(Choose(move) for move in (None, *Move)),
        *(Join(), Leave(), Reset(), Prefer("blitz", Preference.ON)),
    ]
    for state, _, _ in list(steps(RULES, play_random(seed)))[::9]:
        at = Instant((state.due_at or 1) - 1)
        for seat in (ONE, TWO, SeatNo(8)):
            legal = RULES.legal_actions(state, seat)
            for action in every:
                try:
                    RULES.apply(state, seat, action, at)
                except IllegalAction:
                    assert action not in legal
                else:
                    assert action in legal


@pytest.mark.plain
def test_arena_every_state_round_trips_through_its_text() -> None:
    for number in range(6):
        for _, _, step in steps(RULES, play_random(f"text/{number}")):
            text = canonical(step.state)
            assert reader_of(RULES.State).stored(text) == step.state
            assert canonical(reader_of(RULES.State).stored(text)) == text


@pytest.mark.parametrize(("leaves", "health"), [(True, 3), (False, 2)])
def test_arena_who_leaves_does_not_keep_health_from_being_refilled(
    leaves: bool, health: int
) -> None:
    state = pass_on(wishing(arena(seats=3).state, survivor="on")).state
    at = state.due_at and state.due_at - 1
    weak = {
        SeatNo(no): replace(player(state, no), health=left) for no, left in enumerate((3, 2, 0))
    }
    state = with_players(state, weak)
    for seat in (0, 1):
        state = act(state, seat, Choose(Move.ROCK), at)
    state = act(state, 0, Leave(), at) if leaves else state
    after = pass_on(state).state
    assert player(after, 1).health == health
    assert (player(after, 0).is_in, player(after, 0).health) == (not leaves, 3)
    assert RULES.view(after, SPECTATOR)["people"] == 2


def test_arena_first_rounds_of_new_players_are_plain() -> None:
    state = arena(3).state
    for _ in range(3):
        assert (state.drawn, state.round_options) == (None, RoundOptions())
        for no in range(3):
            state = RULES.apply(state, SeatNo(no), Choose(tuple(Move)[no]), NOON).state
        state = RULES.on_deadline(state, state.due_at or NOON).state
    assert state.drawn is not None


def test_arena_a_reset_makes_nobody_new_again() -> None:
    state = arena(3).state
    for _ in range(3):
        state = RULES.on_deadline(state, state.due_at or NOON).state
    for no in range(3):
        state = RULES.apply(state, SeatNo(no), Reset(), NOON).state
    state = RULES.on_deadline(state, state.due_at or NOON).state
    assert [each.figures.rounds for each in state.players] == [0, 0, 0]
    assert state.drawn is not None


def test_arena_a_new_player_is_not_drawn_beside_one_with_a_wish() -> None:
    state = arena(3).state
    state = RULES.apply(state, SeatNo(1), Prefer("count", Preference.ON), NOON).state
    for _ in range(3):
        state = RULES.on_deadline(state, state.due_at or NOON).state
        assert state.drawn == 1
        assert state.round_options.count
