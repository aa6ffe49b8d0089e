"""Practice tables for the tests: opened without a database, played by a careless person."""

from random import Random
from typing import Any, Final

from games import registry
from games.engine.choices import clean_options
from games.engine.facts import Instant
from games.engine.structs import plain
from games.practice.tables import PERSON, Plan, PracticeTable

NOON: Final = Instant(1_795_262_400_000)
#: What ends a game early, or takes back what was done.
SPOILING: Final = {"leave", "resign", "suspend", "reset", "unlock", "fold"}
#: A bot has thought by then.
THOUGHT: Final = 5_000
SLUGS: Final = [game.slug for game in registry.tables() if game.practice is not None]


def open_table(slug: str, *, at: Instant = NOON) -> PracticeTable:
    game = registry.table(slug)
    assert game.practice is not None
    chosen = dict(game.practice.options)
    options = clean_options(game.options, game.fill_options(chosen, frozenset(chosen)))
    table = PracticeTable(Plan(game, options), "Guest", at)
    table.start(at)
    return table


def legal(table: PracticeTable) -> list[dict[str, Any]]:
    """Return what the person may do now, but what would spoil the game."""
    actions = table.table.rules.legal_actions(table.state.play, PERSON)
    return [plain(action) for action in actions if action.kind not in SPOILING]


def play(table: PracticeTable, chance: Random, most: int = 2_000) -> Instant:
    now = NOON
    for turn in range(most):
        if table.state.is_finished:
            return now
        now = Instant(now + THOUGHT)
        table.tick(now)
        if table.is_waiting:
            table.act(chance.choice(legal(table)), f"turn-{turn:06d}", table.match.phase, now)
    raise AssertionError("the game does not end")
