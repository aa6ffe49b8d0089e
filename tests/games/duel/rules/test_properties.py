"""Properties of every duel, for random actions.

DUEL_GAMES sets the number of random duels (100; 200 with --all, 10,000 with --long).
"""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.duel.rules.actions import ACTIONS, DuelAction, Throw
from games.duel.rules.facts import GameEnded
from games.duel.rules.hands import Hand
from games.duel.rules.state import DuelState, Reason
from games.duel.testing import play_random, random_game, violations
from games.engine.facts import Instant, SeatNo, Told
from games.engine.structs import canonical, reader_of
from games.testing.random_play import play_many
from games.testing.trials import Played, replay, steps
from tests.forms import form
from tests.games.duel.rules.kit import NOON, RULES, A, B, duel, view
from tests.games.judging import is_accepted
from tests.games.recorded import run_with_hash_seed

ROOT = Path(__file__).parents[4]
USUAL_GAMES = form(100, in_all=200, in_long=10_000)
GAMES = int(os.environ.get("DUEL_GAMES", USUAL_GAMES))

#: Everything anybody could ask for.
UNIVERSE: list[DuelAction] = [
    *(Throw(hand) for hand in Hand),
    *(kind() for kind in ACTIONS.values() if kind is not Throw),  # type: ignore[call-arg]
]

hands = st.sampled_from(list(Hand))
seeds = st.integers(0, 10**6).map(str)


def test_duel_random_games_end_conserve_points_keep_secrets_and_replay_to_the_same_bytes() -> None:
    summary = play_many("duel", random_game, GAMES, "properties")
    assert summary["violations"] == []
    assert summary["ended"] == GAMES
    assert set(summary["reasons"]) == {
        *("wins", "draw", "resigned", "suspension", "abandoned", "void"),
    }


@settings(max_examples=form(30, in_all=60, in_long=100), deadline=None)
@given(st.text(max_size=20))
def test_duel_any_game_keeps_its_promises(seed: str) -> None:
    assert violations(play_random(seed)) == []


def won(stake: bool) -> Played[DuelState]:
    """Return a random duel that was won, with something to win."""
    return next(
        played
        for played in map(play_random, map(str, range(999)))
        if played.state.result is not None
        and played.state.result.winners
        and bool(played.options.stake) is stake
    )


def test_duel_the_trial_notices_what_is_wrong() -> None:
    played = won(stake=True)
    kept = played.events
    played.events = [event for event in kept if event.kind != "pot_awarded"]
    assert any("points in" in violation for violation in violations(played))
    played.events = [*kept, Told(GameEnded((), Reason.DRAW))]
    assert any("ended 2 times" in violation for violation in violations(played))
    played.events = kept
    played.inputs.pop()
    assert any("replay" in violation for violation in violations(played))


@pytest.mark.parametrize("game", range(8))
def test_duel_exactly_the_legal_actions_are_accepted(game: int) -> None:
    for before, _, step in steps(RULES, play_random(f"universe/{game}")):
        for state in (before, step.state):
            text = canonical(state)
            at = Instant((state.due_at or 1) - 1)
            for seat in map(SeatNo, range(3)):
                accepted = [
                    asked for asked in UNIVERSE if is_accepted(RULES, state, seat, asked, at)
                ]
                assert set(accepted) == set(RULES.legal_actions(state, seat))
                shown = view(state, seat)["you"]
                kinds = list(dict.fromkeys(a.kind for a in RULES.legal_actions(state, seat)))
                assert (shown["legal"] if shown else []) == kinds
            assert canonical(state) == text


def test_duel_every_state_round_trips_through_its_text() -> None:
    for n in range(40):
        for _, _, step in steps(RULES, play_random(f"codec/{n}")):
            text = canonical(step.state)
            assert reader_of(RULES.State).stored(text) == step.state
            assert canonical(reader_of(RULES.State).stored(text)) == text


@pytest.mark.parametrize("text", ["{}", "[]", "1", '{"schema":1}', '{"schema":2}', "x", '"x"'])
def test_duel_what_is_no_state_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"Object|Expected|JSON"):
        reader_of(RULES.State).stored(text)


@settings(max_examples=form(20, in_all=40, in_long=60), deadline=None)
@given(st.data(), seeds, hands, hands)
def test_duel_the_order_of_arrival_does_not_matter(
    data: st.DataObject, seed: str, first: Hand, second: Hand
) -> None:
    """Also not how long before the second hand the first one came, or which clock has run."""
    empty = [before for before, _, _ in steps(RULES, play_random(seed)) if is_empty(before)]
    if not empty:
        return
    state = data.draw(st.sampled_from(empty))
    assert state.due_at is not None
    last = Instant(state.due_at - 1)
    sooner = Instant(last - data.draw(st.integers(0, 3_000)))
    one = RULES.apply(state, A, Throw(first), sooner).then(
        lambda s: RULES.apply(s, B, Throw(second), last)
    )
    other = RULES.apply(state, B, Throw(second), sooner).then(
        lambda s: RULES.apply(s, A, Throw(first), last)
    )
    assert canonical(one.state) == canonical(other.state)
    assert RULES.deadline(one.state) == RULES.deadline(other.state)
    for no in (0, 1, None):
        assert view(one.state, no) == view(other.state, no)
    assert facts(one.events) == facts(other.events)


def is_empty(state: DuelState) -> bool:
    return state.stage.value == "throwing" and not any(seat.hand for seat in state.seats)


def facts(events: tuple[Told, ...]) -> list[tuple[str, object]]:
    """Return the public events except the order in which the hands came in."""
    public = [(e.kind, dict(e.data)) for e in events if e.audience is None]
    assert sorted(data["seat"] for kind, data in public if kind == "hand_in") == [0, 1]
    return [(kind, data) for kind, data in public if kind != "hand_in"]


def test_duel_replay_gives_the_same_bytes_under_two_hash_seeds() -> None:
    program = (
        "import hashlib\n"
        "from games.testing.trials import replay\n"
        "from games.duel.rules.engine import Duel\n"
        "from games.duel.testing import play_random\n"
        "texts = [replay(Duel(), play_random(f'hash/{n}')) for n in range(30)]\n"
        "print(hashlib.sha256('\\n'.join(texts).encode()).hexdigest())\n"
    )
    found = {run_with_hash_seed(program, hash_seed) for hash_seed in ("1", "4242")}
    assert len(found) == 1
    assert len(found.pop()) == 64


def test_duel_replay_of_a_prefix_gives_each_state_in_between() -> None:
    played = won(stake=False)
    texts = [canonical(step.state) for _, _, step in steps(RULES, played)]
    assert texts
    while played.inputs:
        assert replay(RULES, played) == texts[len(played.inputs) - 1]
        played.inputs.pop()


def test_duel_a_used_state_is_left_as_it_was() -> None:
    state = duel("0r", best_of=3, stake=5)
    text = canonical(state)
    RULES.apply(state, B, Throw(Hand.PAPER), NOON)
    RULES.void(state)
    RULES.postpone(state, Instant(NOON + 99_000))
    assert canonical(state) == text


def test_duel_draws_nothing_from_its_seed() -> None:
    played = play_random("seedless")
    before = replay(RULES, played)
    played.seed = "another"
    assert replay(RULES, played) == before
