"""The legal actions of a seat: all that ``apply`` accepts, but of many raises only some.
Source: docs/rules/showdown.md, "Betting", "A round", "Giving up".
"""

from itertools import product
from typing import Final

from games.engine.facts import Points
from games.showdown.rules import actions
from games.showdown.rules.betting import may_raise, raise_bounds
from games.showdown.rules.choices import free_stock, targets_of
from games.showdown.rules.state import SeatState, Stage, TableState
from games.showdown.rules.weapons import ALL, BASIC, BasicWeapon

#: Up to this number all different raises are listed.
MOST_LISTED_RAISES: Final = 40


def legal_actions(state: TableState, seat: SeatState) -> list[actions.ShowdownAction]:
    """List the seat's legal actions in a stable order."""
    if not may_act(state, seat):
        return []
    if state.stage == Stage.BETTING:
        if state.turn != seat.no:
            return [actions.Leave()]
        raises = _raise_amounts(*raise_bounds(state, seat)) if may_raise(state, seat) else []
        raised = [actions.RaiseBy(amount) for amount in raises]
        return [actions.Call(), *raised, actions.Fold(), actions.Leave()]
    if seat.is_locked:
        return [actions.Unlock(), actions.Leave()]
    return [*_choices(state, seat), actions.Lock(), actions.Leave()]


def legal_kinds(state: TableState, seat: SeatState) -> list[str]:
    """Return the kinds of the legal actions, in the same order, without listing them."""
    if not may_act(state, seat):
        return []
    if state.stage == Stage.BETTING:
        if state.turn != seat.no:
            return ["leave"]
        raises = ["raise_by"] if may_raise(state, seat) else []
        return ["call", *raises, "fold", "leave"]
    if seat.is_locked:
        return ["unlock", "leave"]
    attack = ["attack"] if any(seat.stock) else []
    reset = ["reset"] if seat.attacks else []
    combine = ["combine"] if sum(free_stock(seat)[: len(BASIC)]) > 1 else []
    return [*attack, *reset, *combine, "add", "mine", "lock", "leave"]


def may_act(state: TableState, seat: SeatState) -> bool:
    """Whether the seat has any legal action."""
    return state.stage != Stage.OVER and seat.is_in and not seat.is_leaving


def is_pending(state: TableState, seat: SeatState) -> bool:
    """Whether the game waits for the seat's turn or choices."""
    if state.stage == Stage.BETTING:
        return state.turn == seat.no
    return may_act(state, seat) and not seat.is_done_choosing


def _raise_amounts(least: Points, most: Points) -> list[Points]:
    """Return all amounts if they are few, else the ends, their neighbours and some between."""
    if most - least < MOST_LISTED_RAISES:
        return [Points(amount) for amount in range(least, most + 1)]
    middle = (least + most) // 2
    some = {least, least + 1, 2 * least, (least + middle) // 2, middle, most - 1, most}
    return [Points(amount) for amount in sorted(some) if amount <= most]


def _choices(state: TableState, seat: SeatState) -> list[actions.ShowdownAction]:
    targets = targets_of(state, seat)
    attacks = [
        actions.Attack(weapon, target)
        for target in targets
        for weapon, count in zip(ALL, free_stock(seat, target), strict=True)
        if count
    ]
    reset = [actions.Reset()] if seat.attacks else []
    free = free_stock(seat)
    counts = dict(zip(BasicWeapon, free[: len(BASIC)], strict=True))
    pairs = product([weapon for weapon in BasicWeapon if counts[weapon]], repeat=2)
    combinations = [actions.Combine(a, b) for a, b in pairs if a != b or counts[a] > 1]
    mines = [actions.Mine(target) for target in targets]
    return [*attacks, *reset, *combinations, *map(actions.Add, BasicWeapon), *mines]
