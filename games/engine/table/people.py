"""The handlers of people's actions: sit, stand, ready, options, and who takes over a seat."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from games.engine import errors
from games.engine.choices import clean_options
from games.engine.draws import hash_of_salt
from games.engine.errors import AlreadySeated, NotInPhase, refuse
from games.engine.facts import Instant, Points, SeatNo, Step, Told
from games.engine.protocols import Rules
from games.engine.structs import plain, replace
from games.engine.table import actions
from games.engine.table.clock import count_down, go_on, look_again, vacate
from games.engine.table.facts import (
    BecameReady,
    BecameUnready,
    Configured,
    PurseChanged,
    RematchCalled,
    Sat,
    SeatOffered,
    SeatTakenOver,
)
from games.engine.table.state import (
    CONSENT_LIMIT,
    NO_POINTS,
    OVER,
    QUIET_LIMIT,
    RUNNING,
    VOID,
    State,
    TableSeat,
    carry,
    is_of_contest,
    is_quick,
    join,
    may_configure,
    require_open,
    require_seat,
    with_seat,
)


def sit(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Sit, at: Instant
) -> Step[State]:
    """Take the named seat, or the first free one, with a purse. Raises AlreadySeated, BadPurse,
    BadField, SeatTaken, TableFull.
    """
    require_open(state)
    least, most = rules.purse_limits(state.options)
    if action.purse is not UNSET:
        purse = action.purse
    elif least == most:
        purse = most
    else:
        raise errors.BadField("a field is missing", field="purse")
    if seat is not None:
        raise errors.AlreadySeated("you already sit at this table", seat=seat)
    newcomer = _first_free(state) if action.seat is UNSET else SeatNo(action.seat)
    step = take(rules, state, newcomer, purse, bot=False)
    seated = replace(step.state, close_at=_quiet_at(state, at), newcomer=newcomer, sat_at=at)
    looking = look_again(rules, seated, newcomer, "sat")
    return join(
        Step(looking.state, step.events + looking.events), count_down(rules, looking.state, at)
    )


def bring(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Bring, at: Instant
) -> Step[State]:
    """Change the seat's purse and make it unready; raises BadPurse."""
    require_open(state)
    mine = state.seats[require_seat(seat)]
    purse = _require_purse(rules, state, action.purse)
    if purse == mine.purse:
        return Step(state)
    changed = replace(mine, purse=purse, ready=False, cut=NO_POINTS)
    state = replace(with_seat(state, changed), close_at=_quiet_at(state, at))
    told = Told(PurseChanged(mine.no, purse))
    return join(Step(state, (told,)), count_down(rules, state, at))


def _quiet_at(state: State, at: Instant) -> Instant:
    """Return when the table closes if nobody sits down or gets ready any more."""
    return Instant(max(at, state.quiet_from) + QUIET_LIMIT)


def _first_free(state: State) -> SeatNo:
    free = next((seat.no for seat in state.seats if not seat.taken), None)
    if free is None:
        raise errors.TableFull("every seat of this table is taken")
    return free


def take(rules: Rules[Any], state: State, number: int, purse: int, *, bot: bool) -> Step[State]:
    """Take a free seat for a person or a bot; a bot is ready at once."""
    if not 0 <= number < len(state.seats):
        raise errors.BadField("there is no such seat", field="seat")
    if state.seats[number].taken:
        raise errors.SeatTaken("somebody sits there already", seat=number)
    taken = TableSeat(SeatNo(number), True, bot, _require_purse(rules, state, purse), bot)
    return Step(with_seat(state, taken), (Told(Sat(taken.no, taken.purse, bot)),))


def _require_purse(rules: Rules[Any], state: State, purse: int) -> Points:
    least, most = rules.purse_limits(state.options)
    if not least <= purse <= most:
        raise errors.BadPurse(f"a purse here is {least} to {most}", least=least, most=most)
    return Points(purse)


def stand(
    rules: Rules[Any],
    state: State,
    seat: SeatNo | None,
    action: actions.Stand | actions.Leave,
    at: Instant,
) -> Step[State]:
    """Give the seat up before the start."""
    require_open(state)
    return vacate(rules, state, require_seat(seat), "stood", at)


def leave(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Leave, at: Instant
) -> Step[State]:
    """Give the seat up, or leave the running game."""
    if state.stage != RUNNING:
        return stand(rules, state, seat, action, at)
    return carry(rules, state, rules.leave(state.play, require_seat(seat), at))


def configure(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Configure, at: Instant
) -> Step[State]:
    """Change options and make people unready; the same options change nothing. Raises
    action/bad_option, TableFull, NotInPhase.
    """
    require_open(state)
    sitter = require_seat(seat)
    if not may_configure(state):
        raise errors.NotInPhase("the options are fixed now")
    unready = tuple(other.no for other in state.taken if other.ready and not other.bot)
    step = _configured(rules, state, sitter, action.changes, unready)
    if not step.events:
        return step
    resized = replace(step.state, seats=_resized(rules, state, step.state.options))
    return join(Step(resized, step.events), count_down(rules, resized, at))


def set_terms(rules: Rules[Any], state: State, action: actions.Terms, at: Instant) -> Step[State]:
    """Set the options of a quick table before its countdown; readiness stays, since its press was
    for these too. Raises action/bad_option, NotInPhase.
    """
    require_open(state)
    if not is_quick(state.options) or state.start_at is not None:
        raise errors.NotInPhase("the options are fixed now")
    return _configured(rules, state, None, action.options, ())


def _configured(
    rules: Rules[Any],
    state: State,
    seat: SeatNo | None,
    changes: Mapping[str, Any],
    unready: tuple[SeatNo, ...],
) -> Step[State]:
    """Return the table with these options changed; without a fact if they are the same."""
    old = plain(state.options)
    options = clean_options(rules.Options, {**old, **changes})
    if options == state.options:
        return Step(state)
    new, revision = plain(options), state.options_revision + 1
    changed = tuple(sorted(name for name in new if new[name] != old[name]))
    told = Told(Configured(seat, revision, new, changed, unready))
    return Step(replace(state, options=options, options_revision=revision), (told,))


def make_ready(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Ready, at: Instant
) -> Step[State]:
    """Get ready for this revision of the options, with the purse that is named. Raises StaleAction,
    BadPurse.
    """
    require_open(state)
    number = require_seat(seat)
    if action.configuration != state.options_revision:
        raise errors.StaleAction("the table's options have changed", now=state.options_revision)
    if action.purse is not UNSET:
        brought = bring(rules, state, seat, actions.Bring(action.purse), at)
        action = replace(action, purse=UNSET)
        return join(brought, make_ready(rules, brought.state, seat, action, at))
    mine = state.seats[number]
    is_press = not mine.ready or action.salt_hash is UNSET
    if is_quick(state.options) and is_press:
        # A hash alone comes from the page, without a press.
        mine = replace(mine, ready_until=Instant(at + CONSENT_LIMIT))
    if mine.ready:
        return _salt_again(rules, with_seat(state, mine), mine, action, at)
    readied = replace(mine, ready=True, salt_hash=action.salt_hash)
    state = replace(with_seat(state, readied), close_at=_quiet_at(state, at))
    return join(Step(state, (Told(BecameReady(mine.no)),)), count_down(rules, state, at))


def _salt_again(
    rules: Rules[Any], state: State, mine: TableSeat, action: actions.Ready, at: Instant
) -> Step[State]:
    """Take another hash of a ready seat, unless somebody's salt is known."""
    # At a table from before 1.2 the first hash stays.
    is_kept = bool(mine.salt_hash) and state.is_logged is UNSET
    if is_kept or action.salt_hash is UNSET or state.salts:
        return Step(state)
    return count_down(rules, with_seat(state, replace(mine, salt_hash=action.salt_hash)), at)


def reveal(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Reveal, at: Instant
) -> Step[State]:
    """Reveal the seat's salt during the countdown; the last one may start the game. Raises
    NotInPhase if none is expected, BadField if its hash is another.
    """
    require_open(state)
    mine = state.seats[require_seat(seat)]
    if mine.salt == action.salt:
        return Step(state)
    if state.needs_log and mine.owes_salt:
        raise errors.NotInPhase("wait for the public log: it lacks the opening of this game")
    if not state.may_reveal or not mine.owes_salt:
        raise errors.NotInPhase("no salt is expected now")
    if hash_of_salt(action.salt) != mine.salt_hash:
        raise errors.BadField("not the salt whose hash was given", field="salt")
    return go_on(with_seat(state, replace(mine, salt=action.salt)), at)


def make_unready(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Unready, at: Instant
) -> Step[State]:
    """Withdraw the readiness and stop the countdown."""
    require_open(state)
    mine = state.seats[require_seat(seat)]
    if not mine.ready:
        return Step(state)
    state = with_seat(state, replace(mine, ready=False))
    unready = Told(BecameUnready(mine.no, "asked"))
    return join(Step(state, (unready,)), count_down(rules, state, at))


def remove_bot(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.RemoveBot, at: Instant
) -> Step[State]:
    """Remove a bot; raises action/bad_target."""
    require_open(state)
    require_seat(seat)
    number = action.seat
    if not 0 <= number < len(state.seats) or not state.seats[number].bot:
        refuse("action/bad_target", "no bot sits there", seat=number)
    return vacate(rules, state, SeatNo(number), "removed", at)


def rematch(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.Rematch, at: Instant
) -> Step[State]:
    """Ask for the next game at this table once this one is over."""
    if state.stage not in (OVER, VOID):
        raise errors.NotInPhase("this game is not over yet")
    if is_of_contest(state):
        raise errors.NotInPhase("the next game is begun by the contest")
    return Step(state, (Told(RematchCalled(require_seat(seat))),))


def play_out(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.PlayOut, at: Instant
) -> Step[State]:
    """Play the rest of the game in seconds; raises NotInPhase while a person has a part in it."""
    require_seat(seat)
    bots = {each.no for each in state.seats if each.bot}
    if state.stage != RUNNING or not rules.may_play_out(state.play, bots):
        raise errors.NotInPhase("people still play here")
    return carry(rules, state, rules.play_out(state.play, at))


def _resized(rules: Rules[Any], state: State, options: Any) -> tuple[TableSeat, ...]:
    """Return the seats under new options: people unready, purses within the new limits."""
    count = options.seats
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


def open_seats(rules: Rules[Any], state: State) -> tuple[SeatNo, ...]:
    """Return the seats of a running game that a substitute may take over: those that the game names
    or the house offers, never a bot's or one with a purse.
    Source: docs/rules/agora.md "Substitutes".
    """
    idle = rules.open_seats(state.play)
    return tuple(
        seat.no
        for seat in state.people
        if not seat.purse and (seat.no in idle or (seat.is_offered and _plays(rules, state, seat)))
    )


def take_over(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.TakeOver, at: Instant
) -> Step[State]:
    """Take over an open seat; raises NotInPhase, AlreadySeated, action/seat_not_open."""
    if state.stage != RUNNING:
        raise NotInPhase("no game is running at this table")
    if seat is not None:
        raise AlreadySeated("you play in this game", seat=seat)
    if action.seat not in open_seats(rules, state):
        refuse("action/seat_not_open", "this seat is not open", seat=action.seat)
    old = state.seats[action.seat]
    new = replace(old, is_offered=False, successions=old.successions + 1)
    step = carry(rules, state, rules.take_over(state.play, new.no, at))
    return Step(with_seat(step.state, new), (Told(SeatTakenOver(new.no)), *step.events))


def expel(rules: Rules[Any], state: State, action: actions.Expel, at: Instant) -> Step[State]:
    """Offer the seat to others if the game's options allow substitutes, else let it leave. Raises
    NotInPhase if nobody plays there, or another IllegalAction.
    """
    if not may_expel(rules, state, action.seat):
        raise NotInPhase("nobody plays there", seat=action.seat)
    if not state.options.substitutes:
        return carry(rules, state, rules.leave(state.play, action.seat, at))
    offered = replace(state.seats[action.seat], is_offered=True)
    return Step(with_seat(state, offered), (Told(SeatOffered(offered.no)),))


def may_expel(rules: Rules[Any], state: State, seat: SeatNo) -> bool:
    """Whether the owner of a seat can be removed from the game; no clock does this."""
    if state.stage != RUNNING or not says_what_then(state.options):
        return False
    chair = state.seats[seat]
    return chair.taken and not chair.is_offered and _plays(rules, state, chair)


def says_what_then(options: Any) -> bool:
    """Whether a game has a rule for a seat without its owner; in others the clock acts."""
    return hasattr(options, "substitutes")


def _plays(rules: Rules[Any], state: State, seat: TableSeat) -> bool:
    """Whether a seat has a legal action left."""
    return bool(rules.legal_actions(state.play, seat.no))
