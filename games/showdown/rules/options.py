"""The options of a Showdown table: ranges, defaults, and which of them players choose. Clocks are
in seconds, amounts in points, the tax in basis points. Source: docs/rules/showdown.md, "Seats,
stakes, setup" and the numbers marked A.
"""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final

from msgspec import Meta

from games.engine.choices import number, switch
from games.engine.errors import BadOption
from games.engine.facts import Points, SeatNo
from games.engine.structs import Record
from games.engine.table.state import clock_milliseconds

MOST_SEATS: Final = 4

PREVIOUS_DEALER: Final = "previous_dealer"


class Options(Record, frozen=True):
    """The options of a table; a game keeps its initial options. Values marked A in the rule book
    come from the site's settings when a table is opened; the defaults here are the rule book's.
    Raises BadOption: the largest purse is below the ante.
    """

    seats: Annotated[int, number(2, MOST_SEATS, chosen=True)] = 4
    ante: Annotated[Points, number(1, 1000, chosen=True, site="showdown.ante_default")] = Points(1)
    target: Annotated[int, number(3, 15, chosen=True, site="showdown.target")] = 5
    betting_clock: Annotated[int, number(5, 120, chosen=True, site="showdown.betting_clock")] = 20
    round_clock: Annotated[int, number(5, 120, chosen=True, site="showdown.round_clock")] = 30
    largest_purse: Annotated[
        Points, number(1, 100_000, chosen=True, site="showdown.largest_purse")
    ] = Points(100)
    tax_bp: Annotated[int, number(0, 10_000, site="showdown.tax_bp")] = 500
    win_bonus: Annotated[Points, number(0, 1000, site="showdown.win_bonus")] = Points(1)
    loser_bonus: Annotated[Points, number(0, 1000, site="showdown.loser_bonus")] = Points(0)
    full_raises: Annotated[int, number(0, 100, site="showdown.full_raises")] = 4
    dealt_percent: Annotated[int, number(0, 1000, site="showdown.dealt_percent")] = 60
    dealt_least: Annotated[int, number(1, 100, site="showdown.dealt_least")] = 3
    #: The factor by which clocks are slower; the table sets 1 unless all other seats are bots.
    clock_times: Annotated[int, number(1, 10, site="showdown.bot_clock_times")] = 1
    #: Switches of the table that the rules do not use.
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True
    #: The dealer of the table's previous game; set by the house, from ``carry_over``.
    previous_dealer: Annotated[SeatNo, Meta(ge=0, le=MOST_SEATS - 1)] | None = None

    def __post_init__(self) -> None:
        if self.largest_purse < self.ante:
            raise BadOption("the largest purse covers the ante", option="largest_purse")

    @property
    def betting_milliseconds(self) -> int:
        """The length of a betting turn in milliseconds."""
        return clock_milliseconds(self.betting_clock, self.clock_times)

    @property
    def round_milliseconds(self) -> int:
        """The length of a round in milliseconds."""
        return clock_milliseconds(self.round_clock, self.clock_times)


def fill_options(wanted: Mapping[str, Any], chosen: Collection[str] = ()) -> dict[str, Any]:
    """Return the options of a new table, with the site's numbers adjusted to the chosen ones.

    The site's largest purse is raised to a chosen ante; a chosen largest purse is not.

    Args:
        wanted: the site's numbers, overridden by the chosen options; not validated yet.
        chosen: the names of the chosen options.
    """
    filled = dict(wanted)
    ante = filled.get("ante", Options().ante)
    largest = filled.get("largest_purse", Options().largest_purse)
    if "largest_purse" not in chosen and type(ante) is int and type(largest) is int:
        filled["largest_purse"] = max(largest, ante)
    return filled


def dealt_of_each(options: Options, players: int) -> int:
    """Return the number of each basic weapon that a player is dealt.
    Source: docs/rules/showdown.md: "Each player is dealt".
    """
    share = -(-options.dealt_percent * options.target // 100)  # rounded up
    return max(options.dealt_least, share) * (players - 1)
