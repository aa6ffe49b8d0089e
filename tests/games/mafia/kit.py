"""A town on the site, for tests: its people, and a clock that only moves when told to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games.play import repair
from tests.games.match_kit import MatchKit


class AnyTownKit(MatchKit):
    """A town with its people, in the order of their seats."""

    @property
    def play(self) -> Any:
        """The game's state."""
        return self.snapshot.state.play

    @property
    def alive(self) -> list[Any]:
        """Those who live."""
        return [self.people[member.no] for member in self.play.living]

    def run_out(self) -> None:
        """Let the phase end by its clock."""
        self.pass_time((self.row.due_at - self.now).total_seconds())


def worker_sweep(now: datetime) -> None:
    """Do what beat asks of the worker, at another time."""
    for part in repair.SWEEP:
        part(now)
