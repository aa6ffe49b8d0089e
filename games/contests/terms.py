"""A game's terms for contests: settings, limits, defaults; texts of settings and history."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from economy.selectors import setting, settings_starting
from economy.tunables import Tunable
from games import registry
from games.contests.rules.state import WANTED, Allowed, Limits, Settings
from games.contract import ContestTerms, TableGame, Term
from games.engine.choices import bounds_of
from games.engine.structs import plain
from games.matches.services import default_options
from games.text.telling import listed

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


def numbers() -> Iterator[tuple[str, Tunable]]:
    return (("Contests", number) for number in NUMBERS)


def games() -> list[TableGame]:
    """Return the games that are played in contests, in the site's order."""
    return [game for game in registry.tables() if game.contest is not None]


def terms_of(game: TableGame) -> ContestTerms:
    assert game.contest is not None
    return game.contest


def find(slug: str) -> TableGame | None:
    return next((game for game in games() if game.slug == slug), None)


def labels(game: TableGame) -> Mapping[str, Term]:
    """Return the terms of a game's contest settings, in the order of display."""
    return {WANTED: WANTED_TERM, **terms_of(game).settings}


def usual(game: TableGame) -> Settings:
    options: Mapping[str, Any] = plain(default_options(game.slug, {}))
    settings = {WANTED: options["seats"]}
    settings |= {name: options[name] for name in terms_of(game).settings}
    for name, limits in allowed(game).settings.items():
        if limits is not None:
            # An administrator may have narrowed them below the site's defaults.
            settings[name] = max(limits.least, min(limits.most, settings[name]))
    return settings


def allowed(game: TableGame) -> Allowed:
    """Return the current limits: the rules' bounds, narrowed by numbers of the site."""
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
    """Return the least people and minutes of a phase with which games are rated."""
    return {name: setting(f"awards.{name}") for name in ("people", "minutes")}


def options_of(game: TableGame, settings: Settings) -> dict[str, Any]:
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


Data = Mapping[str, Any]
Names = Mapping[int, str]

#: Seconds of each unit, the longest first.
UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))

UNREADY: Final = {
    "asked": "is ready no longer",
    "absent": "was absent for two phases and must press ready again",
    "away": "is away, and ready no longer",
    "left_out": "was ready and is left out: fair play keeps apart some who would play together",
}
ENDINGS: Final = {"drawn": "ended in a draw", "void": "was called off"}
FAILURES: Final = {
    "objections": "failed by objections",
    "limits": "failed: the limits have changed meanwhile",
    "withdrawn": "was withdrawn",
    "closed": "failed with the closing of the contest",
}


def span(seconds: int) -> str:
    """Write a span in the longest unit that divides it: 90 minutes, 7 days."""
    for length, unit in UNITS:
        if seconds % length == 0:
            number = seconds // length
            return f"{number} {unit}{'' if number == 1 else 's'}"
    raise AssertionError("every span is a number of seconds")


def value_of(term: Term, value: int | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return span(value) if term.unit == "seconds" else str(value)


def changes(game: TableGame, wanted: Settings, before: Settings | None = None) -> list[str]:
    """Write the wanted settings, a line each; with the value before, if given."""
    shown = labels(game)
    lines = []
    for name, value in wanted.items():
        term = shown.get(name, Term(name))
        now = f"{value_of(term, before[name])} → " if before and name in before else ""
        lines.append(f"{term.label}: {now}{value_of(term, value)}")
    return lines


def people(users: Sequence[int], names: Names) -> str:
    return listed(names.get(user, "somebody") for user in users)


def tell(game: TableGame, kind: str, user: str | None, data: Data, names: Names) -> str:
    """Return one sentence for a line of the history."""
    who = user or "The site"
    told: dict[str, Callable[[], str]] = {
        "founded": lambda: f"{who} founded the contest",
        "joined": lambda: f"{who} joined",
        "left": lambda: f"{who} left",
        "master_replaced": lambda: f"{who} is contestmaster no longer: the site is",
        "became_ready": lambda: f"{who} is ready",
        "became_unready": lambda: f"{who} {UNREADY[data['reason']]}",
        "game_began": lambda: (
            f"{who} started game {data['no']}, with {people(data['players'], names)}"
        ),
        "game_ended": lambda: f"Game {data['no']} {ending(data['how'], data['winners'], names)}",
        "proposed": lambda: (
            f"{who} proposed amendment {data['no']}: {'; '.join(changes(game, data['changes']))}"
        ),
        "objected": lambda: f"{who} objected to amendment {data['no']}",
        "amended": lambda: (
            f"Amendment {data['no']} took effect: {'; '.join(changes(game, data['changes']))}"
        ),
        "amendment_failed": lambda: f"Amendment {data['no']} {FAILURES[data['reason']]}",
        "closed": lambda: f"{who} closed the contest",
    }
    return told[kind]()


def ending(how: str, winners: list[int], names: Names) -> str:
    """Write how a game ended, after its name."""
    return f"was won by {people(winners, names)}" if how == "won" else ENDINGS[how]


#: The outcomes of an amendment whose tag is another word.
OUTCOMES: Final = {"limits": "out of limits", "closed": "contest closed"}
