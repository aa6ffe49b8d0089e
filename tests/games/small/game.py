"""The answers of the small game to the contract: those of Odds and Evens with other rules."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any

from economy.tunables import Tunable
from games.contract import Character, Counts, Lists, Speech
from games.text.table_words import TABLE_SENTENCES
from games.text.telling import plain_pattern, who_pattern
from games.text.typed import View
from tests.games.engine.small_game import SmallGame
from tests.games.odds.game import GAME as ODDS


class Bot:
    """Names a number."""

    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: View, chance: Random) -> list[dict[str, Any]]:
        return [{"kind": "name", "number": chance.randint(0, 9)}]

    def has_decision(self, state: Any, seat: int) -> bool:
        return True

    def think_milliseconds(self, state: Any, seat: int, chance: Random) -> int:
        return 100


SENTENCES = {
    **TABLE_SENTENCES,
    "game_started": plain_pattern("Name a number."),
    "named": who_pattern("{who} names {number}."),
    "seat_done": who_pattern("{who} has decided."),
    "game_ended": plain_pattern("It is over."),
    "game_voided": plain_pattern("It is void."),
    "stake_refunded": who_pattern("{amount} back to {who}."),
}

GAME = replace(
    ODDS,
    slug="small",
    title="Small",
    template="odds/board.html",
    numbers=(
        Tunable("small.purse", 100, 1, 1_000, "points one may sit down with"),
        Tunable("small.tax_bp", 500, 0, 10_000, "tax", "bp"),
    ),
    rules={1: SmallGame()},
    speech=Speech(sentences=SENTENCES, place_names=("The Hall",)),
    bot=Bot(),
    counts=Counts(),
    lists=Lists(
        row=lambda options, summary: {},
        summary=lambda view: {},
        need=lambda state, seat: "Name a number",
    ),
    hides_presence=True,
)
