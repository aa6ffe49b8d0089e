"""The rules of the Train: draws, decisions without a winner, trains, places. Pure: players are
numbers, in the order of their accounts. Source: docs/explanation/events.md "The Train".
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from games.engine.draws import draw_below

#: The players of a final.
FINALISTS: Final = 2


class Pairing(NamedTuple):
    """A pairing of a station; ``second`` None: ``first`` rides free. No ``winner``: both are out,
    or it is not decided yet.
    """

    first: int
    second: int | None = None
    winner: int | None = None


class Side(NamedTuple):
    """A side of an undecided match: its wins, and the number of its last throw, 0 for none."""

    wins: int
    last_throw: int


#: The pairings of the stations, in their order.
Stations = Sequence[Sequence[Pairing]]


def draw_station(seed: str, no: int, players: Sequence[int]) -> list[Pairing]:
    """Pair the players of station ``no``; of an odd number the last one drawn rides free."""
    order = sorted(players)
    for last in range(len(order) - 1, 0, -1):
        other = draw_below(seed, f"station/{no}/{last}", last + 1)
        order[last], order[other] = order[other], order[last]
    pairs = [Pairing(*order[at : at + 2]) for at in range(0, len(order) - 1, 2)]
    return [*pairs, Pairing(order[-1], None, order[-1])] if len(order) % 2 else pairs


def decide(seed: str, label: str, sides: Sequence[Side]) -> int | None:
    """Return which side of a match without a winner goes on: more wins, the later last throw, or a
    draw; None if neither threw.
    """
    first, second = sides
    if first != second:
        return int(second > first)
    return draw_below(seed, label, len(sides)) if first.last_throw else None


def most_pairs(players: int) -> list[int]:
    """Return the most pairs of each station with this number of players at the start.
    >>> most_pairs(11)
    [5, 3, 1, 1]
    """
    found = []
    while players > 1:
        found.append(players // 2)
        players -= players // 2
    return found


def trains(stations: Stations) -> dict[int, list[int]]:
    """Return the train of each player who is still in, with its riders in the order of boarding;
    the riders of two who are both out get off. All pairings are decided.
    """
    found: dict[int, list[int]] = {}
    for pairings in stations:
        for first, second, winner in pairings:
            ride = {who: found.pop(who, []) for who in (first, second) if who is not None}
            if winner is not None:
                others = [(who, *riders) for who, riders in ride.items() if who != winner]
                found[winner] = [*ride[winner], *(each for riders in others for each in riders)]
    return found


def places(stations: Stations, last: int | None) -> dict[int, int]:
    """Return the place of each player once ``last`` alone is in: who is out at the same station
    shares one; None: nobody has won, and there are no places.
    """
    found: dict[int, int] = {}
    present = [{p[at] for p in pairings for at in (0, 1)} - {None} for pairings in stations]
    for here, still in pairwise([*present, {last}]):
        found |= {who: len(still) + 1 for who in here - still if who is not None}
    return {} if last is None else {**found, last: 1}


def longest_ride(stations: Stations, placed: Mapping[int, int]) -> int | None:
    """Return whom the winner beat first: nobody rode longer in the train that arrived. None: nobody
    but the finalist.
    """
    for pairings in stations:
        for first, second, winner in pairings:
            if winner is not None and placed.get(winner) == 1 and second is not None:
                beaten = first if winner == second else second
                return beaten if placed[beaten] > FINALISTS else None
    return None
