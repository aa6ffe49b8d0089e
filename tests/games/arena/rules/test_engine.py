from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Prefer, Reset
from games.arena.rules.figures import Figures
from games.arena.rules.moves import Move
from games.arena.rules.options import OPTIONS, Preference, Preferences, RoundOptions
from games.engine.draws import hash_of_seed
from games.engine.errors import IllegalAction, all_codes
from games.engine.facts import SPECTATOR, Instant, Points, SeatNo, SeatSetup, Viewer
from games.engine.structs import canonical, reader_of, replace
from tests.games.arena.rules.kit import NOON, RULES, SEED, arena
from tools.referee.arena import TRIAL
from tools.referee.arena.state import ArenaState, PlayerState, with_players
from tools.referee.trials import steps

SECOND = 1_000
ONE, TWO = SeatNo(0), SeatNo(1)


def act(state: ArenaState, seat: int, action: Any, at: int | None = None) -> ArenaState:
    at = (state.due_at - 1 if state.due_at else NOON) if at is None else at
    return RULES.apply(state, SeatNo(seat), action, Instant(at)).state


def pass_on(state: ArenaState, times: int = 1) -> ArenaState:
    for _ in range(times):
        state = RULES.on_deadline(state, state.due_at).state
    return state


def wishing(state: ArenaState, **wishes: str) -> ArenaState:
    wanted = Preferences(**{name: Preference(wishes.get(name, "off")) for name in OPTIONS})
    players = tuple(replace(player, preferences=wanted) for player in state.players)
    return replace(state, players=players)


def survivors(seats: int, **numbers: int) -> ArenaState:
    return pass_on(wishing(arena(seats, **numbers), survivor="on"))


def player(state: ArenaState, seat: int) -> PlayerState:
    return state.player(SeatNo(seat))


def code(state: ArenaState, seat: int, action: Any, at: int | None = None) -> str:
    with pytest.raises(IllegalAction) as refused:
        act(state, seat, action, at)
    assert refused.value.code in all_codes()
    return refused.value.code


@pytest.mark.parametrize(("blitz", "seconds"), [("off", 5), ("on", 3)])
def test_arena_selection_lasts_five_seconds_three_with_blitz_and_two_more_for_a_result(
    blitz: str, seconds: int
) -> None:
    state = arena()
    ended = state.due_at
    assert ended == NOON + (3 if state.current.blitz else 5) * SECOND
    assert state.shows_result_until is None
    following = pass_on(wishing(state, blitz=blitz))
    assert following.due_at == ended + (seconds + 2) * SECOND
    assert following.shows_result_until == ended + 2 * SECOND


def test_arena_rests_with_nobody_in_and_wakes_without_a_result_to_look_at() -> None:
    state = arena(seats=0)
    assert RULES.deadline(state) is None
    assert RULES.view(state, SPECTATOR)["state"] == "resting"
    with pytest.raises(IllegalAction) as refused:
        RULES.on_deadline(state, Instant(NOON + 99_000))
    assert refused.value.code == "action/not_in_phase"
    state = act(state, 4, Join())
    assert state.round == 1
    state = pass_on(act(state, 4, Leave()))
    assert (state.due_at, state.shows_result_until) == (None, None)
    later = NOON + 60 * SECOND
    state = act(state, 4, Join(), later)
    assert (state.round, state.shows_result_until) == (2, None)
    assert state.due_at - later in (3 * SECOND, 5 * SECOND)


def test_arena_whoever_joins_during_a_selection_plays_in_that_round() -> None:
    state = pass_on(act(act(arena(seats=1), 7, Join()), 7, Choose(Move.ROCK)))
    assert (state.last.round, state.last.players) == (1, 2)


def test_arena_leaving_and_resetting_wait_for_the_rounds_end() -> None:
    state = replace(wishing(arena(seats=2)), round_options=RoundOptions())
    state = act(act(state, 0, Choose(Move.ROCK)), 1, Choose(Move.PAPER))
    state = act(act(state, 0, Leave()), 1, Reset())
    assert player(state, 0).is_in
    back = act(state, 0, Join())
    assert player(pass_on(back), 0).is_in, "whoever joins again in time stays"
    state = pass_on(state)
    assert not player(state, 0).is_in
    assert player(state, 0).figures == Figures(score=-1, streak=-1, losses=1, round_losses=1)
    assert (player(state, 1).figures, player(state, 1).last.score_delta) == (Figures(), 1)


def test_arena_figures_outlast_leaving() -> None:
    state = pass_on(act(pass_on(arena(seats=2), 4), 0, Leave()))
    gone = player(state, 0).figures
    assert gone.round_wins + gone.round_losses + gone.round_ties == 5
    assert gone != Figures()
    assert player(act(state, 0, Join()), 0).figures == gone


def test_arena_after_twenty_rounds_without_a_choice_one_watches() -> None:
    state = arena(seats=2)
    for number in range(20):
        assert player(state, 1).is_in, number
        state = pass_on(act(state, 0, Choose(Move.ROCK)))
    assert (player(state, 0).is_in, player(state, 1).is_in) == (True, False)
    assert player(act(state, 1, Join()), 1).idle_rounds == 0


def test_arena_a_choice_can_be_changed_and_taken_back_until_the_selection_ends() -> None:
    state = act(act(arena(), 0, Choose(Move.ROCK)), 0, Choose(Move.PAPER))
    assert player(state, 0).choice == Move.PAPER
    state = act(state, 0, Choose(None))
    assert player(state, 0).choice is None
    assert code(state, 0, Choose(Move.ROCK), state.due_at) == "stale"
    with pytest.raises(IllegalAction) as refused:
        RULES.on_deadline(state, Instant(state.due_at - 1))
    assert refused.value.code == "action/too_early"


def test_arena_what_makes_no_sense_is_refused() -> None:
    state = arena(seats=2)
    assert code(state, 0, Join()) == "action/already_seated"
    assert code(state, 5, Choose(Move.ROCK)) == "action/not_seated"
    assert code(state, 5, Leave()) == "action/not_seated"
    assert code(state, 5, Reset()) == "action/nothing_to_reset"
    assert code(act(state, 0, Leave()), 0, Leave()) == "action/not_in_phase"
    assert code(act(state, 0, Reset()), 0, Reset()) == "action/nothing_to_reset"
    rich = SeatSetup(ONE, Points(5))
    for seats, what in (([SeatSetup(ONE), SeatSetup(ONE)], "once"), ([rich], "points")):
        with pytest.raises(ValueError, match=what):
            RULES.setup(RULES.Options(), seats, SEED, NOON)


def test_arena_a_seed_is_shown_with_its_result_and_was_committed_to() -> None:
    before = arena()
    promised = RULES.view(before, SPECTATOR)["commitment"]
    last = RULES.view(pass_on(before), SPECTATOR)["last"]
    assert hash_of_seed(last["seed"]) == promised == last["commitment"]
    assert SEED not in canonical(RULES.view(before, SPECTATOR))


def test_arena_survivor_fills_health_and_sits_out_who_has_none() -> None:
    state = survivors(3)
    assert ([each.health for each in state.players], state.survivor_round) == ([3, 3, 3], 1)
    state = act(state, 9, Join())
    assert RULES.view(state, Viewer(SeatNo(9)))["you"]["is_sat_out"] is True
    assert code(state, 9, Choose(Move.ROCK)) == "action/out"
    assert Choose(Move.ROCK) not in RULES.legal_actions(state, SeatNo(9))
    following = pass_on(state)
    assert following.last.players == 3
    assert (player(following, 9).idle_rounds, player(following, 9).figures) == (0, Figures())
    assert {each.health for each in pass_on(wishing(following)).players} == {0}


def test_arena_survivor_goes_on_until_one_is_left_and_begins_anew() -> None:
    state, rounds = survivors(4, idle_rounds=1000), 0
    while True:
        step = RULES.on_deadline(state, state.due_at)
        if any(told.kind == "health_refilled" for told in step.events):
            break
        state, rounds = step.state, rounds + 1
        assert state.survivor_round == rounds + 1
    # Nine rounds that cost losers alone, then three at most for the last two of them.
    assert rounds < 13 * 3
    assert ({each.health for each in step.state.players}, step.state.survivor_round) == ({3}, 1)


def test_arena_coming_back_under_survivor_is_not_joining() -> None:
    state = pass_on(act(survivors(3, idle_rounds=1000), 0, Leave()))
    left = player(state, 0).health
    assert left in (2, 3)
    assert player(act(state, 0, Join()), 0).health == left


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6).map("legal/{}".format))
def test_arena_every_legal_action_is_accepted_and_no_other(seed: str) -> None:
    every: list[ArenaAction] = [
        *(Choose(move) for move in (None, *Move)),
        *(Join(), Leave(), Reset(), Prefer("blitz", Preference.ON)),
    ]
    for state, _, _ in list(steps(RULES, TRIAL.play(seed)))[::9]:
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
        for _, _, step in steps(RULES, TRIAL.play(f"text/{number}")):
            text = canonical(step.state)
            assert reader_of(RULES.State).stored(text) == step.state
            assert canonical(reader_of(RULES.State).stored(text)) == text


@pytest.mark.parametrize(("leaves", "health"), [(True, 3), (False, 2)])
def test_arena_who_leaves_does_not_keep_health_from_being_refilled(leaves, health) -> None:
    state = survivors(3)
    healths = enumerate((3, 2, 0))
    weak = {SeatNo(no): replace(player(state, no), health=left) for no, left in healths}
    state = with_players(state, weak)
    for seat in (0, 1):
        state = act(state, seat, Choose(Move.ROCK))
    after = pass_on(act(state, 0, Leave()) if leaves else state)
    assert player(after, 1).health == health
    assert (player(after, 0).is_in, player(after, 0).health) == (not leaves, 3)
    assert RULES.view(after, SPECTATOR)["people"] == 2


def test_arena_first_rounds_of_new_players_are_plain() -> None:
    state = arena(3)
    for _ in range(3):
        assert (state.drawn, state.round_options) == (None, RoundOptions())
        for no, move in enumerate(Move):
            state = act(state, no, Choose(move))
        state = pass_on(state)
    assert state.drawn is not None
    # A reset makes nobody new again.
    for no in range(3):
        state = act(state, no, Reset())
    state = pass_on(state)
    assert [each.figures.rounds for each in state.players] == [0, 0, 0]
    assert state.drawn is not None


def test_arena_a_new_player_is_not_drawn_beside_one_with_a_wish() -> None:
    state = act(arena(3), 1, Prefer("count", Preference.ON))
    for _ in range(3):
        state = pass_on(state)
        assert state.drawn == 1
        shown = RULES.view(state, SPECTATOR)
        assert (shown["drawn"], shown["options"]["count"]) == (1, True)
