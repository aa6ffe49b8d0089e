"""The definition of Agoran Mafia by the contract of a game."""

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
    Term,
    View,
)
from games.mafia.agora import SLUG, words
from games.mafia.agora.bot import AgoraBot
from games.mafia.agora.commands import TYPING
from games.mafia.agora.rules.engine import Agora, FirstAgora
from games.mafia.agora.rules.roles import LEAST_CITIZENS, MAFIA, MOST_CITIZENS, Role, Side
from games.mafia.agora.rules.state import AgoraState
from games.mafia.agora.words import ENDINGS, role_word
from games.mafia.common import game as mafia
from games.mafia.common.words import CALLED_OFF, NOTICES, UNTOLD, choice_word
from games.text.telling import Data, Names


def _holding(own: Data, names: Names) -> str:
    """Return a citizen's role, and the choice of the night."""
    role = role_word(own["role"]).capitalize()
    return role if own["target"] is None else f"{role}: {choice_word(own['target'], names)}"


def _headline(view: View) -> str:
    game = view["game"]
    headline, _ = ENDINGS.get(game["result"]["reason"], CALLED_OFF)
    return f"{headline} in round {game['round']}"


#: Source: docs/rules/agora.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("agora.phase", 86_400, 60, 604_800, "longest night or day", "s"),
    Tunable("agora.threshold", 60, 1, 60, "threshold index: what the winners share, on each axis"),
    Tunable("agora.quiet_limit", 3, 1, 30, "nights and days in a row without a death, then a draw"),
    Tunable("agora.contest_threshold", 60, 1, 60, "largest threshold index of a contest"),
    *mafia.phase_numbers(SLUG),
)

#: Source: docs/rules/agora.md "The contest".
CONTEST: Final = ContestTerms(
    least=LEAST_CITIZENS,
    most=MOST_CITIZENS,
    settings={
        "threshold": Term(
            "Threshold index T",
            most="agora.contest_threshold",
            about="The points that the winners of a rated game share, on each axis.",
        ),
        "phase_seconds": mafia.phase_term(SLUG),
        "early_end": Term(words.OPTIONS["early_end"]),
        "reveal_on_death": Term(words.OPTIONS["reveal_on_death"]),
        "substitutes": mafia.SUBSTITUTES,
    },
    options=mafia.IN_CONTESTS,
    living=mafia.living,
    absent=mafia.absent,
)


def _won_as_mafia(state: AgoraState, _: Sequence[Happened]) -> list[int]:
    is_won = state.result is not None and state.result.winner == Side.MAFIA
    return [each.no for each in state.mafia if not each.has_left] if is_won else []


GOALS: Final = (
    Goal(
        "survived",
        "First town survived",
        "Live to the end of a town.",
        lambda town, _: mafia.living(town),
    ),
    Goal("mafia", "Family business", "Win a game as one of the mafia.", _won_as_mafia),
)

#: Besides the saved these know more than watchers do.
KNOWING: Final = MAFIA | {Role.SHERIFF, Role.DETECTIVE}


def _asked(game: View) -> tuple[list[int], int]:
    """Return the seats whose role is not revealed, and how many of them are of the mafia."""
    dealt = sum(number for role, number in game["roles"] if role in MAFIA)
    found = sum(seat["role"] in MAFIA for seat in game["seats"])
    return [seat["no"] for seat in game["seats"] if seat["role"] is None], dealt - found


def _knew(state: AgoraState) -> list[int]:
    return [each.no for each in state.citizens if each.role in KNOWING or each.saved]


READS: Final = Reads(_asked, lambda state: [each.no for each in state.mafia], _knew)

#: Names for its tables.
PLACES: Final = (
    "Agora", "Market Square", "Lower Town", "Saint Anne", "Millbrook", "Old Harbour",
    "Five Wells", "Lindenau", "Stony Hill", "Bell Street", "Fishergate", "North Bank",
)  # fmt: skip

GAME: Final = TableGame(
    slug=SLUG,
    title="Agoran Mafia",
    plural="Mafia",
    about="Nights and days in a town of 5 to 17: find the mafia by day, before it finds you.",
    icon="moon",
    template="games/mafia/town.html",
    script="js/agora/main.js",
    address=Address(list="mafia", match="mafia_game", rules="rules_agora", story="mafia_story"),
    numbers=NUMBERS,
    rules={FirstAgora.version: FirstAgora(), Agora.version: Agora()},
    speech=Speech(sentences=words.SENTENCES, place_names=PLACES, notices=NOTICES),
    lists=Lists(
        row=mafia.row,
        summary=mafia.summary_with(lambda result: [result["winner"]] if result["winner"] else []),
        need=mafia.need,
        invitation="invites you to a game of Mafia",
    ),
    typing=TYPING,
    bot=AgoraBot(),
    replay=Replayed(
        frozenset(words.AGORA_SENTENCES) - UNTOLD, _holding, _headline, windows=mafia.windows
    ),
    board={"words": words.BOARD},
    counts=mafia.COUNTS,
    goals=GOALS,
    hides_presence=True,
    contest=CONTEST,
    reads=READS,
    town_config="games.mafia.agora.town_config.TOWN",
    fates="games.mafia.agora.town_config.seat_fates",
    urls="games.mafia.agora.urls",
)
