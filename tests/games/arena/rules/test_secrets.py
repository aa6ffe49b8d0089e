from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.arena.rules.actions import Choose, Leave, Prefer, Reset
from games.arena.rules.columns import Columns, resolve_arrays
from games.arena.rules.figures import Figures
from games.arena.rules.moves import MOVES, Move
from games.arena.rules.options import Preference, RoundOptions
from games.engine.facts import SPECTATOR, Instant, SeatNo, SecretFact, Told, Viewer
from games.engine.structs import canonical, replace
from tests.games.arena.rules.kit import NOON, RULES, SEED, arena
from tests.games.classified import classified
from tools.referee.arena import TRIAL
from tools.referee.arena.facts import ChoiceMade
from tools.referee.arena.state import ArenaState, Fought, LastRound, Options, with_players
from tools.referee.trials import steps

#: Every field of the state is here or there: a new one fails until somebody decides.
PUBLIC = {
    "ArenaState": {
        *("options", "players", "round", "round_options", "drawn", "carried_team"),
        *("carried_survivor", "survivor_round", "due_at", "shows_result_until", "last"),
    },
    "PlayerState": {
        *("no", "is_in", "figures", "health", "idle_rounds", "leaves_after", "resets_after")
    },
    "Options": set(Options.__struct_fields__),
    "RoundOptions": set(RoundOptions.__struct_fields__),
    "Preferences": set(RoundOptions.__struct_fields__),
    "Figures": set(Figures.__struct_fields__),
    "Fought": set(Fought.__struct_fields__),
    "LastRound": set(LastRound.__struct_fields__),
    "MoveTotals": {"players", "wins", "losses", "ties", "score"},
}
SECRET = {
    "ArenaState": {"seed", "undecided"},
    "PlayerState": {"choice", "preferences", "last", "rounds_before"},
}


def test_arena_every_field_of_the_state_is_classified() -> None:
    assert classified(RULES.State) == (PUBLIC, SECRET)


def test_arena_what_concerns_one_player_is_a_secret_fact() -> None:
    secret = {kind.__name__ for kind in get_args(RULES.Fact) if issubclass(kind, SecretFact)}
    assert secret == {
        *("ChoiceMade", "PreferenceSet", "LeavingAsked", "LeavingWithdrawn", "ResetAsked"),
        *("FiguresReset", "RoundFought"),
    }
    assert classified(RULES.Fact)[1] == {
        "ChoiceMade": {"move"},
        "PreferenceSet": {"option", "value"},
        "RoundFought": {"fought"},
    }


def test_arena_secrets_do_not_show_in_the_text_of_what_holds_them() -> None:
    step = RULES.apply(arena(), SeatNo(0), Choose(Move.SCISSORS), NOON)
    columns = Columns(choices=b"\3", streaks=[0], scores=[0])
    resolved = resolve_arrays(columns, RoundOptions(), SEED)
    for held in (step, step.state, step.events, columns, resolved):
        assert "scissors" not in repr(held).lower()
        assert SEED not in repr(held)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6).map("heard/{}".format))
def test_arena_a_choice_is_told_to_its_player_alone(seed: str) -> None:
    for state, entry, step in steps(RULES, TRIAL.play(seed)):
        for told in step.events:
            if isinstance(told.fact, SecretFact):
                assert told.audience == {told.data["seat"]}
        if entry.action is not None and isinstance(entry.action, (Choose, Leave, Prefer, Reset)):
            assert all(told.audience is not None for told in step.events)
            assert RULES.view(step.state, SPECTATOR) == RULES.view(state, SPECTATOR)


def with_streak(streak: int, *, classic: bool = False) -> ArenaState:
    """Return an arena in which the first of three has this streak and the others have chosen."""
    state = arena()
    has = ({"figures": Figures(streak=streak)}, {"choice": Move.PAPER}, {"choice": Move.ROCK})
    players = tuple(replace(each, **had) for each, had in zip(state.players, has, strict=True))
    return replace(state, players=players, round_options=RoundOptions(classic=classic))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("streak", "sees"), [(5, True), (9, True), (4, False), (-2, False), (-3, True), (-9, True)]
)
def test_arena_a_grant_shows_the_choices_of_all(streak: int, sees: bool) -> None:
    classic, state = with_streak(streak, classic=True), with_streak(streak)
    assert RULES.view(classic, Viewer(SeatNo(0)))["you"]["live"] is None
    live = RULES.view(state, Viewer(SeatNo(0)))["you"]["live"]
    if not sees:
        assert live is None
        return
    assert live["counts"] == {"rock": 1, "paper": 1, "scissors": 0}
    assert live["seats"] == {"rock": [2], "paper": [1], "scissors": []}
    assert RULES.view(state, Viewer(SeatNo(1)))["you"]["live"] is None
    assert list(TRIAL.secret_violations(state)) == []


def test_arena_a_grant_names_fifty_and_counts_all() -> None:
    state = arena(seats=80)
    players = {
        each.no: replace(each, choice=MOVES[each.no % 3], figures=Figures(streak=5))
        for each in state.players
    }
    state = with_players(replace(state, round_options=RoundOptions()), players)
    live = RULES.view(state, Viewer(SeatNo(0)))["you"]["live"]
    assert (sum(live["counts"].values()), sum(map(len, live["seats"].values()))) == (80, 50)


def test_arena_the_trial_notices_a_view_that_tells(monkeypatch: pytest.MonkeyPatch) -> None:

    class Leaky(type(RULES)):  # type: ignore[misc]
        def view(self, state: ArenaState, viewer: Viewer) -> dict[str, object]:
            return {"choices": [str(player.choice) for player in state.players]}

    monkeypatch.setattr(TRIAL, "rules", Leaky())
    assert list(TRIAL.secret_violations(with_streak(0)))


def test_arena_preferences_of_others_are_not_shown() -> None:
    state = arena()
    asked = RULES.apply(state, SeatNo(1), Prefer("team", Preference.ON), Instant(NOON)).state
    for viewer in (SPECTATOR, Viewer(SeatNo(0))):
        assert canonical(RULES.view(asked, viewer)) == canonical(RULES.view(state, viewer))
    assert Told(ChoiceMade(SeatNo(1), None), {SeatNo(1)}).audience == {1}
