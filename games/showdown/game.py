"""The definition of Showdown by the contract of a game."""

from collections.abc import Mapping
from typing import Final

from economy.transfers import TransferCode
from economy.tunables import Tunable
from economy.units import OWNED, Unit
from games.contract import (
    Address,
    Counts,
    Data,
    Fought,
    Lists,
    Move,
    Practice,
    Rated,
    Speech,
    TableGame,
    Typing,
)
from games.engine.facts import Fact, SeatNo
from games.showdown import SLUG, replies, words
from games.showdown.bot import ShowdownBot
from games.showdown.commands import COMMANDS
from games.showdown.lesson import LESSON
from games.showdown.replay import REPLAY
from games.showdown.rules.engine import Showdown
from games.showdown.rules.facts import RoundResolved
from games.showdown.rules.options import fill_options
from games.showdown.rules.state import Stage
from games.showdown.rules.weapons import TABLE

#: Source: docs/rules/showdown.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("showdown.ante_default", 1, 1, 1_000, "points each player antes"),
    Tunable("showdown.target", 5, 3, 15, "victory points that end a game"),
    Tunable("showdown.betting_clock", 20, 5, 120, "clock of a betting turn", "s"),
    Tunable("showdown.round_clock", 30, 5, 120, "clock of a round", "s"),
    Tunable("showdown.bot_clock_times", 3, 1, 10, "times as long a clock with bots alone"),
    Tunable("showdown.largest_purse", 100, 1, 100_000, "points one may sit down with"),
    Tunable("showdown.tax_bp", 500, 0, 10_000, "tax of each pot", "bp"),
    Tunable("showdown.win_bonus", 1, 0, 1_000, "points from the mint for each winner"),
    Tunable("showdown.loser_bonus", 0, 0, 1_000, "points from the mint for each loser"),
    Tunable("showdown.win_bonus_daily", 10, 0, 1_000, "bonuses a player gets in a day"),
    Tunable("showdown.full_raises", 4, 0, 100, "full raises in a betting round"),
    Tunable("showdown.dealt_percent", 60, 0, 1_000, "weapons dealt, in percent of the target", "%"),
    Tunable("showdown.dealt_least", 3, 1, 100, "weapons dealt at least, for each opponent"),
)


#: Stage -> the text for a seat with a pending decision.
NEEDS: Final[Mapping[Stage, str]] = {
    Stage.BETTING: "Your turn to bet",
    Stage.ROUND: "Choose your weapons",
}


def _weapon(data: Data) -> Unit:
    return OWNED[data["weapon"]]


def _count(data: Data) -> int:
    return int(data.get("count", 1))


def _mark(fact: Fact, seat: SeatNo) -> str | None:
    """Tell whether a seat made the most points of a round: W alone, D with others, L not."""
    if not isinstance(fact, RoundResolved):
        return None
    own = fact.points.get(str(seat), 0)
    others = [points for other, points in fact.points.items() if other != str(seat)]
    best = max(others, default=0)
    return "W" if own > best else "L" if own < best else "D"


def _battles(data: Data) -> list[Fought]:
    def title(weapon: str | None) -> str | None:
        return weapon and words.weapon_title(weapon)

    return [
        Fought(
            (each["a"], each["b"]),
            (title(each["a_weapon"]), title(each["b_weapon"])),
            each["winner"],
        )
        for each in data["battles"]
    ]


MOVES: Final = {
    "weapon_added": Move(TransferCode.ITEM_IN, _weapon, _count),
    "mine_planted": Move(TransferCode.ITEM_IN, lambda _data: Unit.LANDMINE, _count),
    "weapons_used": Move(TransferCode.ITEM_USED, _weapon, _count),
    "weapon_refunded": Move(TransferCode.ITEM_BACK, _weapon, _count),
}

GAME: Final = TableGame(
    slug=SLUG,
    title="Showdown",
    plural="Tables",
    about="Live tables for two to four, with bets, nine weapons and landmines.",
    icon="layout-grid",
    template="games/showdown/table.html",
    script="js/showdown/main.js",
    address=Address(list="tables", match="table", rules="rules_showdown"),
    numbers=NUMBERS,
    rules={Showdown.version: Showdown()},
    speech=Speech(
        sentences=words.SENTENCES,
        place_names=(
            "Back Room",
            "Velvet Curtain",
            "Window Table",
            "The Cellar",
            "Corner Booth",
            "Harbour Shed",
            "The Laundry",
            "Smoke Room",
            "Barber's Chair",
            "Loading Dock",
            "Green Door",
            "The Mezzanine",
        ),
    ),
    lists=Lists(
        row=lambda options, summary: {
            "ante": options["ante"],
            "target": options["target"],
            "largest_purse": options["largest_purse"],
            "pot": summary.get("pot", 0),
            "round": summary.get("round", 0),
            "terms": f"Ante {options['ante']} · first to {options['target']}",
            "news": f"Round {summary['round']} · pot {summary['pot']}"
            if summary.get("round")
            else "Betting",
        },
        summary=lambda view: {"pot": view["pot"], "round": view["round"]},
        need=lambda state, _seat: NEEDS.get(state.stage),
    ),
    typing=Typing(COMMANDS, replies.answer, replies.confirm),
    bot=ShowdownBot(),
    replay=REPLAY,
    counts=Counts(
        rated=Rated.MANY,
        pair_daily=5,
        board=True,
        absences={"gave_up": {"reason": "absent"}, "folded": {"late": True}},
    ),
    random_game="games.showdown.testing.random_game",
    moves=MOVES,
    board={
        "matrix": [row.replace(" ", "") for row in TABLE],
        "words": {SLUG: words.BOARD},
    },
    practice=Practice(
        options={"seats": 3},
        bots=("Plain_Jane_Doyle", "Sober_Stella"),
        begin="table_with_bot",
        begin_word="Open a table",
        about="Play Showdown with two bots",
        demo="js/showdown/demo.js",
        watched_bot="Ruby_Diamante",
        mark=_mark,
        stock={"landmine": 1},
        lesson=LESSON,
    ),
    fill_options=fill_options,
    battles={"round_resolved": _battles},
    urls="games.showdown.urls",
)
