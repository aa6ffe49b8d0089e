"""Texts of a contest: its settings, spans of time, the lines of its history.
Source: docs/explanation/contests.md "History".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.contests import terms
from games.contests.rules.state import Settings
from games.contract import TableGame, Term
from games.text.telling import listed

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
    """Write a span in the longest unit that divides it.

    >>> span(86_400), span(5_400), span(60), span(7 * 86_400)
    ('1 day', '90 minutes', '1 minute', '7 days')
    """
    for length, unit in UNITS:
        if seconds % length == 0:
            number = seconds // length
            return f"{number} {unit}{'' if number == 1 else 's'}"
    raise AssertionError("every span is a number of seconds")


def value_of(term: Term, value: int | bool) -> str:
    """Write the value of a setting."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return span(value) if term.unit == "seconds" else str(value)


def changes(game: TableGame, wanted: Settings, before: Settings | None = None) -> list[str]:
    """Write the wanted settings, a line each; with the value before, if given."""
    labels = terms.labels(game)
    lines = []
    for name, value in wanted.items():
        term = labels.get(name, Term(name))
        now = f"{value_of(term, before[name])} → " if before and name in before else ""
        lines.append(f"{term.label}: {now}{value_of(term, value)}")
    return lines


def people(users: Sequence[int], names: Names) -> str:
    """Write a list of users' names, given their ids."""
    return listed(names.get(user, "somebody") for user in users)


def tell(game: TableGame, kind: str, user: str | None, data: Data, names: Names) -> str:
    """Return one sentence for a line of the history; ``user`` is the name of its user."""
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


#: The outcome of an amendment, as a tag.
OUTCOMES: Final = {
    "passed": "passed",
    "objections": "objections",
    "limits": "out of limits",
    "withdrawn": "withdrawn",
    "closed": "contest closed",
}
