"""The definition of Rock, Paper, Scissors, Dynamite by the contract of a game."""

from collections.abc import Sequence
from typing import Final

from economy.tunables import Tunable
from games.contract import (
    Address,
    ContestTerms,
    Goal,
    Happened,
    Lists,
    Reads,
    Replayed,
    Speech,
    TableGame,
    View,
)
from games.mafia.common import game as mafia
from games.mafia.common.words import CALLED_OFF, NOTICES, UNTOLD, choice_word
from games.mafia.dynamite import SLUG, words
from games.mafia.dynamite.bot import DynamiteBot
from games.mafia.dynamite.commands import TYPING
from games.mafia.dynamite.rules.engine import Dynamite, FirstDynamite
from games.mafia.dynamite.rules.state import DynamiteState
from games.mafia.dynamite.rules.teams import LEAST_PLAYERS, MAFIAS, MOST_PLAYERS
from games.mafia.dynamite.words import card_word, ending_words
from games.text.telling import Data, Names


def _holding(own: Data, names: Names) -> str:
    """Return a player's team, the points of a mafia or the danger of a townie, and the choice."""
    held = card_word(own["team"])
    if own["danger"] is not None:
        held += f", danger {own['danger']}"
    if own["points"] is not None:
        held += f", {own['points']} points"
    return held if own["target"] is None else f"{held}: {choice_word(own['target'], names)}"


def _headline(view: View) -> str:
    result = view["game"]["result"]
    if result["reason"] == "void":
        return CALLED_OFF[0]
    headline, _ = ending_words(result["reason"], result["teams"])
    return f"{headline} in round {view['game']['round']}"


#: Source: docs/rules/dynamite.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("dynamite.phase", 86_400, 60, 604_800, "longest night or day", "s"),
    Tunable("dynamite.award", 5, 1, 60, "points that each winner is awarded"),
    Tunable(
        "dynamite.quiet_limit", 6, 2, 60, "days and nights in a row without a death, then a draw"
    ),
    *mafia.phase_numbers(SLUG),
)

#: Source: docs/rules/dynamite.md "Winning".
CONTEST: Final = ContestTerms(
    least=LEAST_PLAYERS,
    most=MOST_PLAYERS,
    settings={"phase_seconds": mafia.phase_term(SLUG), "substitutes": mafia.SUBSTITUTES},
    options=mafia.IN_CONTESTS,
    living=mafia.living,
    absent=mafia.absent,
    axes=1,
)


def _won_as_mafia(state: DynamiteState, _: Sequence[Happened]) -> list[int]:
    winners = state.result.winners if state.result else ()
    return [player.no for player in state.players if player.is_mafia and player.no in winners]


GOALS: Final = (
    Goal(
        "survived",
        "Not blown up",
        "Live to the end of a Dynamite town.",
        lambda town, _: mafia.living(town),
    ),
    Goal("mafia", "Last mafia standing", "Win with one of the three mafias.", _won_as_mafia),
)


def _asked(game: View) -> tuple[list[int], int]:
    """Return the seats whose team is not revealed, and how many of them are of any mafia."""
    hidden = sum(size - dead for team, size, dead in game["teams"] if team in MAFIAS)
    return [seat["no"] for seat in game["seats"] if seat["team"] is None], hidden


def _mafia(state: DynamiteState) -> list[int]:
    return [player.no for player in state.players if player.is_mafia]


#: The mafias know their own.
READS: Final = Reads(_asked, _mafia, _mafia)

#: Names for its tables.
PLACES: Final = (
    "Dynamite Town", "Powder Hill", "Fuse Street", "Blast Hollow", "Saltpetre", "Quarry End",
    "Tinderbox", "Cinder Row", "Matchwood", "Sulphur Springs", "Short Fuse", "Stapler's Rest",
)  # fmt: skip

GAME: Final = TableGame(
    slug=SLUG,
    title="Rock, Paper, Scissors, Dynamite",
    plural="Dynamite",
    about="Three mafias of 4 to 40 hunt each other in a circle; the town tries not to explode.",
    icon="dynamite",
    template="games/dynamite/town.html",
    script="js/dynamite/main.js",
    address=Address(list="mafia", match="mafia_game", rules="rules_dynamite", story="mafia_story"),
    numbers=NUMBERS,
    rules={FirstDynamite.version: FirstDynamite(), Dynamite.version: Dynamite()},
    speech=Speech(sentences=words.SENTENCES, place_names=PLACES, notices=NOTICES),
    lists=Lists(
        row=mafia.row,
        summary=mafia.summary_with(lambda result: result["teams"]),
        # No warning: a player who is idle for two phases has no vote and dies before the seat is
        # offered.
        need=mafia.wanted,
        invitation="invites you to a game of Dynamite",
    ),
    typing=TYPING,
    bot=DynamiteBot(),
    replay=Replayed(
        frozenset(words.DYNAMITE_SENTENCES) - UNTOLD, _holding, _headline, windows=mafia.windows
    ),
    board={"words": words.BOARD},
    counts=mafia.COUNTS,
    goals=GOALS,
    hides_presence=True,
    contest=CONTEST,
    reads=READS,
    town_config="games.mafia.dynamite.town_config.TOWN",
    fates="games.mafia.dynamite.town_config.seat_fates",
    urls="games.mafia.dynamite.urls",
)
