"""Recorded journals of each version of a game's rules: table and game, from the opening to the end.

What is played again from them must give the same facts, byte for byte: a match that began under
these rules goes on under them.  To record those of a new version:
``python -m tests.games.record_journal GAME > tests/games/GAME/journals/VERSION.txt``.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from economy.tunables import TUNABLES
from games import registry
from games.engine.choices import clean_options, site_numbers
from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import canonical, plain
from games.engine.table import RUNNING, Table
from games.matches.journal.entries import write_facts
from tests.games.contract.kit import options_of

FOLDER = Path(__file__).parent
NOON = Instant(1_795_262_400_000)
GAMES, MOST = 6, 150


def recordings() -> dict[tuple[str, int], Path]:
    return {
        (path.parent.parent.name, int(path.stem)): path
        for path in sorted(FOLDER.rglob("journals/*.txt"))
        if path.parent.parent.name in registry.slugs()
    }


def play_again(game: str, version: int, lines: list[str]) -> list[str]:
    """Play recorded journals again, and return them as they come out now."""
    table = Table(registry.rules_of(game, version))
    told, state = [], None
    for line in lines:
        entry = json.loads(line)
        if "opening" in entry:
            state = table.decode(canonical(entry["opening"]), "")
            told.append(line)
            continue
        step = _step(table, state, entry)
        state = step.state
        told.append(_line(table, step, entry))
    return told


def record(game: str) -> Iterator[str]:
    """Play some random games, with everything around them, and yield their journals."""
    for number, options in enumerate(options_of(game) * GAMES):
        if number >= GAMES:
            return
        # In the last game the clock runs out often, so that short games have deadlines too.
        lateness = 0.5 if number == GAMES - 1 else 0.06
        yield from Game(game, options, random.Random(f"{game} {number}"), lateness).play()


class Game:
    def __init__(
        self, game: str, options: dict[str, Any], chance: random.Random, lateness: float
    ) -> None:
        self.table = Table(registry.rules_of(game))
        self.state: Any = self.table.open(whole_options(game, options), NOON)
        self.at, self.chance, self.lateness = NOON, chance, lateness

    def play(self) -> Iterator[str]:
        """Sit down, get ready, start, play by chance, and sometimes let the clock run out."""
        yield canonical({"opening": json.loads(self.table.encode_table(self.state))})
        least, most = self.table.rules.purse_limits(self.state.options)
        seats = range(self.state.options.seats)
        for seat in seats:
            yield self.do(None, {"kind": "sit", "seat": seat, "purse": min(max(least, 40), most)})
        for seat in seats:
            yield self.do(seat, {"kind": "ready", "configuration": 1})
        while not self.state.starting:
            yield self.late()
        yield self.do(None, {"kind": "start", "seed": "5a" * 32})
        for _ in range(MOST):
            if self.state.stage != RUNNING:
                return
            yield self.move()
        yield self.do(None, {"kind": "void", "reason": "it took too long"})

    def move(self) -> str:
        pending = self.table.rules.pending_seats(self.state.play)
        is_late = (self.table.deadline(self.state) or self.at) <= self.at + 500
        if not pending or is_late or self.chance.random() < self.lateness:
            return self.late()
        seat = self.chance.choice(pending)
        legal = [plain(a) for a in self.table.rules.legal_actions(self.state.play, seat)]
        staying = [a for a in legal if a["kind"] not in ("leave", "resign", "suspend", "fold")]
        return self.do(seat, self.chance.choice(staying or legal))

    def late(self) -> str:
        self.at = Instant(self.table.deadline(self.state) or self.at)
        return self.do(None, {"kind": "deadline"})

    def do(self, seat: int | None, action: dict[str, Any]) -> str:
        """Do something and return its line."""
        step = self.advance(seat, action)
        return _line(self.table, step, {"seat": seat, "action": action, "at": self.at})

    def advance(self, seat: int | None, action: dict[str, Any]) -> Step[Any]:
        self.at = Instant(self.at + 500)
        step = _step(self.table, self.state, {"seat": seat, "action": action, "at": self.at})
        self.state = step.state
        return step


def whole_options(slug: str, chosen: dict[str, Any]) -> Any:
    """Return the options of a new table: what is chosen, and the site's own numbers."""
    game = registry.table(slug)
    numbers = site_numbers(game.options)
    site = {option: TUNABLES[name].default for option, name in numbers.items()}
    return clean_options(game.options, game.fill_options({**site, **chosen}, frozenset(chosen)))


def _step(table: Table, state: Any, entry: dict[str, Any]) -> Step[Any]:
    action, at = entry["action"], Instant(entry["at"])
    seat = None if entry["seat"] is None else SeatNo(entry["seat"])
    if table.is_house_action(action, seat):
        return table.apply_house(state, action, at)
    return table.apply(state, seat, action, at)


def _line(table: Table, step: Step[Any], entry: dict[str, Any]) -> str:
    told = {
        "seat": entry["seat"],
        "action": entry["action"],
        "at": entry["at"],
        "facts": json.loads(write_facts(step.events)),
        "phase": table.phase(step.state),
    }
    return canonical(told)
