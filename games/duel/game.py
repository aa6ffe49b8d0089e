"""The definition of Duel by the contract of a game, with its list rows and its replay."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from economy.tunables import Tunable
from games.contract import (
    Address,
    Counts,
    Fought,
    Goal,
    Happened,
    Knockout,
    Lists,
    Pool,
    Practice,
    Rated,
    Replayed,
    Speech,
    TableGame,
    View,
)
from games.duel import SLUG, words
from games.duel.bot import DuelBot, afterword
from games.duel.commands import TYPING
from games.duel.rules.engine import Duel, FirstDuel, SecondDuel
from games.duel.rules.state import LONG, DuelState, Reason, Stage
from games.duel.words import DUEL_SENTENCES, HANDS
from games.engine.facts import SeatNo
from games.text.answers import names_of
from games.text.telling import Data, Names, name_of


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a duel in lists."""
    bots = any(player["bot"] for player in summary.get("players", []))
    is_rated = options["rated"] and not bots
    pool = f"{SLUG}-long" if LONG.items() <= options.items() else SLUG
    return {
        "best_of": options["best_of"],
        "no_ties": options["no_ties"],
        "clock_seconds": options["clock_seconds"],
        "stake": options["stake"],
        "rated": is_rated,
        "pool": pool if is_rated else None,
        "throw": summary.get("throw", 0),
        "wins": summary.get("wins", [0, 0]),
        "suspended": summary.get("suspended", False),
        "terms": _terms(options, bots=bots),
        "news": "{} : {}".format(*summary.get("wins", [0, 0])),
    }


def _terms(options: Mapping[str, Any], *, bots: bool) -> str:
    stake = f"stake {options['stake']}" if options["stake"] else ""
    rated = "rated" if options["rated"] and not bots else "casual"
    return f"Best of {options['best_of']} · {stake or rated}"


def summary(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary that lists store. ``missed``: the seat whose first throw did not come,
    where that called a quick duel off.
    """
    result, told = view["result"], {}
    if result is not None and result["reason"] == Reason.MISSED:
        hands = view["throws"][-1]["hands"]
        told = {"missed": [no for no, hand in enumerate(hands) if hand is None]}
    return {
        "throw": view["throw"],
        "wins": [seat["wins"] for seat in view["seats"]],
        "suspended": view["stage"] == Stage.SUSPENDED,
        **told,
    }


def need(state: DuelState, seat: int) -> str | None:
    """Return the action that a duel waits for; a suspended one can wait for both."""
    mine = state.seats[seat]
    if state.stage == Stage.SUSPENDED:
        return "Your opponent is ready to continue" if state.opponent(mine).is_back else None
    return "Throw" if mine.hand is None else "Your opponent offers a break"


#: A hand is a moment too: the seat sees it, the others that it is in.
MOMENTS: Final = frozenset(DUEL_SENTENCES) - {"hand_in", "throw_started"}


def _holding(own: Data, names: Names) -> str:
    return HANDS[own["hand"]][0] if own["hand"] else ""


def _headline(view: View) -> str:
    """Return who beat whom, the score, and the hand of the last win."""
    game, names = view["game"], names_of(view)
    first, second = (seat["wins"] for seat in game["seats"])
    winners = game["result"]["winners"]
    if not winners:
        return f"{name_of(0, names)} and {name_of(1, names)}: {first} to {second}"
    winner = winners[0]
    score = f"{max(first, second)} to {min(first, second)}"
    last = game["throws"][-1]["hands"][winner] if game["throws"] else None
    hand = f" with {HANDS[last][0]}" if last and game["result"]["reason"] == "wins" else ""
    return f"{name_of(winner, names)} beat {name_of(1 - winner, names)} {score}{hand}"


REPLAY: Final = Replayed(MOMENTS, _holding, _headline)


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


def _won(state: DuelState, _: Sequence[Happened]) -> Collection[int]:
    return state.result.winners if state.result else ()


def _won_clean(state: DuelState, _: Sequence[Happened]) -> Collection[int]:
    return _won_of(state, 5) if min(seat.wins for seat in state.seats) == 0 else ()


def _won_long(state: DuelState, _: Sequence[Happened]) -> Collection[int]:
    return _won_of(state, 9)


def _won_of(state: DuelState, best_of: int) -> Collection[int]:
    """Return who won enough throws of a duel of at least this length."""
    result = state.result
    is_long = state.options.best_of >= best_of
    return result.winners if result and is_long and result.reason == Reason.WINS else ()


GOALS: Final = (
    Goal("won", "First duel won", "Win a duel.", _won),
    Goal(
        "clean",
        "Not one throw lost",
        "Win a best of five or longer without losing a throw.",
        _won_clean,
    ),
    Goal("long", "Long breath", "Win a duel of best of nine or longer.", _won_long),
)


def _sides(state: DuelState) -> list[tuple[int, int]]:
    return [
        (
            seat.wins,
            max(
                state.throw if seat.hand else 0,
                *(each.throw for each in state.throws if each.hands[seat.no]),
                0,
            ),
        )
        for seat in state.seats
    ]


#: Source: docs/explanation/events.md "The Train".
KNOCKOUT: Final = Knockout(
    {"best_of": 3, "no_ties": True, "clock_times": 1, "rated": False, "stake": 0},
    {"best_of": 5},
    "clock_seconds",
    _sides,
)

PLACE_NAMES: Final = (
    "Dawn Meadow", "Pier Nine", "Chalk Line", "Courtyard", "Ten Paces", "Old Bridge", "Rooftop",
    "Water Tower", "Rail Yard", "The Alley", "Clock Square", "Mill Race",
)  # fmt: skip

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
    rules={each.version: each() for each in (FirstDuel, SecondDuel, Duel)},
    speech=Speech(sentences=words.SENTENCES, place_names=PLACE_NAMES),
    lists=Lists(row=row, summary=summary, need=need, invitation="challenges you to a duel"),
    typing=TYPING,
    bot=DuelBot(),
    afterword=afterword,
    replay=REPLAY,
    board={"words": {SLUG: words.BOARD}},
    counts=Counts(
        rated=Rated.PAIR,
        pools={"long": Pool("Long duel", LONG)},
        idle=frozenset({"resign", "suspend", "withdraw_suspend", "resume", "withdraw_resume"}),
    ),
    goals=GOALS,
    practice=Practice(
        options={"best_of": 5, "no_ties": True},
        kinds={"marathon": {"best_of": 99, "no_ties": True}},
        bots=("Lefty_Malone",),
        begin="duel_quick",
        begin_word="Find an opponent",
        about="Best of five against a bot",
        door="js/duel/door.js",
    ),
    battles={"hands_revealed": _battle},
    urls="games.duel.urls",
    reading="games.duel.api.router",
    rpc="games.duel.rpc.named",
    prior="games.duel.priors.prior_of",
    knockout=KNOCKOUT,
    warned="games.duel.pairing.missed_last",
    analysis="games.duel.analysis.analysis_of",
)
