"""The definition of Rock, Paper, Scissors, Dynamite by the contract of a game. The shapes of its
views for pages, bots and programs: docs/reference/views.md.
"""

from typing import Final

from economy.tunables import Tunable
from games.contract import Address, ContestTerms, Counts, Lists, Speech, TableGame, Term, Typing
from games.mafia.common import contest_terms, lists
from games.mafia.common.words import NOTICES
from games.mafia.dynamite import SLUG, replies, words
from games.mafia.dynamite.bot import DynamiteBot
from games.mafia.dynamite.commands import COMMANDS
from games.mafia.dynamite.replay import REPLAY
from games.mafia.dynamite.rules.engine import Dynamite
from games.mafia.dynamite.rules.teams import LEAST_PLAYERS, MOST_PLAYERS

#: Source: docs/rules/dynamite.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("dynamite.phase", 86_400, 60, 604_800, "longest night or day", "s"),
    Tunable("dynamite.award", 5, 1, 60, "points that each winner is awarded"),
    Tunable(
        "dynamite.quiet_limit", 6, 2, 60, "days and nights in a row without a death, then a draw"
    ),
    *contest_terms.phase_numbers(SLUG),
)

#: Source: docs/rules/dynamite.md "Winning".
CONTEST: Final = ContestTerms(
    least=LEAST_PLAYERS,
    most=MOST_PLAYERS,
    settings={
        "phase_seconds": Term(contest_terms.PHASE, "seconds", *contest_terms.phase_limits(SLUG)),
        "substitutes": Term(contest_terms.SUBSTITUTES, is_fixed=True),
    },
    options=contest_terms.OPTIONS,
    living=contest_terms.living,
    absent=contest_terms.absent,
    axes=1,
)

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
    rules={Dynamite.version: Dynamite()},
    speech=Speech(
        sentences=words.SENTENCES,
        place_names=(
            "Dynamite Town",
            "Powder Hill",
            "Fuse Street",
            "Blast Hollow",
            "Saltpetre",
            "Quarry End",
            "Tinderbox",
            "Cinder Row",
            "Matchwood",
            "Sulphur Springs",
            "Short Fuse",
            "Stapler's Rest",
        ),
        notices=NOTICES,
    ),
    lists=Lists(
        row=lists.row,
        summary=lists.summary_with(lambda result: result["teams"]),
        # No warning: a player who is idle for two phases has no vote and dies before the seat is
        # offered.
        need=lists.wanted,
        invitation="invites you to a game of Dynamite",
    ),
    typing=Typing(COMMANDS, replies.answer, replies.confirm),
    bot=DynamiteBot(),
    replay=REPLAY,
    board={"words": words.BOARD},
    counts=Counts(
        ratio=True,
        idle=frozenset({"done", "undone", "post", "write_will", "leave"}),
        to_the_end=True,
    ),
    hides_presence=True,
    contest=CONTEST,
    town_config="games.mafia.dynamite.town_config.TOWN",
    fates="games.mafia.dynamite.town_config.seat_fates",
    urls="games.mafia.dynamite.urls",
)
