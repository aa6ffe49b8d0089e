import pytest

from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import canonical, replace
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


def without_fights(step: Step[ArenaState]) -> Step[ArenaState]:
    return Step(step.state, tuple(told for told in step.events if told.kind != "round_fought"))


def strangely_healthy(step: Step[ArenaState]) -> Step[ArenaState]:
    options = replace(step.state.current, survivor=False)
    players = tuple(replace(player, health=1) for player in step.state.players)
    return Step(replace(step.state, round_options=options, players=players), step.events)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("change", "what"), [(without_fights, "has a result"), (strangely_healthy, "health without")]
)
def test_arena_the_trial_notices_a_round_that_is_wrong(monkeypatch, change, what: str) -> None:
    played, fair = TRIAL.play("x"), trials.put_in

    def unfair(rules: object, state: ArenaState, entry: Input) -> Step[ArenaState]:
        step = fair(RULES, state, entry)
        return change(step) if entry.kind == "deadline" else step

    monkeypatch.setattr(trials, "put_in", unfair)
    assert any(what in each for each in TRIAL.violations(played))


def test_arena_a_used_state_is_left_as_it_was() -> None:
    played = TRIAL.play("used")
    text = canonical(played.state)
    for seat in map(SeatNo, range(3)):
        for action in RULES.legal_actions(played.state, seat):
            RULES.apply(played.state, seat, action, Instant(0))
    assert canonical(played.state) == text
