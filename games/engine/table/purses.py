"""Purses: the default offer, and the largest one.
Source: docs/rules/showdown.md "Seats, stakes, setup".
"""

from typing import Final

from msgspec import UNSET

from games.engine.facts import Points
from games.engine.structs import replace
from games.engine.table.state import NO_POINTS, TableSeat

#: The offered purse is limited to this many antes, or to this fraction of the owner's points,
#: the larger one.
OFFERED_ANTES: Final = 20
OFFERED_PART: Final = 5


def offered_purse(limits: tuple[int, int], owned: int) -> int:
    """Return the offered purse in points; never below the least one, affordable or not.

    A game must not begin with all of somebody's points.

    >>> [offered_purse((1, 100), owned) for owned in (12, 60, 400, 0)]
    [12, 20, 80, 1]
    """
    least, most = limits
    usual = max(OFFERED_ANTES * least, owned // OFFERED_PART)
    return max(least, min(most, owned, usual))


def largest_purse(limits: tuple[int, int], owned: int) -> int:
    """Return the largest possible purse: the table's limit, or all of the owner's points.

    >>> largest_purse((1, 100), 37)
    37
    """
    return min(limits[1], owned)


def kept_seat(
    seat: TableSeat, limits: tuple[int, int], owned: int | None, wants_on: bool
) -> TableSeat:
    """Return a seat for the table's next game: its purse is kept, cut to its owner's points.
    ``owned``: in points; None: no limit. ``wants_on``: whether it is ready, if it can pay.
    """
    seat = replace(seat, ready=False, is_offered=False, successions=0)
    seat = replace(seat, salt_hash=UNSET, salt=UNSET, ready_until=UNSET)
    if not seat.taken:
        return seat
    most = seat.purse if owned is None else largest_purse(limits, owned)
    purse = max(limits[0], min(seat.purse, most))
    cut = max(NO_POINTS, Points(seat.purse - purse))
    return replace(seat, purse=Points(purse), cut=cut, ready=wants_on and purse <= most)
