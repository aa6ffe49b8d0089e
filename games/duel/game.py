"""The definition of Duel by the contract of a game."""

from typing import Final

from economy.tunables import Tunable
from games.contract import (
    Address,
    Counts,
    Data,
    Fought,
    Lists,
    Practice,
    Rated,
    Speech,
    TableGame,
    Typing,
)
from games.duel import SLUG, lists, replies, words
from games.duel.bot import DuelBot
from games.duel.commands import COMMANDS
from games.duel.replay import REPLAY
from games.duel.rules.engine import Duel, FirstDuel
from games.engine.facts import SeatNo

#: Source: docs/rules/duel.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("duel.clock", 30, 5, 86_400, "clock of a throw", "s"),
    Tunable("duel.bot_clock_times", 3, 1, 10, "times as long a clock against a bot"),
    Tunable("duel.largest_stake", 100, 1, 100_000, "points each may stake on a duel"),
    Tunable("duel.tax_bp", 500, 0, 10_000, "tax of both stakes", "bp"),
    Tunable("duel.uncounted_limit", 20, 3, 1_000, "throws that do not count, then it ends"),
    Tunable("duel.suspension_days", 7, 1, 30, "days a duel may be suspended"),
)


def _battle(data: Data) -> tuple[Fought]:
    first, second = (hand and hand.capitalize() for hand in data["hands"])
    winner = data["winners"][0] if len(data["winners"]) == 1 else None
    return (Fought((SeatNo(0), SeatNo(1)), (first, second), winner),)


GAME: Final = TableGame(
    slug=SLUG,
    title="Duel",
    plural="Duels",
    about="Rock, paper, scissors for two, best of 1 to 99; for programs too.",
    icon="fist",
    template="games/duel/duel.html",
    script="js/duel/main.js",
    address=Address(list="duels", match="duel", rules="rules_duel"),
    numbers=NUMBERS,
    rules={FirstDuel.version: FirstDuel(), Duel.version: Duel()},
    speech=Speech(
        sentences=words.SENTENCES,
        place_names=(
            "Dawn Meadow",
            "Pier Nine",
            "Chalk Line",
            "Courtyard",
            "Ten Paces",
            "Old Bridge",
            "Rooftop",
            "Water Tower",
            "Rail Yard",
            "The Alley",
            "Clock Square",
            "Mill Race",
        ),
    ),
    lists=Lists(
        row=lists.row,
        summary=lists.summary,
        need=lists.need,
        invitation="challenges you to a duel",
    ),
    typing=Typing(COMMANDS, replies.answer, replies.confirm),
    bot=DuelBot(),
    replay=REPLAY,
    board={"words": {SLUG: words.BOARD}},
    counts=Counts(
        rated=Rated.PAIR,
        idle=frozenset({"resign", "suspend", "withdraw_suspend", "resume", "withdraw_resume"}),
    ),
    practice=Practice(
        options={"best_of": 5, "no_ties": True},
        bots=("Aunt_Carmela",),
        begin="duel_quick",
        begin_word="Find an opponent",
        about="Best of five against a bot",
        door="js/duel/door.js",
    ),
    battles={"hands_revealed": _battle},
    urls="games.duel.urls",
    rpc="games.duel.rpc.named",
    warned="games.duel.absences.missed_last",
)
