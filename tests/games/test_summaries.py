from typing import Any

import pytest

from games import registry
from tests.forms import form
from tools.referee.trials import steps, trial_of

#: The site's games; those of the tests have no random play that can be followed step by step.
SLUGS = sorted(
    game.slug for game in registry.tables() if registry.package(game.slug).startswith("games.")
)


def shown(game: Any, state: Any) -> tuple[Any, ...]:
    """Return all that the write path takes from a state at a new phase."""
    rules = game.newest
    summary = game.lists.summary(rules.public_view(state))
    return summary, rules.open_seats(state), rules.clock_limit(state)


@pytest.mark.parametrize("slug", SLUGS)
def test_summaries_stay_the_same_within_a_phase(slug: str) -> None:
    game = registry.table(slug)
    play = trial_of(slug).play
    within = 0
    for number in range(form(12, in_all=24, in_long=40)):
        played = play(f"summaries/{number}")
        for before, entry, step in steps(game.newest, played):
            is_same_phase = game.newest.phase(step.state) == game.newest.phase(before)
            # A seat's row changes then, and the lists with it.
            has_left = entry.kind == "take_over" or (entry.action and entry.action.kind == "leave")
            if is_same_phase and not has_left:
                assert shown(game, step.state) == shown(game, before), entry
                within += 1
    assert within > 10
