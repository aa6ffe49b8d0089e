"""Mafia games that bots play by the rules alone; views as far as bots and words look at them."""

from collections.abc import Iterable
from random import Random
from typing import Any

from games.engine.facts import Instant, SeatNo, SeatSetup, Viewer
from games.engine.structs import reader_of
from games.mafia.common.rules.phases import Stage
from tests.games.mafia.common.rules.kit import NOON

NAMES = {no: f"p{no}" for no in range(40)}


def table_view(rules: Any, state: Any, seat: int | None) -> dict[str, Any]:
    """Return as much of a table's view as words and bots look at."""
    game = rules.view(state, Viewer(None if seat is None else SeatNo(seat)))
    seats = [{"no": member.no, "player": {"name": NAMES[member.no]}} for member in state.members]
    return {"game": game, "you": {"seat": seat}, "seats": seats}


def played_by_bots(
    rules: Any, bot: Any, options: Any, number: int, taken: Iterable[int]
) -> tuple[Any, int, int]:
    """Play a game with bots, each wave on one view; return its end, days, days that ended early."""
    chance, at, days, early = Random(number), NOON, 0, 0
    setups = [SeatSetup(SeatNo(no)) for no in taken]
    state = rules.setup(options, setups, f"bots {number}", at).state
    while not rules.is_over(state):
        at = Instant(at + 5_000)
        if at >= rules.deadline(state):
            days += state.stage == Stage.DAY
            state = rules.on_deadline(state, at).state
            continue
        views = [(no, table_view(rules, state, no)) for no in rules.pending_seats(state)]
        phase, stage = state.phase, state.stage
        for no, view in views:
            for action in bot.choose(view, chance):
                if state.phase == phase:
                    asked = reader_of(rules.Action).made_of(action)
                    state = rules.apply(state, no, asked, at).state
        if stage == Stage.DAY and state.phase != phase:
            days, early = days + 1, early + 1
    return state, days, early
