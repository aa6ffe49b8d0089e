"""The battles that finished games revealed to everybody: what players throw, and when."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from games import registry
from games.contract import Fought
from games.matches.journal.entries import read_facts
from games.matches.journal.reading import Sought, find_entries
from games.matches.models import Match, Seat

#: Fewer throws than this in a situation are no habit.
LEAST: Final = 2
SITUATIONS: Final = ("win", "loss", "tie")


def battles_of(game: str, match_ids: Collection[int]) -> Iterator[tuple[int, Fought]]:
    """Yield the battles of some matches of a game, in their order: two queries."""
    readers = registry.table(game).battles
    if not readers or not match_ids:
        return
    told = Sought(tells=tuple(f'"{kind}"' for kind in readers))
    for entry in find_entries(match_ids, told):
        for fact in read_facts(entry.facts):
            if fact.kind in readers and fact.audience is None:
                yield from ((entry.match_id, each) for each in readers[fact.kind](fact.data))


def throws_of(game: str, seats: Collection[Seat]) -> Counter[str]:
    """Count the weapons that a player threw in these seats of a game."""
    numbers = {seat.match_id: seat.no for seat in seats}
    return Counter(
        weapon
        for match_id, battle in battles_of(game, numbers)
        for no, weapon in zip(battle.seats, battle.weapons, strict=True)
        if no == numbers[match_id] and weapon
    )


def insight(match: Match, user_id: int | None) -> list[str]:
    """Return sentences on what a player threw after a win, a loss and a tie, and what beat it. A
    throw follows the last battle with the same opponent.  Empty for a match that is not over and
    for users without a seat.
    """
    names = dict(match.seats.values_list("no", "user__username"))
    mine = match.seats.filter(user=user_id).first()
    if match.status != Match.Status.OVER or mine is None:
        return []
    before: dict[int, str] = {}
    threw: dict[str, Counter[str]] = {situation: Counter() for situation in SITUATIONS}
    punished: Counter[tuple[str, str, int]] = Counter()
    for _, battle in battles_of(match.game, [match.pk]):
        if mine.no not in battle.seats:
            continue
        place = battle.seats.index(mine.no)
        other, weapon = battle.seats[1 - place], battle.weapons[place]
        if weapon and other in before:
            threw[before[other]][weapon] += 1
            punished[before[other], weapon, other] += battle.winner == other
        before[other] = _situation(battle, mine.no)
    return [
        line
        for situation in SITUATIONS
        if (line := _sentence(situation, threw[situation], punished, names))
    ]


def _situation(battle: Fought, seat: int) -> str:
    if battle.winner is None:
        return "tie"
    return "win" if battle.winner == seat else "loss"


def _sentence(
    situation: str,
    threw: Counter[str],
    punished: Counter[tuple[str, str, int]],
    names: dict[int, str],
) -> str:
    """Return the sentence on the most frequent throw of a situation; empty if it is no habit."""
    if not threw or max(threw.values()) < LEAST:
        return ""
    weapon, count = threw.most_common(1)[0]
    times = _times(count) if count == threw.total() else f"{count} of {threw.total()} times"
    beaten = [
        f"{name} beat it {_times(lost)}."
        for seat, name in sorted(names.items())
        if (lost := punished[situation, weapon, seat])
    ]
    return " ".join([f"After a {situation} you threw {weapon} {times}.", *beaten])


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
