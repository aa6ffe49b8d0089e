"""What people ask of a table: to sit, to be ready, to change its options, to play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.kernel import errors
from games.kernel.facts import Event, Instant, Points, Rules, SeatNo, Step, replace
from games.kernel.table.clock import carry, count_down, vacate
from games.kernel.table.state import (
    OVER,
    QUIET_LIMIT,
    RUNNING,
    VOID,
    TableSeat,
    TableState,
    fields,
    join,
    require_open,
    require_seat,
    with_seat,
)


def sit(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Take a free seat with a purse; raises AlreadySeated, SeatTaken, BadPurse, BadField.

    Where there is only one purse to sit down with, it need not be named.
    """
    require_open(state)
    least, most = rules.purse_limits(state.options)
    given = raw if "purse" in raw or least != most else {**raw, "purse": most}
    number, purse = fields(given, seat=int, purse=int)
    if seat is not None:
        raise errors.AlreadySeated("you already sit at this table", seat=seat)
    step = take(rules, state, number, purse, bot=False)
    quiet = replace(step.state, close_at=Instant(at + QUIET_LIMIT))
    return join(step, count_down(rules, quiet, at))


def take(
    rules: Rules[Any], state: TableState, number: int, purse: int, *, bot: bool
) -> Step[TableState]:
    """Put somebody on a free seat; a bot is ready at once."""
    if not 0 <= number < len(state.seats):
        raise errors.BadField("there is no such seat", field="seat")
    if state.seats[number].taken:
        raise errors.SeatTaken("somebody sits there already", seat=number)
    least, most = rules.purse_limits(state.options)
    if not least <= purse <= most:
        raise errors.BadPurse(f"a purse here is {least} to {most}", least=least, most=most)
    taken = TableSeat(SeatNo(number), True, bot, Points(purse), bot)
    event = Event("sat", {"seat": number, "purse": purse, "bot": bot})
    return Step(with_seat(state, taken), (event,))


def stand(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Give the seat up before the start."""
    fields(raw)
    require_open(state)
    return vacate(rules, state, require_seat(seat), "stood", at)


def configure(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Change options; everybody must get ready anew.  What changes nothing changes nothing.

    Raises:
        BadOption: an option is out of its range, or does not go with another.
        BadField: there is no such option to choose.
        TableFull: somebody sits on a seat that would go.
    """
    require_open(state)
    require_seat(seat)
    changed = {key: value for key, value in raw.items() if key != "kind"}
    if unknown := [key for key in changed if key not in rules.chosen_options]:
        raise errors.BadField(f"unknown field {unknown[0]!r}", field=unknown[0])
    options = rules.clean_options({**state.options, **changed})
    if options == state.options:
        return Step(state)
    seats = _resized(rules, state, options)
    revision = state.options_revision + 1
    data = {
        "seat": seat,
        "options_revision": revision,
        "options": dict(options),
        "changed": sorted(key for key in options if options[key] != state.options[key]),
        "unready": [other.no for other in state.taken if other.ready and not other.bot],
    }
    event = Event("configured", data)
    state = replace(state, options=options, options_revision=revision, seats=seats)
    return join(Step(state, (event,)), count_down(rules, state, at))


def make_ready(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Get ready for the options one has seen; raises StaleAction when they have changed."""
    require_open(state)
    (configuration,) = fields(raw, configuration=int)
    mine = state.seats[require_seat(seat)]
    if configuration != state.options_revision:
        raise errors.StaleAction("the table's options have changed", now=state.options_revision)
    if mine.ready:
        return Step(state)
    state = replace(with_seat(state, replace(mine, ready=True)), close_at=Instant(at + QUIET_LIMIT))
    event = Event("became_ready", {"seat": mine.no})
    return join(Step(state, (event,)), count_down(rules, state, at))


def make_unready(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Be ready no longer, which stops the countdown."""
    require_open(state)
    fields(raw)
    mine = state.seats[require_seat(seat)]
    if not mine.ready:
        return Step(state)
    state = with_seat(state, replace(mine, ready=False))
    event = Event("became_unready", {"seat": mine.no, "reason": "asked"})
    return join(Step(state, (event,)), count_down(rules, state, at))


def remove_bot(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Send a bot away; raises BadTarget."""
    require_open(state)
    require_seat(seat)
    (number,) = fields(raw, seat=int)
    if not 0 <= number < len(state.seats) or not state.seats[number].bot:
        raise errors.BadTarget("no bot sits there", seat=number)
    return vacate(rules, state, SeatNo(number), "removed", at)


def rematch(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Ask for the next game at this table once this one is over."""
    fields(raw)
    if state.stage not in (OVER, VOID):
        raise errors.NotInPhase("this game is not over yet")
    return Step(state, (Event("rematch_called", {"seat": require_seat(seat)}),))


def play(
    rules: Rules[Any], state: TableState, seat: SeatNo | None, raw: Mapping[str, Any], at: Instant
) -> Step[TableState]:
    """Pass an action on to the game."""
    action = rules.decode_action(raw)
    if seat is None:
        raise errors.NotSeated("only a seat may act")
    if state.stage != RUNNING:
        raise errors.NotInPhase("no game is running at this table")
    return carry(rules, state, rules.apply(state.play, seat, action, at))


def _resized(
    rules: Rules[Any], state: TableState, options: Mapping[str, Any]
) -> tuple[TableSeat, ...]:
    """Return the seats under new options: people unready, purses within the new limits."""
    count = options["seats"]
    least, most = rules.purse_limits(options)
    if any(seat.no >= count for seat in state.taken):
        raise errors.TableFull("somebody sits on a seat that would go", seats=count)
    old = state.seats[:count] + tuple(
        TableSeat(SeatNo(no)) for no in range(len(state.seats), count)
    )
    return tuple(
        replace(seat, purse=Points(min(max(seat.purse, least), most)), ready=seat.bot)
        if seat.taken
        else seat
        for seat in old
    )
