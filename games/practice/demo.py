"""A recorded game between bots, for the front page while nothing can be watched; always the
same.
"""

import json
from functools import lru_cache
from random import Random
from typing import Any, Final

from games import registry
from games.contract import Lesson, TimedBots
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


@lru_cache(8)
def demo_of(slug: str, options: Any) -> str:
    """Return the moments of the game: a JSON list of [milliseconds, view]."""
    game = registry.table(slug)
    practice = practice_of(game)
    assert not isinstance(game.bot, TimedBots), "practice has no posts"
    lesson = Lesson(_SEED, game.bot, practice.options, practice.stock, practice.bots)
    table = PracticeTable(Plan(game, options, lesson), practice.watched_bot, _BEGIN)
    table.start(_BEGIN)
    moments: list[tuple[int, dict[str, Any]]] = []
    chance, now, shown = Random(_SEED), _BEGIN, _BEGIN
    while len(moments) < MOMENTS:
        view = table.view(None)
        view["log"] = view["log"][-LINES:]
        for seat in view["seats"]:
            seat["player"]["bot"] = True
        if not moments or view != moments[-1][1]:
            moments.append((now - shown, view))
            shown = now
        if table.state.is_finished:
            break
        now = Instant(now + STEP)
        table.tick(now)
        if table.is_waiting and chance.random() < STEP / 1_700:
            # For the seat of the person, as the game's bot decides.
            for number, action in enumerate(game.bot.choose(table.view(), chance)):
                asked = f"demo-{len(moments)}-{number}"
                if table.act(action, asked, table.match.phase, now).error is not None:
                    break
    return json.dumps(moments, separators=(",", ":"))
