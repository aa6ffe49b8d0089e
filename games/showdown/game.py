"""The definition of Showdown by the contract of a game, with its first lesson and its replay."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from economy.transfers import TransferCode
from economy.tunables import Tunable
from economy.units import OWNED, Unit
from games.contract import (
    Address,
    Character,
    Counts,
    Fought,
    Goal,
    Happened,
    Lesson,
    Lists,
    Move,
    Practice,
    Rated,
    Replayed,
    Speech,
    TableGame,
    View,
)
from games.engine.facts import Fact, SeatNo
from games.showdown import SLUG, words
from games.showdown.bot import ShowdownBot
from games.showdown.commands import TYPING
from games.showdown.rules.engine import FirstShowdown, Showdown
from games.showdown.rules.facts import RoundResolved
from games.showdown.rules.state import MOST_SEATS, Reason, Stage, TableState, fill_options
from games.showdown.rules.weapons import BASIC, TABLE
from games.showdown.words import MINE, SHOWDOWN_SENTENCES, counts, weapon_title, with_article
from games.text.answers import names_of
from games.text.telling import Data, Names, name_of, people, points

#: The bot's weapons in the first rounds; after them it chooses at random.
PLAN: Final = ("scissors", "scissors", "paper")
#: Milliseconds.
THINKING: Final = 900


class Tutor:
    """A bot that never raises and attacks by a plan that a beginner can beat, so that the lesson's
    hints (static/js/showdown/lesson.js) are true.
    """

    #: Empty: the tutor is in no list of bots.
    cast: Mapping[str, Character] = MappingProxyType({})

    def choose(self, view: Mapping[str, Any], chance: Random) -> list[dict[str, Any]]:
        game = view["game"]
        own = game["you"]
        if game["stage"] == "betting":
            return [{"kind": "call"}] if "call" in own["may"] else []
        if game["stage"] == "over" or own["locked"]:
            return []
        attacks = [
            {"kind": "attack", "target": target, "weapon": weapon}
            for target in own["targets"]
            if (weapon := _planned_weapon(game["round"], own["stock"], chance)) is not None
        ]
        return [*attacks, {"kind": "lock"}]

    def has_decision(self, state: Any, seat: int) -> bool:
        return True

    def think_milliseconds(self, state: Any, seat: int, chance: Random) -> int:
        return THINKING


def _planned_weapon(round_no: int, stock: Mapping[str, int], chance: Random) -> str | None:
    held = sorted(weapon for weapon, count in stock.items() if count)
    if round_no <= len(PLAN) and PLAN[round_no - 1] in held:
        return PLAN[round_no - 1]
    return chance.choice(held) if held else None


LESSON: Final = Lesson(
    seed="the first game",
    bot=Tutor(),
    options={"seats": 2, "target": 6, "listed": False},
    stock={"landmine": 1, "rock": 2},
    bots=("Plain_Jane_Doyle",),
)


MOMENTS: Final = frozenset(SHOWDOWN_SENTENCES)


def _holding(own: Data, names: Names) -> str:
    """Return a seat's attacks, its mines and its free weapons."""
    parts = [
        f"{weapon_title(weapon)} against {name_of(int(target), names)}"
        for target, weapon in own["attacks"].items()
    ]
    parts += [
        f"{count} {MINE if count == 1 else f'{MINE}s'} under {name_of(int(target), names)}"
        for target, count in own["mines"].items()
    ]
    return "; ".join([*parts, f"free: {counts(own['stock'])}"])


def _headline(view: View) -> str:
    """Return who won how many points, with the weapon of the last victory."""
    game, names = view["game"], names_of(view)
    winners = game["result"]["winners"]
    if len(winners) != 1:
        return f"{people(winners, names)} share the pot" if winners else "Nobody won"
    winner = winners[0]
    net = game["result"]["seats"][str(winner)]["net"]
    took = f"took {points(net)}" if net > 0 else "won"
    weapon = _winning_weapon(game["last_round"], winner)
    return f"{name_of(winner, names)} {took}{f' with {with_article(weapon)}' if weapon else ''}"


def _winning_weapon(last: Mapping[str, Any] | None, winner: int) -> str | None:
    """Return the weapon with which a seat won a battle of the last round."""
    for battle in last["battles"] if last else ():
        if battle["winner"] == winner:
            used: str | None = battle["a_weapon" if battle["a"] == winner else "b_weapon"]
            return used
    return None


def _badge(view: View) -> tuple[str, str] | None:
    """Return the weapon of the only winner's last victory and the victory points."""
    game = view["game"]
    winners = game["result"]["winners"]
    weapon = _winning_weapon(game["last_round"], winners[0]) if len(winners) == 1 else None
    if weapon is None:
        return None
    seat = next(seat for seat in game["seats"] if seat["no"] == winners[0])
    return weapon_title(weapon), f"{seat['points']} VP"


REPLAY: Final = Replayed(MOMENTS, _holding, _headline, _badge)


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
    """Return W if a seat made the most points of a round, D with others, else L."""
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

PLACE_NAMES: Final = (
    "Back Room", "Velvet Curtain", "Window Table", "The Cellar", "Corner Booth", "Harbour Shed",
    "The Laundry", "Smoke Room", "Barber's Chair", "Loading Dock", "Green Door", "The Mezzanine",
)  # fmt: skip


def _fought(facts: Sequence[Happened]) -> list[Data]:
    rounds = [data["battles"] for kind, data in facts if kind == "round_resolved"]
    return [battle for battles in rounds for battle in battles]


def _combined(_: TableState, facts: Sequence[Happened]) -> Collection[int]:
    thrown = [(each[side], each[f"{side}_weapon"]) for each in _fought(facts) for side in "ab"]
    return {no for no, weapon in thrown if weapon is not None and weapon not in BASIC}


def _stole(_: TableState, facts: Sequence[Happened]) -> Collection[int]:
    return {each["taken_by"] for each in _fought(facts)} - {None}


def _mined(_: TableState, facts: Sequence[Happened]) -> Collection[int]:
    """Return the seats that had a mine under another one when it went off."""
    planted, reached = set[tuple[int, int]](), set[int]()
    for kind, data in facts:
        if kind == "mine_planted":
            planted.add((data["seat"], data["target"]))
        elif kind == "mine_exploded" and data["count"]:
            lit = {(owner, target) for owner, target in planted if target == data["seat"]}
            reached |= {owner for owner, _ in lit}
            planted -= lit
    return reached


def _won_at_four(state: TableState, _: Sequence[Happened]) -> Collection[int]:
    if state.result is None or len(state.seats) != MOST_SEATS:
        return ()
    is_alone = state.result.reason == Reason.TARGET and len(state.result.winners) == 1
    return state.result.winners if is_alone else ()


_ROUNDS: Final = frozenset({"round_resolved"})
GOALS: Final = (
    Goal("combination", "First combination", "Throw a weapon made of two.", _combined, _ROUNDS),
    Goal("stolen", "First stolen weapon", "Take a weapon with Sling or Mask.", _stole, _ROUNDS),
    Goal(
        "mine",
        "Your mine went off",
        "Plant a mine under the one who steps on it.",
        _mined,
        frozenset({"mine_planted", "mine_exploded"}),
    ),
    Goal("four", "First of four", "Win alone at a table of four, by victory points.", _won_at_four),
)

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
    rules={FirstShowdown.version: FirstShowdown(), Showdown.version: Showdown()},
    speech=Speech(sentences=words.SENTENCES, place_names=PLACE_NAMES),
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
    typing=TYPING,
    bot=ShowdownBot(),
    replay=REPLAY,
    counts=Counts(
        rated=Rated.MANY,
        pair_daily=5,
        board=True,
        absences={"gave_up": {"reason": "absent"}, "folded": {"late": True}},
    ),
    goals=GOALS,
    moves=MOVES,
    board={"matrix": [row.replace(" ", "") for row in TABLE], "words": {SLUG: words.BOARD}},
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
