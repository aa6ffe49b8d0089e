"""Properties of every game of Agoran Mafia, for random actions.

AGORA_GAMES sets the number of random games (20; 40 with --all, 2,000 with --long).
"""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.facts import Instant, SeatNo, Told, Viewer
from games.engine.structs import canonical, kind_of, reader_of
from games.mafia.agora.rules.actions import AgoraAction, Choose, Vote
from games.mafia.agora.rules.state import AgoraState
from games.mafia.agora.testing import play_random, random_game, violations
from games.mafia.common.rules.actions import Done, Leave, Undone
from games.mafia.common.rules.phases import Stage
from games.testing.random_play import play_many
from games.testing.trials import Played, replay, steps
from tests.forms import form
from tests.games.judging import is_accepted
from tests.games.mafia.agora.rules.kit import NOON, RULES
from tests.games.recorded import run_with_hash_seed

USUAL_GAMES = form(20, in_all=40, in_long=2_000)
GAMES = int(os.environ.get("AGORA_GAMES", USUAL_GAMES))

#: Everything anybody could ask for, posts aside.
UNIVERSE: list[AgoraAction] = [
    *(Choose(target) for target in (*range(18), "none")),
    *(Vote(choice) for choice in (*range(18), "none", None)),
    Done(),
    Undone(),
    Leave(),
]


def test_agora_random_games_end_award_and_keep_secrets_and_replay_to_the_same_bytes() -> None:
    summary = play_many("agora", random_game, GAMES, "properties")
    assert summary["violations"] == []
    assert summary["ended"] == GAMES
    assert {"mafia_dead", "mafia_equal", "quiet"} <= set(summary["reasons"])


@settings(max_examples=form(5, in_all=10, in_long=15), deadline=None)
@given(st.text(max_size=20))
def test_agora_any_game_keeps_its_promises(seed: str) -> None:
    assert violations(play_random(seed)) == []


def won() -> Played[AgoraState]:
    """Return a random game that was won, with something to earn."""
    return next(
        played
        for played in map(play_random, map(str, range(99)))
        if played.state.result is not None and played.state.result.awards
    )


def test_agora_the_trial_notices_what_is_wrong() -> None:
    played = won()
    kept = played.events
    played.events = [event for event in kept if event.kind != "award_earned"]
    assert any("awards for []" in violation for violation in violations(played))
    played.events = [*kept, next(event for event in kept if event.kind == "game_ended")]
    assert any("ended 2 times" in violation for violation in violations(played))
    played.events = [event for event in kept if event.kind != "citizen_died"]
    assert any("is said to have won" in violation for violation in violations(played))
    died = next(event for event in kept if event.kind == "citizen_died")
    played.events = [*kept, died]
    assert any("after the end, or twice" in violation for violation in violations(played))
    played.events = kept
    played.inputs.pop()
    assert any("replay" in violation for violation in violations(played))


def test_agora_the_trial_notices_a_view_that_shows_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = play_random("too much")
    own_view = type(RULES).own_view

    def leaky(self: object, state: AgoraState, seat: SeatNo) -> dict[str, object]:
        done = [citizen.no for citizen in state.citizens if citizen.is_done]
        return {**(own_view(state, seat) or {}), "done": done}

    monkeypatch.setattr(type(RULES), "own_view", leaky)
    found = violations(played)
    assert any("nothing is told" in violation for violation in found)
    assert any("shows what it may not know" in violation for violation in found)


@pytest.mark.parametrize("game", range(4))
def test_agora_exactly_the_legal_actions_are_accepted(game: int) -> None:
    """Except a done, an undone or a vote that changes nothing, which is no refusal."""
    for before, _, step in list(steps(RULES, play_random(f"universe/{game}")))[::7]:
        for state in (before, step.state):
            text = canonical(state)
            at = Instant(0 if state.due_at is None else state.due_at - 1)
            for seat in map(SeatNo, range(18)):
                accepted = [
                    asked for asked in UNIVERSE if is_accepted(RULES, state, seat, asked, at)
                ]
                legal = RULES.legal_actions(state, seat)
                assert [asked for asked in legal if asked not in accepted] == []
                idle = [asked for asked in accepted if asked not in legal]
                assert all(isinstance(asked, Done | Undone) for asked in idle)
                assert all(RULES.apply(state, seat, asked, at).events == () for asked in idle)
                own = RULES.own_view(state, seat)
                kinds = list(dict.fromkeys(kind_of(type(asked)) for asked in legal))
                assert (own["may"] if own else []) == kinds
            assert canonical(state) == text


@pytest.mark.parametrize("text", ["{}", "[]", "1", '{"schema":1}', "x", '"x"'])
def test_agora_what_is_no_state_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"Object|Expected|JSON"):
        reader_of(RULES.State).stored(text)


def test_agora_replay_gives_the_same_bytes_under_two_hash_seeds() -> None:
    program = (
        "import hashlib\n"
        "from games.testing.trials import replay\n"
        "from games.mafia.agora.rules.engine import Agora\n"
        "from games.mafia.agora.testing import play_random\n"
        "texts = [replay(Agora(), play_random(f'hash/{n}')) for n in range(6)]\n"
        "print(hashlib.sha256('\\n'.join(texts).encode()).hexdigest())\n"
    )
    found = {run_with_hash_seed(program, hash_seed) for hash_seed in ("1", "4242")}
    assert len(found) == 1
    assert len(found.pop()) == 64


def test_agora_replay_of_a_prefix_gives_each_state_in_between() -> None:
    played = won()
    texts = [canonical(step.state) for _, _, step in steps(RULES, played)]
    while len(played.inputs) > 1:
        assert replay(RULES, played) == texts[len(played.inputs) - 1]
        del played.inputs[-max(1, len(played.inputs) // 10) :]


def test_agora_a_used_state_is_left_as_it_was() -> None:
    for before, _, step in list(steps(RULES, play_random("used")))[::5]:
        if before.stage == Stage.OVER:
            continue
        text = canonical(before)
        RULES.void(before)
        RULES.postpone(before, Instant(NOON))
        RULES.leave(before, before.living[0].no, before.clock.began_at)
        RULES.view(before, Viewer(SeatNo(0)))
        assert canonical(before) == text
        assert all(isinstance(event, Told) for event in step.events)
