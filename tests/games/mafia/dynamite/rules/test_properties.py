"""Properties of every game of Rock, Paper, Scissors, Dynamite, for random actions.

DYNAMITE_GAMES sets the number of random games (20; 40 with --all, 2,000 with --long).
"""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import canonical, kind_of, reader_of
from games.mafia.common.rules.actions import Done, Leave, Undone
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, DynamiteAction, Vote, Withdraw
from games.mafia.dynamite.rules.state import DynamiteState
from games.mafia.dynamite.testing import play_random, random_game, violations
from games.testing.random_play import play_many
from games.testing.trials import Played, replay, steps
from tests.forms import form
from tests.games.judging import is_accepted
from tests.games.mafia.dynamite.rules.kit import RULES
from tests.games.recorded import run_with_hash_seed

USUAL_GAMES = form(20, in_all=40, in_long=2_000)
GAMES = int(os.environ.get("DYNAMITE_GAMES", USUAL_GAMES))

#: Everything anybody could ask for, posts aside.
UNIVERSE: list[DynamiteAction] = [
    *(Vote(choice) for choice in range(16)),
    *(Confront(target) for target in range(16)),
    Withdraw(),
    Done(),
    Undone(),
    Leave(),
]


def test_dynamite_random_games_end_award_and_keep_secrets_and_replay_to_the_same_bytes() -> None:
    summary = play_many("dynamite", random_game, GAMES, "properties")
    assert summary["violations"] == []
    assert summary["ended"] == GAMES
    assert {"eliminated", "quiet"} <= set(summary["reasons"])


@settings(max_examples=form(5, in_all=10, in_long=15), deadline=None)
@given(st.text(max_size=20))
def test_dynamite_any_game_keeps_its_promises(seed: str) -> None:
    assert violations(play_random(seed)) == []


def won() -> Played[DynamiteState]:
    """Return a random game that was won, of some length."""
    return next(
        played
        for played in map(play_random, map(str, range(99)))
        if played.state.result is not None and played.state.result.teams and played.state.round > 1
    )


def test_dynamite_the_trial_notices_what_is_wrong() -> None:
    played = won()
    kept = played.events
    played.events = [event for event in kept if event.kind != "award_earned"]
    assert any("awards for []" in violation for violation in violations(played))
    died = next(event for event in kept if event.kind == "player_died")
    played.events = [*kept, died]
    assert any("after the end" in violation for violation in violations(played))
    assert any("dies twice" in violation for violation in violations(played))
    played.events = [event for event in kept if event.kind != "player_died"]
    assert any("are said to have won" in violation for violation in violations(played))
    played.events = kept
    played.inputs.pop()
    assert any("replay" in violation for violation in violations(played))


def test_dynamite_the_trial_notices_a_view_that_shows_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = play_random("too much")
    own_view = type(RULES).own_view

    def leaky(self: object, state: DynamiteState, seat: SeatNo) -> dict[str, object]:
        return {**(own_view(state, seat) or {}), "all": [p.is_done for p in state.players]}

    monkeypatch.setattr(type(RULES), "own_view", leaky)
    found = violations(played)
    assert any("nothing is told" in violation for violation in found)
    assert any("shows what it may not know" in violation for violation in found)


@pytest.mark.parametrize("game", range(4))
def test_dynamite_exactly_the_legal_actions_are_accepted(game: int) -> None:
    """Except what changes nothing, which is no refusal."""
    for before, _, step in list(steps(RULES, play_random(f"universe/{game}")))[::7]:
        for state in (before, step.state):
            text = canonical(state)
            at = Instant(0 if state.due_at is None else state.due_at - 1)
            for seat in map(SeatNo, range(16)):
                accepted = [
                    asked for asked in UNIVERSE if is_accepted(RULES, state, seat, asked, at)
                ]
                legal = RULES.legal_actions(state, seat)
                assert [asked for asked in legal if asked not in accepted] == []
                idle = [asked for asked in accepted if asked not in legal]
                assert all(RULES.apply(state, seat, asked, at).events == () for asked in idle)
                own = RULES.own_view(state, seat)
                kinds = list(dict.fromkeys(kind_of(type(asked)) for asked in legal))
                assert (own["may"] if own else []) == kinds
            assert canonical(state) == text


def ended_by(state: DynamiteState, moves: list[tuple[int, DynamiteAction]]) -> Step[DynamiteState]:
    """Return the result of some actions at one instant, and the end of the phase."""
    at = Instant(state.clock.began_at + 1)
    for seat, action in moves:
        state = RULES.apply(state, SeatNo(seat), action, at).state
    return RULES.on_deadline(state, state.clock.ends_at)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_dynamite_the_order_within_a_phase_changes_nothing_of_what_comes_of_it(seed: int) -> None:
    """In every order of votes and confrontations the phase ends the same, to the byte."""
    chance = Random(seed)
    begun = [
        step.state
        for before, _, step in steps(RULES, play_random(f"order/{seed}"))
        if step.state.phase != before.phase and step.state.stage != Stage.OVER
    ]
    for state in begun[:4]:
        moves: list[tuple[int, DynamiteAction]] = []
        for player in state.living:
            legal = RULES.legal_actions(state, player.no)
            real = [asked for asked in legal if isinstance(asked, Vote | Confront)]
            if real:
                moves.append((player.no, chance.choice(real)))
        if state.stage == Stage.NIGHT:
            moves = paid_for(state, moves)
        first = ended_by(state, moves)
        for _ in range(3):
            chance.shuffle(moves)
            again = ended_by(state, moves)
            assert canonical(again.state) == canonical(first.state)
            assert again.events == first.events


def paid_for(
    state: DynamiteState, moves: list[tuple[int, DynamiteAction]]
) -> list[tuple[int, DynamiteAction]]:
    """Return as many confrontations of each team as its points pay for."""
    spent: dict[object, int] = {}
    kept = []
    for seat, action in moves:
        player = state.member(seat)
        assert player is not None
        spent[player.team] = spent.get(player.team, 0) + 2
        if spent[player.team] <= state.points_of(player.team):
            kept.append((seat, action))
    return kept


@pytest.mark.parametrize("text", ["{}", "[]", "1", '{"schema":1}', "x", '"x"'])
def test_dynamite_what_is_no_state_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"Object|Expected|JSON"):
        reader_of(RULES.State).stored(text)


def test_dynamite_replay_gives_the_same_bytes_under_two_hash_seeds() -> None:
    program = (
        "import hashlib\n"
        "from games.testing.trials import replay\n"
        "from games.mafia.dynamite.rules.engine import Dynamite\n"
        "from games.mafia.dynamite.testing import play_random\n"
        "texts = [replay(Dynamite(), play_random(f'hash/{n}')) for n in range(6)]\n"
        "print(hashlib.sha256('\\n'.join(texts).encode()).hexdigest())\n"
    )
    found = {run_with_hash_seed(program, hash_seed) for hash_seed in ("1", "4242")}
    assert len(found) == 1
    assert len(found.pop()) == 64


def test_dynamite_replay_of_a_prefix_gives_each_state_in_between() -> None:
    played = won()
    texts = [canonical(step.state) for _, _, step in steps(RULES, played)]
    while len(played.inputs) > 1:
        assert replay(RULES, played) == texts[len(played.inputs) - 1]
        del played.inputs[-max(1, len(played.inputs) // 10) :]
