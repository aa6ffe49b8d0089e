from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena.rules.actions import ArenaAction, Choose, Join, Leave, Reset
from games.arena.rules.moves import Move
from games.engine.facts import Instant, SeatNo
from games.engine.structs import canonical
from tests.games.arena.rules.kit import RULES
from tests.games.judging import is_accepted
from tools.referee import trials
from tools.referee.arena import TRIAL


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
