"""A game's terms for contests, with the site's numbers: settings, their limits and defaults.
Source: docs/explanation/contests.md "Settings".
"""

from collections.abc import Mapping
from typing import Any, Final

from economy.selectors import setting, settings_starting
from economy.tunables import Tunable
from games import registry
from games.contests.rules.state import WANTED, Allowed, Limits, Settings
from games.contract import ContestTerms, TableGame, Term
from games.engine.choices import bounds_of
from games.engine.structs import plain
from games.matches.services.matches import default_options

DAY: Final = 86_400_000  # milliseconds
WANTED_TERM: Final = Term("Citizens wanted for a game")
#: The numbers that an administrator may change.
#: Source: docs/rules/agora.md "The contest", the numbers marked A.
NUMBERS: Final = (
    Tunable("contests.open", 3, 1, 100, "open contests of one founder"),
    Tunable("contests.effect_days", 4, 1, 60, "days until a proposal takes effect"),
    Tunable("contests.proposal_days", 7, 0, 60, "days between two proposals of one party"),
    Tunable("contests.idle_days", 7, 1, 365, "days without a game, then any party may start one"),
    Tunable(
        "contests.master_days", 30, 1, 365, "days without a contestmaster, then it is the site"
    ),
    Tunable("contests.board_contests", 10, 1, 1_000, "ended contests before the site's standings"),
)


def games() -> list[TableGame]:
    """Return the games that are played in contests, in the site's order."""
    return [game for game in registry.tables() if game.contest is not None]


def terms_of(game: TableGame) -> ContestTerms:
    """Return a game's terms for contests; only for a game that has them."""
    assert game.contest is not None
    return game.contest


def find(slug: str) -> TableGame | None:
    """Return the game with this slug that is played in contests, None without one."""
    return next((game for game in games() if game.slug == slug), None)


def labels(game: TableGame) -> Mapping[str, Term]:
    """Return the terms of a game's contest settings, in the order of display."""
    return {WANTED: WANTED_TERM, **terms_of(game).settings}


def usual(game: TableGame) -> Settings:
    """Return the default settings of a new contest."""
    options: Mapping[str, Any] = plain(default_options(game.slug, {}))
    settings = {WANTED: options["seats"]}
    settings |= {name: options[name] for name in terms_of(game).settings}
    for name, limits in allowed(game).settings.items():
        if limits is not None:
            # An administrator may have narrowed them below the site's defaults.
            settings[name] = max(limits.least, min(limits.most, settings[name]))
    return settings


def allowed(game: TableGame) -> Allowed:
    """Return the current limits of the site and a game: the rules' bounds, narrowed by numbers."""
    terms = terms_of(game)
    numbers = settings_starting(f"{game.slug}.") | settings_starting("contests.")
    limits: dict[str, Limits | None] = {
        name: _limits(game, name, term, numbers) for name, term in terms.settings.items()
    }
    return Allowed(
        settings={WANTED: Limits(terms.least, terms.most), **limits},
        amendable=frozenset({WANTED} | {n for n, t in terms.settings.items() if not t.is_fixed}),
        least=terms.least,
        most=terms.most,
        effect=DAY * numbers["contests.effect_days"],
        between=DAY * numbers["contests.proposal_days"],
        idle=DAY * numbers["contests.idle_days"],
    )


def rated_from() -> dict[str, int]:
    """Return the least people and minutes of a phase with which games are rated.
    Source: docs/rules/agora.md "Winning and points".
    """
    return {name: setting(f"awards.{name}") for name in ("people", "minutes")}


def options_of(game: TableGame, settings: Settings) -> dict[str, Any]:
    """Return the options of a contest's game from these settings."""
    chosen = {name: value for name, value in settings.items() if name != WANTED}
    return {**chosen, **terms_of(game).options}


def _limits(game: TableGame, name: str, term: Term, numbers: Mapping[str, int]) -> Limits | None:
    bounds = bounds_of(game.options, name)
    if not bounds:
        return None
    least, most = bounds["least"], bounds["most"]
    return Limits(
        max(least, numbers[term.least]) if term.least else least,
        min(most, numbers[term.most]) if term.most else most,
    )
