"""Data of duels for the contract suite."""

from collections.abc import Iterator
from typing import Any

from games.duel.rules.actions import Throw
from games.duel.rules.engine import Duel
from games.duel.rules.state import QUICK, DuelState, Hand
from games.engine.facts import SeatNo, Viewer
from games.engine.structs import Kinded
from games.text.typed import View
from tests.games.contract.kit import Contract, table_view
from tests.games.duel.kit import DuelKit
from tests.games.duel.rules.kit import duel, view
from tests.games.match_kit import new_user
from tools.referee.duel import TRIAL


def blind(state: DuelState, viewer: Viewer) -> Iterator[tuple[SeatNo, Kinded, Any]]:
    """Return all that happens before a reveal: asking, suspending, coming back, resigning."""
    for seat in (SeatNo(0), SeatNo(1)):
        for action in Duel().legal_actions(state, seat):
            if not isinstance(action, Throw):
                yield seat, action, TRIAL.other_worlds(state, viewer)


def views() -> dict[str, View]:
    """Return views of a duel: before it, of who throws and has thrown, while it is suspended."""
    states = {
        "throwing": (duel(best_of=3), 0),
        "thrown": (duel("0p", best_of=3), 0),
        "waiting": (duel("0p", best_of=3), 1),
        "suspended": (duel("0 suspend", "1 suspend", best_of=3), 0),
        "won": (duel("0p", "1r"), None),
    }
    names = ("ann", "bob")
    shown = {
        name: table_view("duel", seat, names, view(state, seat))
        for name, (state, seat) in states.items()
    }
    return {"open": table_view("duel", 0, names), **shown}


def begin(age: float = 0) -> DuelKit:
    people = map(new_user, ("una", "ben"))
    kit = DuelKit(*people, best_of=3, stake=10, clock_seconds=86_400, age=age)
    kit.start()
    return kit


CONTRACT = Contract(
    options=({"best_of": 3}, {"best_of": 9, "no_ties": True, "stake": 5}, {**QUICK, "quick": True}),
    begin=begin,
    games=(100, 200, 10_000),
    reasons=frozenset({"wins", "draw", "resigned", "suspension", "abandoned", "missed", "void"}),
    worlds=TRIAL.other_worlds,
    blind=blind,
    unheard=lambda state, seat: map(Throw, Hand),
    traces={"throw": "hand_in"},
    largest=lambda: (duel(*["0s", "1s"] * 49, "0s", best_of=99, stake=100), 3_000),
    views=views,
    # A seat is left by resigning.
    untyped=frozenset({"leave"}),
)
