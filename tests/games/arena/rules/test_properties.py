import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Reset
from games.arena.rules.moves import Move
from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import canonical
from tests.forms import form
from tests.games.arena.rules.kit import RULES
from tests.games.judging import is_accepted
from tools.referee import trials
from tools.referee.arena import TRIAL
from tools.referee.arena.state import ArenaState
from tools.referee.trials import Input, play_many

GAMES = form(20, in_all=30)


def test_arena_random_stretches_keep_their_promises() -> None:
    summary = play_many("arena", TRIAL.random_game, GAMES, "properties")
    assert (summary["violations"], summary["ended"]) == ([], GAMES)
    assert summary["rounds"] > 5 * GAMES


@pytest.mark.plain
def test_arena_the_trial_notices_what_is_wrong() -> None:
    played = TRIAL.play("x")
    assert TRIAL.violations(played) == []
    played.inputs.pop()
    assert any("replay" in each for each in TRIAL.violations(played))


@pytest.mark.plain
def test_arena_the_trial_notices_a_round_without_fights(monkeypatch: pytest.MonkeyPatch) -> None:
    played, fair = TRIAL.play("x"), trials.put_in

    def unfair(rules: object, state: ArenaState, entry: Input) -> Step[ArenaState]:
        step = fair(RULES, state, entry)
        return Step(step.state, tuple(t for t in step.events if t.kind != "round_fought"))

    monkeypatch.setattr(trials, "put_in", unfair)
    assert any("has a result" in each for each in TRIAL.violations(played))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6).map("legal/{}".format))
def test_arena_every_legal_action_is_accepted_and_no_other_and_a_state_stays(seed: str) -> None:
    every: list[ArenaAction] = [*map(Choose, (None, *Move)), Join(), Leave(), Reset()]
    for state, _, _ in list(trials.steps(RULES, TRIAL.play(seed)))[::9]:
        text, at = canonical(state), Instant((state.due_at or 1) - 1)
        for seat in map(SeatNo, (0, 1, 8)):
            taken = [each for each in every if is_accepted(RULES, state, seat, each, at)]
            legal = RULES.legal_actions(state, seat)
            assert taken == [each for each in every if each in legal]
        assert canonical(state) == text
