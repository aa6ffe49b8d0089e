"""The definition of Agoran Mafia by the contract of a game. The shapes of its views for pages, bots
and programs: docs/reference/views.md.
"""

from typing import Final

from economy.tunables import Tunable
from games.contract import Address, ContestTerms, Counts, Lists, Speech, TableGame, Term, Typing
from games.mafia.agora import SLUG, replies, words
from games.mafia.agora.bot import AgoraBot
from games.mafia.agora.commands import COMMANDS
from games.mafia.agora.replay import REPLAY
from games.mafia.agora.rules.engine import Agora
from games.mafia.agora.rules.roles import LEAST_CITIZENS, MOST_CITIZENS
from games.mafia.common import contest_terms, lists
from games.mafia.common.words import NOTICES

#: Source: docs/rules/agora.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("agora.phase", 86_400, 60, 604_800, "longest night or day", "s"),
    Tunable("agora.threshold", 60, 1, 60, "threshold index: what the winners share, on each axis"),
    Tunable("agora.quiet_limit", 3, 1, 30, "nights and days in a row without a death, then a draw"),
    Tunable("agora.contest_threshold", 60, 1, 60, "largest threshold index of a contest"),
    *contest_terms.phase_numbers(SLUG),
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
        "phase_seconds": Term(contest_terms.PHASE, "seconds", *contest_terms.phase_limits(SLUG)),
        "early_end": Term(words.OPTIONS["early_end"]),
        "reveal_on_death": Term(words.OPTIONS["reveal_on_death"]),
        "substitutes": Term(contest_terms.SUBSTITUTES, is_fixed=True),
    },
    options=contest_terms.OPTIONS,
    living=contest_terms.living,
    absent=contest_terms.absent,
)

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
    rules={Agora.version: Agora()},
    speech=Speech(
        sentences=words.SENTENCES,
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
        notices=NOTICES,
    ),
    lists=Lists(
        row=lists.row,
        summary=lists.summary_with(lambda result: [result["winner"]] if result["winner"] else []),
        need=lists.need,
        invitation="invites you to a game of Mafia",
    ),
    typing=Typing(COMMANDS, replies.answer, replies.confirm),
    bot=AgoraBot(),
    replay=REPLAY,
    board={"words": words.BOARD},
    counts=Counts(
        ratio=True,
        idle=frozenset({"done", "undone", "post", "write_will", "leave"}),
        to_the_end=True,
    ),
    hides_presence=True,
    contest=CONTEST,
    town_config="games.mafia.agora.town_config.TOWN",
    fates="games.mafia.agora.town_config.seat_fates",
    urls="games.mafia.agora.urls",
)
