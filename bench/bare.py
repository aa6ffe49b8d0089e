"""Setups for measurements of the rules alone, without a site."""

from typing import Final, NamedTuple, Self

from bench.stand import Setup

#: Kind of setup -> number of players of a round.
SIZES: Final = {f"{players:,} players": players for players in (1_000, 10_000, 100_000, 1_000_000)}


class Meeting(NamedTuple):
    """Duels against a reader: their length, the throws that it saw before, who is read."""

    best_of: int
    seen: int
    is_person: bool = True


#: Kind of setup -> whom a reader meets.
MEETINGS: Final = {
    "best of 5, first meeting": Meeting(5, 0),
    "best of 5, 150 throws seen": Meeting(5, 150),
    "best of 99, first meeting": Meeting(99, 0),
    "best of 99, 150 throws seen": Meeting(99, 150),
    "best of 99, a uniform thrower": Meeting(99, 150, is_person=False),
}


class Bare:
    """Replaces a site where only rules are measured: no process, no database, no log."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.players = SIZES.get(setup.kind, 0)
        self.meeting = MEETINGS.get(setup.kind)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        """Do nothing: nothing was started."""

    def problems(self) -> list[str]:
        """Return nothing: there is no log."""
        return []
