"""Whole table views for tests of what is computed from them."""

from collections.abc import Mapping
from typing import Any

from games.engine.choices import clean_options
from games.engine.facts import SPECTATOR, Instant, Points, SeatNo, SeatSetup, Step, Viewer
from games.engine.structs import Reader
from games.showdown.rules.actions import ShowdownAction
from games.showdown.rules.engine import Showdown
from games.showdown.rules.state import Options, TableState
from tests.games.contract.kit import table_view as table_view_of

RULES = Showdown()
ACTIONS = Reader[ShowdownAction](ShowdownAction)
NOON = Instant(1_795_262_400_000)
NAMES = ("tessio", "bob", "Bobby", "tom")


def start(seats: int, seed: str = "00" * 32, **options: Any) -> Step[TableState]:
    setups = [SeatSetup(SeatNo(no), Points(100)) for no in range(seats)]
    chosen = clean_options(Options, {"seats": seats, "ante": 1, **options})
    return RULES.setup(chosen, setups, seed, NOON)


def table_view(
    seat: int | None,
    names: tuple[str | None, ...] = NAMES,
    game: dict[str, Any] | None = None,
    stock: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    return table_view_of("showdown", seat, names, game, stock)


def game_view(
    state: TableState,
    seat: int | None,
    names: tuple[str | None, ...] = NAMES,
    stock: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    viewer = Viewer(None if seat is None else SeatNo(seat))
    return table_view(seat, names, RULES.view(state, viewer), stock)


def in_a_round(seats: int = 4) -> TableState:
    state = start(seats).state
    while RULES.view(state, SPECTATOR)["stage"] == "betting":
        seat = RULES.pending_seats(state)[0]
        state = RULES.apply(state, seat, ACTIONS.made_of({"kind": "call"}), NOON).state
    return state
