"""Properties of Dynamite alone: the order within a phase, and what a townie sees."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import canonical
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, DynamiteAction, Vote
from games.mafia.dynamite.rules.state import DynamiteState
from games.mafia.dynamite.rules.teams import Team
from games.mafia.dynamite.testing import play_random
from games.testing.trials import steps
from tests.games.mafia.dynamite.rules.kit import RULES, Band


def ended_by(state: DynamiteState, moves: list[tuple[int, DynamiteAction]]) -> Step[DynamiteState]:
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
        spent = Counter[Team]()
        for player in state.living:
            legal = RULES.legal_actions(state, player.no)
            real = [asked for asked in legal if isinstance(asked, Vote | Confront)]
            spent[player.team] += 2 * bool(real) * (state.stage == Stage.NIGHT)
            # As many confrontations of each team as its points pay for.
            if real and spent[player.team] <= state.points_of(player.team):
                moves.append((player.no, chance.choice(real)))
        first = ended_by(state, moves)
        for _ in range(3):
            chance.shuffle(moves)
            again = ended_by(state, moves)
            assert canonical(again.state) == canonical(first.state)
            assert again.events == first.events


def test_dynamite_a_townie_sees_no_danger_but_its_own_and_no_teams_points() -> None:
    band = Band()
    townie = band.are(Team.DYNAMITE)[0]
    band.endanger(townie, 1)
    assert band.view(townie)["you"]["danger"] == 1
    assert band.view(townie)["you"]["points"] is None
    assert band.view(band.are(Team.ROCK)[0])["you"]["danger"] is None
    assert "danger" not in canonical(band.view()["seats"])
