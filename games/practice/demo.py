"""A recorded game between bots, for the front page while the lobby lists are empty.

The recording is the same each time: a fixed seed, a spectator's views, and the time of each.

Source: docs/practice.md.
"""

import json
from functools import lru_cache
from random import Random
from typing import Any, Final

from games import registry
from games.contract import Lesson, TableGame
from games.engine.facts import Instant
from games.practice.tables import Plan, PracticeTable, practice_of

#: The most moments in a recording; it then begins again.
MOMENTS: Final = 60
#: Milliseconds between two samples.
STEP: Final = 400
#: The newest log lines shown with a moment.
LINES: Final = 2
_SEED: Final = "the game on the front page"
_BEGIN: Final = Instant(1_800_000_000_000)


def demo_of(game: TableGame, options: Any) -> str:
    """Return the moments of a game between bots: a JSON list of [milliseconds, view]."""
    return _recorded(game.slug, game.version, options)


@lru_cache(8)
def _recorded(slug: str, version: int, options: Any) -> str:
    game = registry.table(slug)
    practice = practice_of(game)
    lesson = Lesson(_SEED, game.bot, practice.options, practice.stock, practice.bots)
    table = PracticeTable(Plan(game, options, lesson), practice.watched_bot, _BEGIN)
    table.start(_BEGIN)
    moments: list[tuple[int, dict[str, Any]]] = []
    chance, now, shown = Random(_SEED), _BEGIN, _BEGIN
    while len(moments) < MOMENTS:
        view = _seen(table)
        if not moments or view != moments[-1][1]:
            moments.append((now - shown, view))
            shown = now
        if table.state.is_finished:
            break
        now = Instant(now + STEP)
        table.tick(now)
        if table.is_waiting and chance.random() < STEP / 1_700:
            _act(table, now, len(moments), chance)
    return json.dumps(moments, separators=(",", ":"))


def _act(table: PracticeTable, now: Instant, moment: int, chance: Random) -> None:
    """Act for the seat of the person, as the game's bot decides."""
    for number, action in enumerate(table.plan.game.bot.choose(table.view(), chance)):
        if table.act(action, f"demo-{moment}-{number}", table.match.phase, now).error is not None:
            return


def _seen(table: PracticeTable) -> dict[str, Any]:
    view = table.view(None)
    for seat in view["seats"]:
        seat["player"]["bot"] = True
    return {**view, "log": view["log"][-LINES:]}
