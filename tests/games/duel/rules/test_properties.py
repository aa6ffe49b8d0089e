import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.duel.rules.actions import Throw
from games.duel.rules.state import Hand, SeatState, with_seat
from games.engine.facts import SPECTATOR, Instant, Viewer
from games.engine.structs import canonical
from tests.forms import form
from tests.games.contract.kit import heard
from tests.games.duel.rules.kit import RULES, A, B, duel, play, view
from tools.referee.duel import TRIAL
from tools.referee.trials import replay, steps

hands = st.sampled_from(list(Hand))
seeds = st.integers(0, 10**6).map(str)


@settings(max_examples=form(20, in_all=40, in_long=60), deadline=None)
@given(st.data(), seeds, hands, hands)
def test_duel_the_order_of_arrival_does_not_matter(data, seed, first, second) -> None:
    """Also not how long before the second hand the first one came, or which clock has run."""
    empty = [
        before
        for before, _, _ in steps(RULES, TRIAL.play(seed))
        if before.stage.value == "throwing" and not any(seat.hand for seat in before.seats)
    ]
    if not empty:
        return
    state = data.draw(st.sampled_from(empty))
    assert state.due_at is not None
    last = Instant(state.due_at - 1)
    sooner = Instant(last - data.draw(st.integers(0, 3_000)))
    moves = [(A, Throw(first)), (B, Throw(second))]
    one, other = (
        RULES.apply(state, *earlier, sooner).then(
            lambda s, later=later: RULES.apply(s, *later, last)
        )
        for earlier, later in (moves, moves[::-1])
    )
    assert canonical(one.state) == canonical(other.state)
    assert sorted(heard(one, SPECTATOR)[:2]) == sorted(heard(other, SPECTATOR)[:2])
    assert heard(one, SPECTATOR)[2:] == heard(other, SPECTATOR)[2:]


def test_duel_draws_nothing_from_its_seed() -> None:
    played = TRIAL.play("seedless")
    before = replay(RULES, played)
    played.seed = "another"
    assert replay(RULES, played) == before


@pytest.mark.parametrize("words", [("late",), ("1 resume", "late"), ("0 resume", "late")])
@pytest.mark.parametrize("hand", list(Hand))
def test_duel_a_suspension_that_runs_out_does_not_show_the_hand(hand, words) -> None:
    state = duel("0 suspend", "1 suspend", stake=3)
    over = play(with_seat(state, SeatState(A, hand=hand)), *words)
    assert RULES.is_over(over.state)
    told = [heard(over, SPECTATOR), heard(over, Viewer(B)), view(over.state), view(over.state, 1)]
    assert hand.value not in str(told)
