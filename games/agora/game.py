"""Agoran Mafia's answers to the contract of a game.

Its shapes for pages, bots and programs: docs/agora.md.
"""

from __future__ import annotations

from typing import Final

from economy.tunables import Tunable
from games.agora import SLUG, lists, replies, words
from games.agora.bot import AgoraBot
from games.agora.commands import COMMANDS
from games.agora.rules.engine import Agora
from games.agora.rules.roles import LEAST_CITIZENS, MOST_CITIZENS
from games.agora.rules.state import AgoraState
from games.agora.rules.trial import random_game
from games.game import Address, ContestTerms, Counts, Lists, Speech, TableGame, Term, Typing
from games.mafia.rules.roster import idle_seats

#: Source: docs/rules/agora.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("agora.phase", 86_400, 60, 604_800, "seconds a night or a day lasts at most"),
    Tunable("agora.threshold", 60, 1, 60, "threshold index: what the winners share, on each axis"),
    Tunable("agora.quiet_limit", 3, 1, 30, "nights and days in a row without a death, then a draw"),
    Tunable("agora.contest_threshold", 60, 1, 60, "largest threshold index of a contest"),
    Tunable("agora.contest_phase_least", 60, 60, 604_800, "shortest phase of a contest, seconds"),
    Tunable("agora.contest_phase_most", 604_800, 60, 604_800, "longest phase of one, seconds"),
)


def _living(state: AgoraState) -> list[int]:
    return [citizen.no for citizen in state.living]


def _absent(state: AgoraState) -> list[int]:
    return list(idle_seats(state.citizens))


#: Source: docs/rules/agora.md "The contest".
CONTEST: Final = ContestTerms(
    least=LEAST_CITIZENS,
    most=MOST_CITIZENS,
    settings={
        "threshold": Term("Threshold index T", most="agora.contest_threshold"),
        "phase_seconds": Term(
            "A night or a day lasts",
            "seconds",
            least="agora.contest_phase_least",
            most="agora.contest_phase_most",
        ),
        "early_end": Term("A night ends early when all who live are done"),
        "reveal_on_death": Term("Whoever dies shows the role"),
        "substitutes": Term("Others may take over seats of the absent", is_fixed=True),
    },
    options={"contest": True},
    living=_living,
    absent=_absent,
)

GAME: Final = TableGame(
    slug=SLUG,
    title="Agoran Mafia",
    plural="Mafia",
    about="Nights and days in a town of 5 to 17: find the mafia by day, before it finds you.",
    icon="moon",
    template="games/agora/town.html",
    script="js/agora/main.js",
    address=Address(list="mafia", match="mafia_game", rules="rules_agora"),
    numbers=NUMBERS,
    rules={Agora.version: Agora()},
    speech=Speech(
        tell=words.tell,
        kinds=frozenset(words.SENTENCES),
        place_names=(
            "Agora",
            "Market Square",
            "Lower Town",
            "Saint Anne",
            "Millbrook",
            "Old Harbour",
            "Five Wells",
            "Lindenau",
            "Stony Hill",
            "Bell Street",
            "Fishergate",
            "North Bank",
        ),
        notices=words.NOTICES,
    ),
    lists=Lists(
        row=lists.row,
        summary=lists.summary,
        need=lists.need,
        invitation="invites you to a game of Mafia",
    ),
    typing=Typing(COMMANDS, replies.answer, replies.confirm),
    bot=AgoraBot(),
    counts=Counts(ratio=True, idle=frozenset({"done", "undone", "post", "leave"}), to_the_end=True),
    random_game=random_game,
    hides_presence=True,
    contest=CONTEST,
    urls="games.agora.urls",
)
