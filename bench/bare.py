"""Setups for measurements of the rules alone, without a site."""

from typing import Final, Self

from bench.stand import Setup

#: Kind of setup -> number of players of a round.
SIZES: Final = {f"{players:,} players": players for players in (1_000, 10_000, 100_000, 1_000_000)}


class Bare:
    """Replaces a site where only rules are measured: no process, no database, no log."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.players = SIZES[setup.kind]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        """Do nothing: nothing was started."""

    def problems(self) -> list[str]:
        """Return nothing: there is no log."""
        return []
