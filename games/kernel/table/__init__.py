"""The table around any game: who sits, who is ready, when it starts, when it closes.

Pure like every rule: it knows seats, never users, and is told the time.  Facts from outside (a
purse that could not be collected, a seat whose sockets are gone, an outage) come in as house
actions, so that folding the input log gives the same table again.

Source: docs/rules/showdown.md "Seats, stakes, setup"; docs/decisions/ "Open tables end".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from games.kernel.facts import Instant, Rules, SeatNo, Step, canonical, replace
from games.kernel.table import clock, house, people
from games.kernel.table.state import (
    CLOSED,
    COUNTDOWN,
    FINISHED,
    LIVE_LIMIT,
    NOT_READY_LIMIT,
    OPEN,
    OVER,
    QUIET_LIMIT,
    RUNNING,
    VOID,
    TableSeat,
    TableState,
)

__all__ = [
    "CLOSED",
    "COUNTDOWN",
    "FINISHED",
    "LIVE_LIMIT",
    "NOT_READY_LIMIT",
    "OPEN",
    "OVER",
    "QUIET_LIMIT",
    "RUNNING",
    "VOID",
    "Table",
    "TableSeat",
    "TableState",
]

#: What people may ask for; everything else goes to the game.
PEOPLE: Final[Mapping[str, Callable[..., Step[TableState]]]] = {
    "sit": people.sit,
    "configure": people.configure,
    "stand": people.stand,
    "leave": people.stand,
    "ready": people.make_ready,
    "unready": people.make_unready,
    "remove_bot": people.remove_bot,
    "rematch": people.rematch,
}

#: What only the house may do.
HOUSE: Final[Mapping[str, Callable[..., Step[TableState]]]] = {
    "sit_bot": house.sit_bot,
    "start": house.start,
    "short": house.short,
    "free": house.free,
    "stall": house.stall,
    "resume": house.resume,
    "postpone": house.postpone,
    "bonus": house.bonus,
    "looked": house.looked,
    "void": house.void,
}


class Table:
    """The rules of a table at which ``rules`` is played."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules

    def open(self, options: Mapping[str, Any], at: Instant) -> TableState:
        """Return an empty table with these (clean) options."""
        seats = tuple(TableSeat(SeatNo(no)) for no in range(options["seats"]))
        return TableState(OPEN, dict(options), 1, seats, Instant(at + QUIET_LIMIT))

    def open_next(
        self, over: TableState, caller: SeatNo, options: Mapping[str, Any], at: Instant
    ) -> TableState:
        """Return the table's next game: everybody keeps the seat, the caller and bots are ready.

        Source: docs/rules/showdown.md "Seats, stakes, setup": seats are kept 60 s.
        """
        seats = tuple(replace(s, ready=s.taken and (s.bot or s.no == caller)) for s in over.seats)
        state = replace(
            self.open(options, at), seats=seats, kept_until=Instant(at + NOT_READY_LIMIT)
        )
        return clock.count_down(self.rules, state, at).state

    def apply(
        self, state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
    ) -> Step[TableState]:
        """Apply a person's action, of the table or of the game played at it.

        Raises:
            IllegalAction: malformed, not seated, or against the rules; the state is unchanged.
        """
        kind = raw.get("kind")
        handler = PEOPLE.get(kind) if isinstance(kind, str) else None
        if handler is not None and not (kind == "leave" and state.stage == RUNNING):
            return handler(self.rules, state, seat, raw, at)
        return people.play(self.rules, state, seat, raw, at)

    def apply_house(
        self, state: TableState, raw: Mapping[str, Any], at: Instant
    ) -> Step[TableState]:
        """Apply what the house found out: a start, a short purse, an outage, a void, a deadline."""
        if raw["kind"] == "deadline":
            return self.on_deadline(state, at)
        return HOUSE[raw["kind"]](self.rules, state, raw, at)

    def is_house_action(self, raw: Mapping[str, Any], seat: SeatNo | None) -> bool:
        """Whether an accepted action was the house's own: it has no seat.

        The kind alone does not tell: a game may have one of the same name, as the duel's
        ``resume``, which only a seat can ask for.
        """
        return seat is None and (raw.get("kind") in HOUSE or raw.get("kind") == "deadline")

    def deadline(self, state: TableState) -> Instant | None:
        """Return when the clock next acts by itself; None once the table is finished."""
        if state.stage == RUNNING:
            return self.rules.deadline(state.play)
        if state.stage != OPEN:
            return None
        instants = (state.start_at, state.stand_up_at, state.kept_until, state.close_at)
        return min(instant for instant in instants if instant is not None)

    def is_slow(self, state: TableState) -> bool:
        """Whether a game runs whose clock is longer than a live one: players may be away."""
        if state.stage != RUNNING:
            return False
        limit = self.rules.clock_limit(state.play)
        return limit is not None and limit > LIVE_LIMIT

    def phase(self, state: TableState) -> int:
        """Return the public counter: 0 before the start, then the game's own."""
        return 0 if state.play is None else self.rules.phase(state.play)

    def on_deadline(self, state: TableState, at: Instant) -> Step[TableState]:
        """Let the clock act: a turn's, the countdown's, that of unready seats or quiet tables."""
        if state.stage == RUNNING:
            return clock.carry(self.rules, state, self.rules.on_deadline(state.play, at))
        if state.start_at is not None and state.start_at <= at:
            return Step(replace(state, start_at=None, starting=True))
        if state.close_at <= at:
            return clock.close(self.rules, state, "quiet")
        return clock.stand_up_unready(self.rules, state, at)

    def may(self, state: TableState, seat: SeatNo | None) -> list[str]:
        """Return the table's own kinds that this seat (None: a spectator) may ask for now."""
        if state.stage in (OVER, VOID):
            return ["rematch"] if seat is not None else []
        if state.stage != OPEN:
            return []
        free = len(state.taken) < len(state.seats)
        if seat is None:
            return ["sit"] if free else []
        kinds = ["stand", "configure", "unready" if state.seats[seat].ready else "ready"]
        kinds += ["add_bot"] if free else []
        return kinds + (["remove_bot"] if any(s.bot for s in state.taken) else [])

    def encode(self, state: TableState) -> tuple[str, str]:
        """Return the table and the game in canonical text; the game's is empty before the start."""
        return self.encode_table(state), self.encode_play(state)

    def encode_play(self, state: TableState) -> str:
        """Return the game in canonical text, empty before the start."""
        return "" if state.play is None else self.rules.encode_state(state.play)

    def encode_table(self, state: TableState) -> str:
        """Return all but the game in canonical text."""
        table = {
            "stage": state.stage,
            "options": dict(state.options),
            "options_revision": state.options_revision,
            "seats": [asdict(seat) for seat in state.seats],
            "close_at": state.close_at,
            "start_at": state.start_at,
            "stand_up_at": state.stand_up_at,
            "kept_until": state.kept_until,
            "starting": state.starting,
        }
        return canonical(table)

    def decode(self, table: str, play: str) -> TableState:
        """Return the state that ``encode`` wrote."""
        raw = json.loads(table)
        raw["seats"] = tuple(TableSeat(**seat) for seat in raw["seats"])
        return TableState(**raw, play=self.rules.decode_state(play) if play else None)
