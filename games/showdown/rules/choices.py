"""The secret choices of a seat during a round: attack, combine, add, mine, lock, leave.
Source: docs/rules/showdown.md, "A round".
"""

from collections.abc import Iterable

from games.engine.errors import refusal, refuse
from games.engine.facts import Instant, SeatNo, SecretFact, Step, Told
from games.engine.structs import replace
from games.showdown.rules import facts
from games.showdown.rules.actions import Add, Attack, Combine, Leave, Lock, Mine, Reset, Unlock
from games.showdown.rules.rounds import break_off_round, run_rounds
from games.showdown.rules.state import SeatState, TableState, raise_count, with_seat
from games.showdown.rules.weapons import (
    BASIC,
    INDEX,
    WEAPONS,
    BasicWeapon,
    Stock,
    Weapon,
    change_stock,
    combine_weapons,
)


def free_stock(seat: SeatState, without_target: SeatNo | None = None) -> Stock:
    """Return the stock without the weapons of attacks; that on ``without_target`` counts as
    withdrawn.
    """
    chosen = [weapon for target, weapon in seat.attacks if target != without_target]
    return change_stock(seat.stock, chosen, -1)


def targets_of(state: TableState, seat: SeatState) -> tuple[SeatNo, ...]:
    """Return the live opponents, including those who leave at the end of this round."""
    return tuple([other.no for other in state.live if other.no != seat.no])


def attack(state: TableState, seat: SeatState, action: Attack, at: Instant) -> Step[TableState]:
    """Choose a weapon against one opponent or all, in place of earlier choices; combine it where
    it is missing and wanted. Raises action/locked, action/bad_target, action/not_in_stock.
    """
    _require_unlocked(seat)
    target, weapon = _require_target(state, seat, action.target), action.weapon
    targets = targets_of(state, seat) if action.everyone else (target,)
    kept = tuple([attack for attack in seat.attacks if attack[0] not in targets])
    changed, told = replace(seat, attacks=kept), []
    for no in targets:
        parts = WEAPONS[weapon].made_of
        if action.make and parts and not free_stock(changed)[INDEX[weapon]]:
            changed, combined = _combined(changed, *parts)
            told.append(combined)
        _require_stock(free_stock(changed), [weapon])
        changed = replace(changed, attacks=tuple(sorted([*changed.attacks, (no, weapon)])))
        told.append(_secret(seat, facts.AttackChosen(seat.no, weapon, no)))
    return _accept(state, changed, *told)


def reset(state: TableState, seat: SeatState, action: Reset, at: Instant) -> Step[TableState]:
    """Withdraw all attacks of this round; combined weapons stay. Raises action/locked,
    action/nothing_to_reset.
    """
    _require_unlocked(seat)
    if not seat.attacks:
        refuse("action/nothing_to_reset", "no attack has been chosen in this round")
    return _accept(state, replace(seat, attacks=()), _secret(seat, facts.AttacksReset(seat.no)))


def combine(state: TableState, seat: SeatState, action: Combine, at: Instant) -> Step[TableState]:
    """Spend two free basic weapons on a combined one. Raises action/locked, action/not_in_stock."""
    _require_unlocked(seat)
    changed, combined = _combined(seat, action.first.weapon, action.second.weapon)
    return _accept(state, changed, combined)


def add(state: TableState, seat: SeatState, action: Add, at: Instant) -> Step[TableState]:
    """Add a basic weapon from the permanent stock, which the house checks. Raises action/locked."""
    _require_unlocked(seat)
    weapon = action.weapon.weapon
    at_kind = BASIC.index(weapon)
    rock, paper, scissors = (n + (kind == at_kind) for kind, n in enumerate(seat.added))
    stock = change_stock(seat.stock, [weapon], +1)
    changed = replace(seat, stock=stock, added=(rock, paper, scissors))
    private = _secret(seat, facts.WeaponAdded(seat.no, action.weapon))
    return _accept(state, changed, private, Told(facts.SomethingAdded(seat.no)))


def mine(state: TableState, seat: SeatState, action: Mine, at: Instant) -> Step[TableState]:
    """Plant a landmine on an opponent, in secret. Raises action/locked, action/bad_target."""
    _require_unlocked(seat)
    target = _require_target(state, seat, action.target)
    changed = replace(
        seat, mines=raise_count(seat.mines, target), planted=raise_count(seat.planted, target)
    )
    return _accept(state, changed, _secret(seat, facts.MinePlanted(seat.no, target)))


def lock(state: TableState, seat: SeatState, action: Lock, at: Instant) -> Step[TableState]:
    """Lock the choices; when all seats are done, resolve the round. Raises action/locked."""
    _require_unlocked(seat)
    locked = replace(seat, is_locked=True)
    accepted = _accept(state, locked, Told(facts.Locked(seat.no)))
    return accepted.then(lambda s: run_rounds(s, at))


def unlock(state: TableState, seat: SeatState, action: Unlock, at: Instant) -> Step[TableState]:
    """Unlock the choices. Raises action/not_locked."""
    if not seat.is_locked:
        refuse("action/not_locked", "there is no lock to open")
    unlocked = replace(seat, is_locked=False)
    return _accept(state, unlocked, Told(facts.Unlocked(seat.no)))


def leave_round(state: TableState, seat: SeatState, action: Leave, at: Instant) -> Step[TableState]:
    """Give up: of two the other wins at once; of more it counts from the round's end, and what has
    been chosen stands until then.
    Source: docs/rules/showdown.md, "Giving up".
    """
    gave_up = Told(facts.GaveUp(seat.no, "left"))
    accepted = _accept(state, replace(seat, is_leaving=True), gave_up)
    go_on = run_rounds if len(state.live) > 2 else break_off_round
    return accepted.then(lambda s: go_on(s, at))


def _combined(seat: SeatState, *parts: Weapon) -> tuple[SeatState, Told]:
    _require_stock(free_stock(seat), parts)
    made = combine_weapons(*parts)
    stock = change_stock(change_stock(seat.stock, parts, -1), [made], +1)
    first, second = map(BasicWeapon, parts)
    fact = facts.WeaponsCombined(seat.no, first, second, made)
    return replace(seat, stock=stock), _secret(seat, fact)


def _accept(state: TableState, changed: SeatState, *told: Told) -> Step[TableState]:
    return Step(with_seat(state, replace(changed, is_active=True)), told)


def _secret(seat: SeatState, fact: SecretFact) -> Told:
    return Told(fact, [seat.no])


def _require_unlocked(seat: SeatState) -> None:
    if seat.is_locked:
        refuse("action/locked", "unlock first")


def _require_target(state: TableState, seat: SeatState, target: int) -> SeatNo:
    if target not in targets_of(state, seat):
        refuse("action/bad_target", "the target is an opponent who is still in", target=target)
    return SeatNo(target)


def _require_stock(free: Stock, weapons: Iterable[Weapon]) -> None:
    try:
        change_stock(free, weapons, -1)
    except ValueError:
        wanted = list(weapons)
        titles = " and ".join(WEAPONS[weapon].title for weapon in wanted)
        names = " and ".join(weapon.value for weapon in wanted)
        message = f"you have no {titles} left to choose"
        raise refusal("action/not_in_stock", message, weapon=names) from None
