"""Random games in figures, and games among bots, as text.

``trials.txt`` of each game holds them.  After a wanted change of the rules or of the bots:
``python -m tests.games.contract.trials GAME > tests/games/GAME/trials.txt``.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator

import django

from games.engine.choices import clean_options
from games.engine.structs import canonical, plain
from tests.games.contract.kit import Tried, tried, viewers
from tools.referee.trials import steps

#: Random games, and the steps of each of which one is looked at for its worlds.
GAMES, EVERY = 4, 25


def trials_of(game: Tried) -> Iterator[str]:
    """Yield the lines of a game's trials."""
    for number in range(GAMES):
        yield from _figures(game, f"trial {number}")
    yield from game.data.bots()


def _figures(game: Tried, seed: str) -> Iterator[str]:
    """Yield what a random game is like: options, inputs, end, and worlds of each viewer."""
    rules, played = game.rules, game.play(seed)
    usual, options = plain(clean_options(rules.Options, {})), plain(played.options)
    changed = {name: value for name, value in options.items() if value != usual[name]}
    kinds = Counter(each.action.kind if each.action else each.kind for each in played.inputs)
    nets = {no: each.net for no, each in rules.outcome(played.state).items() if each.net}
    yield f"{seed}: {canonical(changed)}, purses {sorted({seat.purse for seat in played.seats})}"
    yield f"  {' '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}"
    yield f"  {game.trial.random_game(seed).reason}, nets {nets}"
    worlds = Counter[str]()
    for _, _, step in list(steps(rules, played))[::EVERY]:
        for viewer in viewers(played):
            found = {canonical(world) for world in game.data.worlds(step.state, viewer)}
            worlds[str(viewer.seat)] += len(found - {canonical(step.state)})
    yield f"  worlds {dict(worlds)}"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.test")
    django.setup()
    sys.stdout.writelines(f"{line}\n" for line in trials_of(tried(sys.argv[1])))
