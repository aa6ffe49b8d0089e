"""The arena's entry under the game contract: a game without matches and seats."""

from collections.abc import Mapping
from typing import Final

from economy.tunables import Tunable
from games.arena import SLUG, words
from games.contract import Address, Game, Goal

#: Source: docs/rules/arena.md, the numbers marked A.
NUMBERS: Final = (
    Tunable("arena.selection_ms", 5_000, 50, 60_000, "selection", "ms"),
    Tunable("arena.blitz_ms", 3_000, 50, 60_000, "selection with Blitz", "ms"),
    Tunable("arena.result_ms", 2_000, 0, 60_000, "result shown for", "ms"),
    Tunable("arena.names_shown", 50, 1, 200, "names that are shown of those who are in"),
    Tunable("arena.gone_seconds", 20, 1, 3_600, "without a socket, then one is out", "s"),
    Tunable("arena.idle_rounds", 20, 1, 1_000, "rounds without a choice, then one is out"),
    Tunable("arena.plain_rounds", 3, 0, 1_000, "rounds after which a player may be drawn"),
    Tunable("arena.season_begins", 1_140, 0, 1_439, "minute of the UTC day: a season begins"),
    Tunable("arena.season_minutes", 120, 0, 1_440, "length of a season; 0: none", "min"),
    Tunable("arena.guest_rounds", 10, 0, 1_000, "uncounted rounds of a guest"),
    Tunable("arena.guest_rounds_an_hour", 40, 1, 10_000, "the same of all guests of one address"),
    Tunable("arena.actions_a_minute", 60, 1, 6_000, "actions of a player besides choices"),
    Tunable("arena.actions_at_once", 5, 1, 100, "actions of a player at once besides choices"),
    Tunable("arena.days_kept", 7, 7, 365, "days for which each player's part of a round is kept"),
)

#: Goal -> the figure that reaches it, and how much of it.
REACHED: Final[Mapping[str, tuple[str, int]]] = {
    "won": ("round_wins", 1),
    "streak": ("best_streak", 10),
    "hundred": ("round_wins", 100),
}
GOALS: Final = (
    Goal("won", "First round won", "Win a round of the arena."),
    Goal("streak", "Ten in a row", "Reach a streak of ten in the arena."),
    Goal("hundred", "A hundred rounds", "Win a hundred rounds of the arena."),
)

GAME: Final = Game(
    slug=SLUG,
    title="Arena",
    plural="Arena",
    about="Rock, paper, scissors for everyone at once, a round every few seconds.",
    icon="users",
    template="games/arena/arena.html",
    script="js/arena/main.js",
    address=Address(list="arena", rules="arena_rules"),
    numbers=NUMBERS,
    typing=words.TYPING,
    urls="games.arena.urls",
    sockets="games.arena.urls.sockets",
    reading="games.arena.api.router",
    figures="games.arena.queries.ON_PROFILE",
    goals=GOALS,
    past_goals="games.arena.queries.past_goals",
)
