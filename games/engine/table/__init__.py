"""The table around any game: seats, readiness, start, end. Facts from outside are house actions.
Source: docs/rules/showdown.md "Seats, stakes, setup"; docs/explanation/decisions/ "Open tables
end".
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import msgspec

from games.engine.choices import chosen_options
from games.engine.errors import BadField, NotInPhase, refuse
from games.engine.facts import Instant, SeatNo, Step, Viewer
from games.engine.protocols import Room, Rules, table_rooms
from games.engine.structs import Kinded, Reader, canonical, named, reader_of, replace
from games.engine.table import actions, clock, house, people
from games.engine.table.state import (
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
    carry,
    is_of_contest,
    kept_seat,
    may_configure,
    with_seat,
)

__all__ = [
    "CLOSED", "COUNTDOWN", "FINISHED", "LIVE_LIMIT", "NOT_READY_LIMIT", "OPEN", "OVER",
    "QUIET_LIMIT", "RUNNING", "VOID", "Table", "TableSeat", "TableState",
]  # fmt: skip

State = TableState[Any]
#: An action from outside: a map, or its text.
Given = Mapping[str, Any] | str | bytes | msgspec.Raw

Handler = Callable[..., Step[State]]

#: The handlers of people's actions; all other actions go to the game.
_PEOPLE: Final[Mapping[type[Kinded], Handler]] = {
    actions.Sit: people.sit,
    actions.TakeOver: people.take_over,
    actions.Bring: people.bring,
    actions.Configure: people.configure,
    actions.Stand: people.stand,
    actions.Leave: people.leave,
    actions.Ready: people.make_ready,
    actions.Reveal: people.reveal,
    actions.Unready: people.make_unready,
    actions.RemoveBot: people.remove_bot,
    actions.Rematch: people.rematch,
    actions.PlayOut: people.play_out,
}

#: The handlers of the house's actions.
_HOUSE: Final[Mapping[type[Kinded], Handler]] = {
    actions.SitBot: house.sit_bot,
    actions.Begin: house.begin,
    actions.Start: house.start,
    actions.Await: house.await_log,
    actions.AskSalts: house.ask_salts,
    actions.Ask: house.ask,
    actions.Terms: people.set_terms,
    actions.Short: house.short,
    actions.Free: house.free,
    actions.Expel: people.expel,
    actions.Stall: house.stall,
    actions.Resume: house.resume,
    actions.Postpone: house.postpone,
    actions.Bonus: house.bonus,
    actions.Award: house.award,
    actions.Looked: house.looked,
    actions.Void: house.void,
    actions.Close: house.close_open,
    actions.Deadline: house.deadline,
}


class Table:
    """The rules of a table for the game ``rules``."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules

    def open(
        self, options: Any, at: Instant, begins_at: Instant | msgspec.UnsetType = msgspec.UNSET
    ) -> State:
        """Return an empty table with these options; ``begins_at``: the appointed start, if it has
        one.
        """
        seats = tuple(TableSeat(SeatNo(no)) for no in range(options.seats))
        close_at = Instant((at if begins_at is msgspec.UNSET else begins_at) + QUIET_LIMIT)
        return TableState(OPEN, options, 1, seats, close_at, begins_at=begins_at, is_logged=False)

    def open_seated(
        self, options: Any, at: Instant, salts: Mapping[int, str], bots: Collection[int] = ()
    ) -> State:
        """Return a table on which all seats are taken and ready; the house begins its game."""
        return house.seat_all(self.rules, self.open(options, at), salts, bots)

    def next_options(self, over: State) -> Any:
        """Return the options of the next game: the table's own, with those from ``carry_over``."""
        return replace(over.options, **self.rules.carry_over(over.play))

    def open_next(
        self,
        over: State,
        caller: SeatNo,
        options: Any,
        at: Instant,
        owned: Mapping[int, int] | None = None,
    ) -> State:
        """Return the next game: all seats are kept, the caller and bots are ready. Purses are cut
        to ``owned``, the points of people by seat; who cannot pay the least one is not ready.
        """
        limits, owned = self.rules.purse_limits(options), owned or {}
        seats = tuple(
            kept_seat(seat, limits, owned.get(seat.no), seat.bot or seat.no == caller)
            for seat in over.seats
        )
        state = replace(self.open(options, at), seats=seats)
        if len(state.people) > 1:
            state = replace(state, kept_until=Instant(at + NOT_READY_LIMIT))
        return clock.count_down(self.rules, state, at).state

    def with_hash(self, state: State, seat: SeatNo, salt_hash: str, at: Instant) -> State:
        salted = replace(state.seats[seat], salt_hash=salt_hash)
        opened = replace(with_seat(state, salted), starting=False)
        return clock.count_down(self.rules, opened, at).state

    def read_action(self, raw: Given) -> Kinded:
        """Read a person's action: one of the table's own kinds, else one of the game's. Raises
        BadField.
        """
        kind = _kind_in(raw)
        if kind == actions.CONFIGURE:
            return self._read_configure(raw)
        reader: Reader[Any] = reader_of(self.rules.Action)
        if kind in actions.PERSON_KINDS:
            reader = actions.PERSON
        read: Kinded = reader.given(raw) if isinstance(raw, _TEXT) else reader.made_of(raw)
        return read

    def _read_configure(self, raw: Given) -> actions.Configure:
        given = _ANY_MAP.given(raw) if isinstance(raw, _TEXT) else raw
        changes = {name: value for name, value in given.items() if name != "kind"}
        for name in changes:
            if name not in chosen_options(self.rules.Options):
                raise BadField("an unknown field", field=named(name))
        return actions.Configure(changes)

    def apply(
        self, state: State, seat: SeatNo | None, raw: Kinded | Given, at: Instant
    ) -> Step[State]:
        """Apply a person's action, of the table or of its game. Raises IllegalAction, the state
        unchanged.
        """
        action = raw if isinstance(raw, Kinded) else self.read_action(raw)
        handler = _PEOPLE.get(type(action))
        if handler is not None:
            return handler(self.rules, state, seat, action, at)
        if seat is None:
            refuse("action/not_seated", "only a seat may act")
        if state.stage != RUNNING:
            raise NotInPhase("no game is running at this table")
        return carry(self.rules, state, self.rules.apply(state.play, seat, action, at))

    def apply_house(self, state: State, raw: Kinded | Given, at: Instant) -> Step[State]:
        """Apply an action of the house. Raises BadField or another IllegalAction, the state
        unchanged.
        """
        action: Kinded
        if isinstance(raw, Kinded):
            action = raw
        elif isinstance(raw, _TEXT):
            action = actions.HOUSE.given(raw)
        else:
            action = actions.HOUSE.made_of(raw)
        return _HOUSE[type(action)](self.rules, state, action, at)

    def is_house_action(self, raw: Mapping[str, Any], seat: SeatNo | None) -> bool:
        """Whether an accepted action was the house's own: without a seat. A game may have one of
        the same kind, as the duel's ``resume``.
        """
        return seat is None and raw.get("kind") in actions.HOUSE_KINDS

    def deadline(self, state: State) -> Instant | None:
        """Return the next deadline of the table or its game; None once the table is finished."""
        if state.stage == RUNNING:
            return self.rules.deadline(state.play)
        if state.stage != OPEN:
            return None
        own = (state.start_at, state.stand_up_at, state.kept_until, state.lapses_at)
        instants = (*own, state.close_at)
        earliest = min([instant for instant in instants if instant is not None])
        return earliest if state.begins_at is msgspec.UNSET else min(earliest, state.begins_at)

    def shown_deadline(self, state: State) -> Instant | None:
        if state.stage == RUNNING:
            return self.rules.shown_deadline(state.play)
        return self.deadline(state)

    def is_slow(self, state: State) -> bool:
        """Whether a running game has a clock longer than a live one: players may be away."""
        if state.stage != RUNNING:
            return False
        limit = self.rules.clock_limit(state.play)
        return limit is not None and limit > LIVE_LIMIT

    def phase(self, state: State) -> int:
        return 0 if state.play is None else self.rules.phase(state.play)

    def on_deadline(self, state: State, at: Instant) -> Step[State]:
        return clock.act(self.rules, state, at)

    def open_seats(self, state: State) -> tuple[SeatNo, ...]:
        if state.stage != RUNNING:
            return ()
        has_open = bool(self.rules.open_seats(state.play))
        for seat in state.seats:
            has_open |= seat.is_offered
        return people.open_seats(self.rules, state) if has_open else ()

    def rooms(self, state: State, viewer: Viewer) -> Mapping[str, Room]:
        if state.play is None:
            return table_rooms(viewer)
        return self.rules.rooms(state.play, viewer)

    def may(self, state: State, seat: SeatNo | None) -> list[str]:
        """Return the table's own kinds of actions that this seat (None: a spectator) may do now."""
        if state.stage in (OVER, VOID):
            return ["rematch"] if seat is not None and not is_of_contest(state) else []
        if state.stage != OPEN:
            if seat is None:
                return ["take_over"] if self.open_seats(state) else []
            bots = {each.no for each in state.seats if each.bot}
            is_possible = state.stage == RUNNING and bots
            return ["play_out"] if is_possible and self.rules.may_play_out(state.play, bots) else []
        taken = state.taken
        free = len(taken) < len(state.seats)
        if seat is None:
            return ["sit"] if free else []
        mine = state.seats[seat]
        kinds = ["stand", *(["configure"] if may_configure(state) else [])]
        kinds += ["unready" if mine.ready else "ready"]
        kinds += ["ready"] if mine.owes_hash else []
        kinds += ["reveal"] if state.may_reveal and mine.owes_salt else []
        least, most = self.rules.purse_limits(state.options)
        kinds += ["bring"] if least < most else []
        kinds += ["add_bot"] if free else []
        return kinds + (["remove_bot"] if [s for s in taken if s.bot] else [])

    def encode(self, state: State) -> tuple[str, str]:
        """Return the canonical texts of the table and of its game."""
        return self.encode_table(state), self.encode_play(state)

    def encode_play(self, state: State) -> str:
        return "" if state.play is None else canonical(state.play)

    def encode_table(self, state: State) -> str:
        return canonical(replace(state, play=None))

    def decode(self, table: str, play: str) -> State:
        """Return the state from the texts of ``encode``; raises ValueError."""
        around: State = reader_of(TableState[self.rules.Options]).stored(table)  # type: ignore[name-defined]
        if not play:
            return around
        return replace(around, play=reader_of(self.rules.State).stored(play))


class _Peek(msgspec.Struct):
    kind: Any = None


_TEXT: Final = (str, bytes, msgspec.Raw)
_PEEK: Final = msgspec.json.Decoder(_Peek)
_ANY_MAP: Final[Reader[dict[str, Any]]] = Reader(dict[str, Any])


def _kind_in(raw: Given) -> str:
    """Return the name of an action's kind, empty if it cannot be read."""
    if isinstance(raw, _TEXT):
        try:
            kind = _PEEK.decode(raw).kind
        except (ValueError, RecursionError):
            # The reader of the whole action reports the error.
            return ""
    else:
        kind = raw.get("kind")
    return kind if isinstance(kind, str) else ""
