"""Views as far as the bots and the words of Mafia games look at them, and games among bots."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any
from zlib import crc32

from games.engine.facts import SeatNo, Viewer
from tests.games.contract.kit import facts
from tools.towns import PEOPLE, Trial, mixed

NAMES = {no: f"p{no}" for no in range(40)}
#: The sizes of further games, of each of which only a digest is told.
MORE = (10, 6, 12, 7, 5, 11, 8, 9) * 2


def table_view(rules: Any, state: Any, seat: int | None) -> dict[str, Any]:
    """Return as much of a table's view as words and bots look at, at the end of the phase."""
    game = rules.view(state, Viewer(None if seat is None else SeatNo(seat)))
    seats = [
        {"no": member.no, "player": {"name": NAMES[member.no], "bot": True}}
        for member in state.members
    ]
    around = {"match": {"public_id": "town"}, "posts": [], "at": state.clock.ends_at - 1}
    return {"game": game, "you": {"seat": seat, "name": "Quiet_Sal"}, "seats": seats, **around}


class ToldTrial(Trial):
    """A game among bots of several strengths, and in every second one a person, line by line."""

    def __init__(self, rules: Any, bot: Any, size: int, number: int) -> None:
        chance, kinds = Random(number), list(PEOPLE)
        person = PEOPLE[kinds[number % len(kinds)]] if number % 2 else None
        super().__init__(rules, bot, f"told {number}", mixed(size, chance), person)
        self.lines: list[str] = []

    def _keep(self, step: Any) -> None:
        clock = self.state.clock
        share = (self.at - clock.began_at) / clock.limit
        self.lines += facts(step.events, f"{self.state.phase} {share:.3f}")
        super()._keep(step)


def told_games(rules: Any, bot: Any, sizes: Iterable[int]) -> Iterator[str]:
    """Yield all facts of games of these sizes, those of one seat as well."""
    told = tuple(sizes)
    for number, size in enumerate(told + MORE):
        trial = ToldTrial(rules, bot, size, number)
        trial.play(rules.Options(seats=size, phase_seconds=120))
        yield f"bots {number}: {' '.join(trial.strengths)}"
        digest = f"  {crc32(repr(trial.lines).encode()):08x}"
        yield from trial.lines if number < len(told) else [digest]
