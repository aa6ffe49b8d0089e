import pytest

from games.engine.facts import Step
from tests.forms import form
from tests.games.arena.rules.kit import RULES
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
def test_arena_the_trial_notices_a_round_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    played, fair = TRIAL.play("x"), trials.put_in

    def unfair(rules: object, state: ArenaState, entry: Input) -> Step[ArenaState]:
        step = fair(RULES, state, entry)
        return Step(step.state, tuple(t for t in step.events if t.kind != "round_fought"))

    monkeypatch.setattr(trials, "put_in", unfair)
    assert any("has a result" in each for each in TRIAL.violations(played))
