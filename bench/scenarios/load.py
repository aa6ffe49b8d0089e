"""Players at tables of the site: open sockets, move to the next table, close."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.sitter import Decide, Sitter, View
from bench.stand import Stand
from bench.tally import Tally
from bench.wire import connect_all


@dataclass(slots=True)
class Party:
    """The players at one match."""

    sitters: list[Sitter] = field(default_factory=list)
    is_over: bool = False


class PreparedTables:
    """Tables in rows: when a game is over, the next table of its row starts.

    All tables are prepared and all sockets open before anything is measured, so that neither
    handshakes nor seating count.
    """

    def __init__(self, tally: Tally, decide: Decide) -> None:
        self.tally, self._decide = tally, decide
        self.rows: list[list[Party]] = []
        self.sitters: list[Sitter] = []
        self.paths: list[str] = []
        #: Rows whose last game is over: the measurement had too few tables.
        self.exhausted = 0

    async def fill(
        self,
        stand: Stand,
        tables: Sequence[dict[str, Any]],
        people: Sequence[dict[str, Any]],
        rows: int,
    ) -> None:
        """Open a socket for every seat; ``people`` are those of the tables, in order."""
        self.rows = [[] for _ in range(rows)]
        seats = len(people) // len(tables)
        openings = []
        self.paths = [f"/ws/match/{table['public_id']}/" for table in tables]
        for number, table in enumerate(tables):
            party = Party()
            self.rows[number % rows].append(party)
            for seat, person in enumerate(people[number * seats : (number + 1) * seats]):
                sitter = stand.new_sitter(self.tally, self._decide)
                party.sitters.append(sitter)
                address = stand.address(seat, number % rows)
                openings.append((sitter, address, table, seat, person["cookie"]))
        self.sitters = [opening[0] for opening in openings]
        await connect_all([lambda s=s, more=more: s.open(*more) for s, *more in openings])
        # Presence is sent 0.3 s after people connect.
        await asyncio.sleep(0.7)

    def start(self) -> None:
        """Start the first table of every row."""
        for row in self.rows:
            self._begin(row)

    def _begin(self, row: list[Party]) -> None:
        if not row:
            self.exhausted += 1
            return
        party = row.pop(0)
        for sitter in party.sitters:
            sitter.on_view = lambda sitter: self._look(sitter.view, party, row)
            sitter.is_active = True
        for sitter in party.sitters:
            sitter.go_on()

    def _look(self, view: View | None, party: Party, row: list[Party]) -> None:
        is_over = view is not None and view.game is not None and view.game.stage == "over"
        if is_over and not party.is_over:
            party.is_over = True
            self._begin(row)

    def close(self) -> None:
        """Drop all sockets."""
        for sitter in self.sitters:
            sitter.is_active = False
            sitter.line.abort()
