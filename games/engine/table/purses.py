"""What one is offered to bring to a table, and what one may.

Source: docs/rules/showdown.md "Seats, stakes, setup".
"""

from __future__ import annotations

from typing import Final

from games.engine.facts import Points
from games.engine.structs import replace
from games.engine.table.state import NO_POINTS, TableSeat

#: The purse on offer is no more than so many antes, or this part of what one owns.
OFFERED_ANTES: Final = 20
OFFERED_PART: Final = 5


def offered_purse(limits: tuple[int, int], owned: int) -> int:
    """Return the purse on offer, in points; never below the least one, affordable or not.

    A game must not begin with all that somebody has.

    >>> [offered_purse((1, 100), owned) for owned in (12, 60, 400, 0)]
    [12, 20, 80, 1]
    """
    least, most = limits
    usual = max(OFFERED_ANTES * least, owned // OFFERED_PART)
    return max(least, min(most, owned, usual))


def largest_purse(limits: tuple[int, int], owned: int) -> int:
    """Return the most one may bring: the table's most, or all one owns.

    >>> largest_purse((1, 100), 37)
    37
    """
    return min(limits[1], owned)


def kept_seat(
    seat: TableSeat, limits: tuple[int, int], owned: int | None, wants_on: bool
) -> TableSeat:
    """Return a seat for the table's next game: its purse is kept, cut to what its owner has.

    Args:
        owned: in points; None: no matter what.
        wants_on: whether it is ready, if it can pay.
    """
    seat = replace(seat, ready=False, is_offered=False, successions=0)
    if not seat.taken:
        return seat
    most = seat.purse if owned is None else largest_purse(limits, owned)
    purse = max(limits[0], min(seat.purse, most))
    cut = max(NO_POINTS, Points(seat.purse - purse))
    return replace(seat, purse=Points(purse), cut=cut, ready=wants_on and purse <= most)
