"""Nothing of a hand gets out before both are in: no view, event, audience, phase or clock."""

from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.duel.rules.actions import Throw
from games.duel.rules.facts import HandChosen
from games.duel.rules.hands import Hand
from games.duel.rules.options import Options
from games.duel.rules.state import DuelState, SeatState, with_seat
from games.duel.rules.view import PublicView, ResultView, SeatView, ThrowView, YouView
from games.duel.testing import other_hands, play_random
from games.engine.facts import SPECTATOR, Instant, SeatNo, SecretFact, Step, Told, Viewer
from games.engine.structs import canonical
from games.testing.trials import steps
from tests.forms import form
from tests.games.classified import classified
from tests.games.duel.rules.kit import RULES, A, B, duel, play, view

#: Every field of the state is here or there: a new one fails until somebody decides.
PUBLIC = {
    "DuelState": {
        *("options", "seats", "stage", "phase", "throw", "uncounted", "voids", "due_at"),
        *("throws", "result"),
    },
    "SeatState": {"no", "wins", "asks_suspension", "is_back"},
    "ThrowRecord": {"throw", "hands", "winners", "counted"},
    "Result": {"winners", "reason", "awards", "tax"},
    "Options": set(Options.__struct_fields__),
}
SECRET = {"SeatState": {"hand"}}
VIEWERS = (Viewer(A), Viewer(B), SPECTATOR)

hands = st.sampled_from(list(Hand))
seeds = st.integers(0, 10**6).map(lambda n: f"secrets/{n}")


def test_duel_every_field_of_the_state_is_classified() -> None:
    assert classified(RULES.State) == (PUBLIC, SECRET)


def test_duel_only_the_fact_that_names_a_hand_is_secret() -> None:
    secret = {kind for kind in get_args(RULES.Fact) if issubclass(kind, SecretFact)}
    assert secret == {HandChosen}
    assert classified(RULES.Fact)[1] == {"HandChosen": {"hand"}}


def test_duel_secrets_do_not_show_in_the_text_of_a_state() -> None:
    held = SeatState(A, hand=Hand.SCISSORS)
    state = with_seat(duel(), held)
    fact = Told(HandChosen(A, Hand.SCISSORS), {A})
    assert "scissors" not in repr([held, state, fact, Step(state, (fact,))]).lower()


def half_thrown(seed: str) -> list[DuelState]:
    """Return the states of a random duel in which one hand is in, suspended ones included."""
    found = [step.state for _, _, step in steps(RULES, play_random(seed))]
    return [s for s in found if not RULES.is_over(s) and any(seat.hand for seat in s.seats)]


@settings(max_examples=form(25, in_all=50, in_long=80), deadline=None)
@given(seeds)
def test_duel_views_do_not_depend_on_a_hand_that_others_hold(seed: str) -> None:
    for state in half_thrown(seed):
        for viewer in VIEWERS:
            shown = canonical(RULES.view(state, viewer))
            assert all(
                canonical(RULES.view(other, viewer)) == shown
                for other in other_hands(state, viewer)
            )


def seen_by(step: Step[DuelState], viewer: Viewer) -> list[tuple[str, str]]:
    """Return the events that a viewer may read, as text."""
    return [
        (event.kind, canonical(dict(event.data)))
        for event in step.events
        if event.audience is None or (viewer.seat is not None and viewer.seat in event.audience)
    ]


@settings(max_examples=form(20, in_all=40, in_long=60), deadline=None)
@given(seeds)
def test_duel_a_view_changes_only_for_those_who_hear_of_something(seed: str) -> None:
    """The hub relies on this: after a secret action it renders only for the event's audience."""
    for state, _, step in steps(RULES, play_random(seed)):
        for viewer in VIEWERS:
            if not seen_by(step, viewer):
                assert RULES.view(step.state, viewer) == RULES.view(state, viewer)


def told(step: Step[DuelState], viewer: Viewer) -> tuple[object, ...]:
    """Return all that a viewer can notice of a step."""
    state = step.state
    return (
        seen_by(step, viewer),
        canonical(RULES.view(state, viewer)),
        RULES.phase(state),
        RULES.deadline(state),
        RULES.clock_limit(state),
        RULES.pending_seats(state),
        RULES.is_over(state),
        RULES.outcome(state),
    )


@given(hands, hands, st.sampled_from([A, B]))
def test_duel_a_hand_that_comes_in_tells_others_only_that(
    one: Hand, other: Hand, no: SeatNo
) -> None:
    state = duel(best_of=3)
    at = Instant((state.due_at or 0) - 1)
    first, second = (RULES.apply(state, no, Throw(hand), at) for hand in (one, other))
    for viewer in VIEWERS:
        if viewer.seat != no:
            assert told(first, viewer) == told(second, viewer)
            assert seen_by(first, viewer) == [("hand_in", canonical({"seat": no}))]
    assert RULES.phase(first.state) == RULES.phase(state)
    assert first.state.due_at == state.due_at
    assert [(e.kind, e.audience) for e in first.events] == [
        ("hand_chosen", frozenset({no})),
        ("hand_in", None),
    ]


def ways_without_a_reveal(state: DuelState) -> Iterator[tuple[SeatNo, object]]:
    """Yield every legal action that does not bring the second hand in."""
    for no in (A, B):
        for action in RULES.legal_actions(state, no):
            if not isinstance(action, Throw):
                yield no, action


@settings(max_examples=form(20, in_all=40, in_long=60), deadline=None)
@given(seeds)
def test_duel_whatever_happens_before_the_reveal_tells_nothing(seed: str) -> None:
    """Asking, suspending, coming back, resigning, voiding, an outage: the same for every hand."""
    for state in half_thrown(seed):
        at = Instant((state.due_at or 0) - 1)
        for viewer in VIEWERS:
            for other in other_hands(state, viewer):
                for no, action in ways_without_a_reveal(state):
                    mine, theirs = (RULES.apply(s, no, action, at) for s in (state, other))  # type: ignore[arg-type]
                    assert told(mine, viewer) == told(theirs, viewer)
                assert told(RULES.void(state), viewer) == told(RULES.void(other), viewer)
                later = Instant(at + 60_000)
                postponed = [RULES.postpone(s, later) for s in (state, other)]
                assert told(postponed[0], viewer) == told(postponed[1], viewer)


@pytest.mark.parametrize("hand", list(Hand))
def test_duel_a_suspension_that_runs_out_does_not_show_the_hand(hand: Hand) -> None:
    state = duel("0 suspend", "1 suspend", stake=3)
    held = with_seat(state, SeatState(A, hand=hand))
    for words in (("late",), ("1 resume", "late"), ("0 resume", "late")):
        over = play(held, *words)
        assert RULES.is_over(over.state)
        assert hand.value not in str(seen_by(over, SPECTATOR)) + str(seen_by(over, Viewer(B)))
        assert hand.value not in str(view(over.state)) + str(view(over.state, 1))


def test_duel_hands_are_public_only_when_both_are() -> None:
    for n in range(60):
        for _, _, step in steps(RULES, play_random(f"reveal/{n}")):
            for event in step.events:
                if event.kind == "hands_revealed":
                    assert event.audience is None
                    assert sum(hand is not None for hand in event.data["hands"]) in (1, 2)
                    late = None in event.data["hands"]
                    assert late == (not any(e.kind == "hand_in" for e in step.events))
                elif event.audience is None:
                    assert not {"rock", "paper", "scissors"} & set(str(event.data).split("'"))


def test_duel_who_has_no_seat_sees_what_a_spectator_sees() -> None:
    state = duel("0r")
    assert view(state, 2) == view(state) == RULES.view(state, SPECTATOR)
    assert view(state)["you"] is None


def test_duel_a_view_has_exactly_the_documented_fields() -> None:
    shown = view(duel("0r", "1p"), 1)
    assert set(shown) == {*PublicView.__annotations__, "you"}
    assert set(shown["you"]) == set(YouView.__annotations__)
    assert set(shown["seats"][0]) == set(SeatView.__annotations__)
    assert set(shown["throws"][0]) == set(ThrowView.__annotations__)
    assert set(shown["result"]) == set(ResultView.__annotations__)
    assert view(duel())["due_at"] == "2026-11-21T12:00:30.000Z"


def test_duel_a_view_late_in_a_duel_fits_3_kb() -> None:
    state = duel(*["0s", "1s"] * 49, best_of=99, stake=100)
    shown = view(play(state, "0s").state, 0)
    assert len(shown["throws"]) == 20
    assert len(canonical(shown)) < 3_000
