"""Whole table views for tests of what is computed from them."""

from collections.abc import Mapping
from typing import Any

from games.engine.choices import clean_options
from games.engine.facts import Instant, Points, SeatNo, SeatSetup, Step, Viewer
from games.engine.structs import Reader
from games.showdown.rules.actions import ShowdownAction
from games.showdown.rules.engine import Showdown
from games.showdown.rules.options import Options
from games.showdown.rules.state import TableState

RULES = Showdown()
ACTIONS = Reader[ShowdownAction](ShowdownAction)
NOON = Instant(1_795_262_400_000)
NAMES = ("tessio", "bob", "Bobby", "tom")


def start(seats: int, seed: str = "00" * 32, **options: Any) -> Step[TableState]:
    """Return a game that has just begun, with purses of 100."""
    setups = [SeatSetup(SeatNo(no), Points(100)) for no in range(seats)]
    chosen = clean_options(Options, {"seats": seats, "ante": 1, **options})
    return RULES.setup(chosen, setups, seed, NOON)


def table_view(
    seat: int | None,
    names: tuple[str | None, ...] = NAMES,
    game: dict[str, Any] | None = None,
    stock: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return the view of a seat at a table where the names sit; None is a free seat."""
    player = None if seat is None else names[seat]
    return {
        "match": {
            "game": "showdown",
            "title": "Back Room No. 7",
            "status": "open" if game is None else "running",
            "options": {},
            "options_revision": 3,
        },
        "phase": 0 if game is None else game["phase"],
        "seats": [
            {
                "no": no,
                "player": None if name is None else {"name": name, "bot": False},
                "purse": 50,
                "ready": no == 0,
                "present": True,
                "bonus": 0,
            }
            for no, name in enumerate(names)
        ],
        "you": {
            "seat": seat,
            "name": player,
            "balance": 100,
            "stock": {"rock": 0, "paper": 0, "scissors": 0, "landmine": 0, **(stock or {})},
            "may": ["ready", "stand"] if game is None else [],
            "default_purse": 80,
        },
        "game": game,
        "log": [],
    }


def game_view(
    state: TableState,
    seat: int | None,
    names: tuple[str | None, ...] = NAMES,
    stock: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return a seat's view of a running game."""
    viewer = Viewer(None if seat is None else SeatNo(seat))
    return table_view(seat, names, RULES.view(state, viewer), stock)
