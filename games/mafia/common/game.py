"""The common part of the definitions of Mafia games: statistics, rows of lists, contest terms."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from economy.tunables import Tunable
from games.contract import Counts, Term
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import MOST_IDLE
from games.mafia.common.rules.state import TownState
from games.mafia.common.words import OPTIONS
from games.text.telling import shortest_span

#: The outcome without a winner; between the sides of one with several; the reason of no outcome.
DRAW: Final = "draw"
SIDES: Final = "+"
VOID: Final = "void"

COUNTS: Final = Counts(
    ratio=True, idle=frozenset({"done", "undone", "post", "write_will", "leave"}), to_the_end=True
)
#: The part of the page on absence that the rules give.
ABSENCE: Final = {"most_idle": MOST_IDLE}


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Mafia fields of a row in the lobby."""
    round_, living = summary.get("round", 0), summary.get("living", 0)
    return {
        "phase_seconds": options["phase_seconds"],
        "stage": summary.get("stage"),
        "round": round_,
        "living": living,
        "terms": f"{options['seats']} players · {shortest_span(options['phase_seconds'])} a phase",
        "news": f"{str(summary.get('stage', '')).capitalize()} {round_} · {living} alive",
    }


def phase_word(phase: int, first: str) -> str:
    """Return a phase in words; a round is two phases, the first of them a ``first``.
    >>> phase_word(1, "night"), phase_word(4, "night"), phase_word(1, "day")
    ('night 1', 'day 2', 'day 1')
    """
    is_night = (phase % 2 == 1) == (first == Stage.NIGHT)
    return f"{'night' if is_night else 'day'} {(phase + 1) // 2}"


def summary_with(
    sides: Callable[[Mapping[str, Any]], Sequence[str]],
) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a function that summarizes a spectator's view for lists. ``sides``: the sides that
    won, of a result; none in a draw.
    """

    def summary(view: Mapping[str, Any]) -> dict[str, Any]:
        told = {
            "stage": view["stage"],
            "round": view["round"],
            "living": view["living"],
            "dead": [seat["no"] for seat in view["seats"] if not seat["is_alive"]],
        }
        result = view["result"]
        if result is None or result["reason"] == VOID:
            return told
        return {**told, "outcome": SIDES.join(sides(result)) or DRAW}

    return summary


def wanted(state: TownState[Any], seat: int) -> str | None:
    """Return the pending action, the same for every role; None after a vote or a check-in."""
    own = state.member(seat)
    if own is None or not own.may_act:
        return None
    if state.stage == Stage.DAY:
        return "Vote" if own.vote is None else None
    return None if own.is_done else "Check in for the night"


def need(state: TownState[Any], seat: int) -> str | None:
    """Return the same with a warning if the idle seat will be, or is, open to substitutes."""
    what, own = wanted(state, seat), state.member(seat)
    if what is None or own is None or not state.has_substitutes:
        return what
    if own.idle_phases >= MOST_IDLE:
        return f"{what}: your seat is open to others"
    is_near = own.idle_phases == MOST_IDLE - 1
    return f"{what}, or your seat is offered to others" if is_near else what


#: What contests have: the options of every game besides its settings, and a setting.
IN_CONTESTS: Final[Mapping[str, Any]] = {"contest": True}
SUBSTITUTES: Final = Term("Substitutes allowed", is_fixed=True)


def phase_numbers(slug: str) -> tuple[Tunable, Tunable]:
    """Return the site's numbers that limit the length of a phase in a game's contests."""
    return (
        Tunable(f"{slug}.contest_phase_least", 60, 60, 604_800, "shortest phase of a contest", "s"),
        Tunable(
            f"{slug}.contest_phase_most", 604_800, 60, 604_800, "longest phase of a contest", "s"
        ),
    )


def phase_term(slug: str) -> Term:
    least, most = phase_numbers(slug)
    return Term(OPTIONS["phase_seconds"], "seconds", least.name, most.name)


def living(state: TownState[Any]) -> list[int]:
    return [member.no for member in state.living]


def windows(view: Mapping[str, Any]) -> list[bool]:
    """Return, in seat order, whether each seat lived to the end: its light is on."""
    return [seat["is_alive"] for seat in view["game"]["seats"]]


def absent(state: TownState[Any]) -> list[int]:
    """Return those who made no choice in two phases running, alive or dead since."""
    return [member.no for member in state.members if member.unchosen_phases >= MOST_IDLE]
