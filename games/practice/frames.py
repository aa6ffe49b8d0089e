"""Build the view of a practice table, by the same code as for every table.

Source: docs/protocol.md "The view"; docs/practice.md.
"""

from typing import Any, Final, Protocol

from games.contract import TableGame
from games.engine.draws import commitment
from games.engine.table import RUNNING, Table, TableState
from games.matches.journal.lines import Line
from games.matches.journal.match_cache import CachedMatch
from games.matches.journal.sitters import Sitter
from games.matches.models import Match
from games.matches.queries.match_view import match_view
from games.matches.queries.snapshots import Snapshot
from games.practice.chips import Chips

#: The table's own actions that are offered here.
_OFFERED: Final = frozenset({"ready", "rematch"})


class Shown(Protocol):
    """The attributes of a practice table that a view needs."""

    plan: Any
    game: TableGame
    table: Table
    state: TableState
    public_id: str
    seed: str
    lines: list[Line]
    number: int
    chips: Chips

    @property
    def names(self) -> dict[int, str]: ...

    @property
    def phase(self) -> int: ...


def view_of(table: Shown, seat: int | None) -> dict[str, Any]:
    """Build a seat's view of a practice table, without a deadline: no clock runs for the person."""
    view = match_view(_snapshot(table), seat, {"seats": [0], "watching": 0})
    view["you"]["may"] = [kind for kind in view["you"]["may"] if kind in _OFFERED]
    if table.state.stage == RUNNING:
        view["due_at"] = None
        if "due_at" in view["game"]:
            view["game"] = {**view["game"], "due_at": None}
    return view


def _snapshot(table: Shown) -> Snapshot:
    """Return a table as a snapshot for the view builder; its match row is never saved."""
    match = Match(
        public_id=table.public_id,
        game=table.game.slug,
        rules_version=table.table.rules.version,
        title="Your first game" if table.plan.lesson else "Practice",
        status=table.state.stage,
        phase=table.phase,
        action_count=table.number,
        seed=table.seed,
        seed_commitment=commitment(table.seed),
    )
    sitters = {
        no: Sitter(-no, name, True) if no else _person(table, name)
        for no, name in table.names.items()
    }
    return Snapshot(CachedMatch(match, table.table, table.state, {}, tuple(table.lines)), sitters)


def _person(table: Shown, name: str) -> Sitter:
    return Sitter(0, name, False, table.chips.chips, table.chips.stock)
