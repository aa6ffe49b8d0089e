"""What a seat does in secret during a round: attack, combine, add, mine, lock, leave.

Source: docs/rules/showdown.md, "A round".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.kernel.errors import (
    BadTarget,
    IsLocked,
    NothingToReset,
    NotInStock,
    NotLocked,
)
from games.kernel.facts import Event, Instant, SeatNo, Step, replace
from games.showdown.rules.actions import (
    Add,
    Attack,
    Combine,
    Leave,
    Lock,
    Mine,
    Reset,
    Unlock,
)
from games.showdown.rules.rounds import run_rounds
from games.showdown.rules.state import SeatState, TableState, raise_count, with_seat
from games.showdown.rules.weapons import (
    BASIC,
    Stock,
    Weapon,
    change_stock,
    combine_weapons,
)


def free_stock(seat: SeatState, without_target: SeatNo | None = None) -> Stock:
    """Return what the seat can still choose: its stock less what is set aside.

    Args:
        seat: whose stock.
        without_target: an opponent whose weapon would be taken back first.
    """
    chosen = (weapon for target, weapon in seat.attacks if target != without_target)
    return change_stock(seat.stock, chosen, -1)


def targets_of(state: TableState, seat: SeatState) -> tuple[SeatNo, ...]:
    """Return the opponents still in, those who leave with this round included."""
    return tuple(other.no for other in state.live if other.no != seat.no)


def attack(state: TableState, seat: SeatState, action: Attack, at: Instant) -> Step[TableState]:
    """Choose a weapon against an opponent; an earlier choice against it is taken back.

    Raises:
        IsLocked, BadTarget, NotInStock.
    """
    _require_unlocked(seat)
    _require_target(state, seat, action.target)
    _require_stock(free_stock(seat, action.target), [action.weapon])
    attacks = {**dict(seat.attacks), action.target: action.weapon}
    changed = replace(seat, attacks=tuple(sorted(attacks.items())))
    data = {"seat": seat.no, "weapon": action.weapon.value, "target": action.target}
    return _accept(state, changed, _secret(seat, "attack_chosen", data))


def reset(state: TableState, seat: SeatState, action: Reset, at: Instant) -> Step[TableState]:
    """Take all attacks of this round back; combined weapons stay combined.

    Raises:
        IsLocked, NothingToReset.
    """
    _require_unlocked(seat)
    if not seat.attacks:
        raise NothingToReset("no attack has been chosen in this round")
    event = _secret(seat, "attacks_reset", {"seat": seat.no})
    return _accept(state, replace(seat, attacks=()), event)


def combine(state: TableState, seat: SeatState, action: Combine, at: Instant) -> Step[TableState]:
    """Spend two free basic weapons on a combined one.

    Raises:
        IsLocked, NotInStock.
    """
    _require_unlocked(seat)
    parts = [action.first, action.second]
    _require_stock(free_stock(seat), parts)
    made = combine_weapons(*parts)
    stock = change_stock(change_stock(seat.stock, parts, -1), [made], +1)
    data = {"first": parts[0].value, "second": parts[1].value, "made": made.value}
    event = _secret(seat, "weapons_combined", {"seat": seat.no, **data})
    return _accept(state, replace(seat, stock=stock), event)


def add(state: TableState, seat: SeatState, action: Add, at: Instant) -> Step[TableState]:
    """Take a basic weapon in from the permanent stock, which these rules do not know.

    Raises:
        IsLocked.
    """
    _require_unlocked(seat)
    at_kind = BASIC.index(action.weapon)
    rock, paper, scissors = (n + (kind == at_kind) for kind, n in enumerate(seat.added))
    stock = change_stock(seat.stock, [action.weapon], +1)
    changed = replace(seat, stock=stock, added=(rock, paper, scissors))
    data = {"seat": seat.no, "weapon": action.weapon.value}
    told = Event("something_added", {"seat": seat.no})
    return _accept(state, changed, _secret(seat, "weapon_added", data), told)


def mine(state: TableState, seat: SeatState, action: Mine, at: Instant) -> Step[TableState]:
    """Plant a landmine from the permanent stock on an opponent; nobody is told.

    Raises:
        IsLocked, BadTarget.
    """
    _require_unlocked(seat)
    _require_target(state, seat, action.target)
    changed = replace(
        seat,
        mines=raise_count(seat.mines, action.target),
        planted=raise_count(seat.planted, action.target),
    )
    event = _secret(seat, "mine_planted", {"seat": seat.no, "target": action.target})
    return _accept(state, changed, event)


def lock(state: TableState, seat: SeatState, action: Lock, at: Instant) -> Step[TableState]:
    """Be done choosing; when everybody is, the round is resolved.

    Raises:
        IsLocked.
    """
    _require_unlocked(seat)
    locked = replace(seat, is_locked=True)
    accepted = _accept(state, locked, Event("locked", {"seat": seat.no}))
    return accepted.then(lambda s: run_rounds(s, at))


def unlock(state: TableState, seat: SeatState, action: Unlock, at: Instant) -> Step[TableState]:
    """Go on choosing.

    Raises:
        NotLocked.
    """
    if not seat.is_locked:
        raise NotLocked("there is no lock to open")
    unlocked = replace(seat, is_locked=False)
    return _accept(state, unlocked, Event("unlocked", {"seat": seat.no}))


def leave_round(state: TableState, seat: SeatState, action: Leave, at: Instant) -> Step[TableState]:
    """Give up, with effect from the end of the round; what is chosen stands until then.

    Source: docs/rules/showdown.md, "Giving up".
    """
    event = Event("gave_up", {"seat": seat.no, "reason": "left"})
    accepted = _accept(state, replace(seat, is_leaving=True), event)
    return accepted.then(lambda s: run_rounds(s, at))


def _accept(state: TableState, changed: SeatState, *events: Event) -> Step[TableState]:
    return Step(with_seat(state, replace(changed, is_active=True)), events)


def _secret(seat: SeatState, kind: str, data: dict[str, Any]) -> Event:
    return Event(kind, data, frozenset({seat.no}))


def _require_unlocked(seat: SeatState) -> None:
    if seat.is_locked:
        raise IsLocked("unlock first")


def _require_target(state: TableState, seat: SeatState, target: SeatNo) -> None:
    if target not in targets_of(state, seat):
        raise BadTarget("the target is an opponent who is still in", target=target)


def _require_stock(free: Stock, weapons: Iterable[Weapon]) -> None:
    try:
        change_stock(free, weapons, -1)
    except ValueError:
        wanted = " and ".join(weapon.value for weapon in weapons)
        raise NotInStock(f"not in stock, or set aside: {wanted}", weapon=wanted) from None
