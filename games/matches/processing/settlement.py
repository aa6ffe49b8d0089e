"""The mapping of facts to ledger transfers: unit, amount, source and destination.
Source: docs/explanation/ledger.md "What a match moves"; docs/rules/showdown.md "Settling".
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from economy import ledger
from economy.ledger import AccountRef, Plan
from economy.models import Transfer
from economy.selectors import setting
from economy.transfers import FLOWS, TransferCode
from economy.units import WEAPONS, AccountKind, Unit
from games.contract import Move
from games.engine.facts import Step
from games.engine.table import FINISHED, TableState
from games.matches.models.matches import cause_of, start_group
from games.matches.processing.locked_match import LockedMatch

#: Kind of fact -> its transfer, in every game; a game adds its own.  Other facts move nothing.
COMMON: Final[Mapping[str, Move]] = {
    kind: Move(code, lambda _: Unit.POINT, lambda data: int(data["amount"]))
    for kind, code in {
        "uncalled_returned": TransferCode.UNCALLED_RETURN,
        "purse_returned": TransferCode.PURSE_RETURN,
        "pot_awarded": TransferCode.POT_AWARD,
        "stake_refunded": TransferCode.STAKE_REFUND,
        "tax_taken": TransferCode.TAX,
    }.items()
}


def _side(kind: AccountKind, match_id: int, user_id: int, unit: Unit) -> AccountRef:
    if kind == AccountKind.WALLET:
        return ledger.wallet(user_id)
    if kind == AccountKind.STOCK:
        return ledger.stock(user_id, unit)
    if kind == AccountKind.ESCROW:
        return ledger.escrow(match_id, unit)
    houses = {
        AccountKind.TREASURY: ledger.TREASURY(),
        AccountKind.MINT: ledger.mint(unit),
        AccountKind.SINK: ledger.sink(unit),
    }
    return houses[kind]


def moves_of(locked: LockedMatch, step: Step[TableState[Any]]) -> list[ledger.Move]:
    """Return the transfers of a step's facts, as one group, before the step is kept."""
    match_id, moves = locked.match.id, list[ledger.Move]()
    # The last group has one name, so that a match can end only once.
    is_end = step.state.stage in FINISHED
    group = f"match:{match_id}" + (":close" if is_end else f"/{locked.match.action_count + 1}")
    for event in step.events:
        asked = COMMON.get(event.kind) or locked.game.moves.get(event.kind)
        if asked is None or not (count := asked.count(event.data)):
            continue
        unit = asked.unit(event.data)
        user_id = locked.seating.users.get(event.data.get("seat", -1), 0)
        give, take = (_side(kind, match_id, user_id, unit) for kind in FLOWS[asked.code])
        key = f"{group}/{len(moves)}"
        moves.append(ledger.Move(key, group, give, take, count, asked.code, cause_of(match_id)))
    return moves


def purse_moves(match_id: int, purses: Iterable[tuple[int, int, int]]) -> list[ledger.Move]:
    """Return the transfers of the purses (seat, user, points) into the match's escrow."""
    group, escrow, cause = start_group(match_id), ledger.escrow(match_id), cause_of(match_id)
    code = TransferCode.PURSE
    return [
        ledger.Move(f"{group}/{seat}", group, ledger.wallet(user_id), escrow, points, code, cause)
        for seat, user_id, points in purses
        if points
    ]


def funding_move(match_id: int, user_id: int, missing: int, at: datetime) -> ledger.Move:
    """Return the transfer that refills a bot's wallet from the mint."""
    key = f"bot-funding:{user_id}:{match_id}:{at.timestamp():.3f}"
    sides = (ledger.mint(Unit.POINT), ledger.wallet(user_id))
    return ledger.Move(key, key, *sides, missing, TransferCode.BOT_FUNDING, cause_of(match_id))


def bonus_move(match_id: int, user_id: int, key: str, amount: int) -> ledger.Move:
    """Return a win bonus from the mint."""
    sides = (ledger.mint(Unit.POINT), ledger.wallet(user_id))
    return ledger.Move(key, key, *sides, amount, TransferCode.WIN_BONUS, cause_of(match_id))


def award_moves(match_id: int, seat: int, user_id: int, x: int, y: int) -> list[ledger.Move]:
    """Return an award's transfers from the mint: points of either axis; 0 moves nothing."""
    group = f"match:{match_id}:award"
    return [
        ledger.Move(
            f"{group}/{seat}/{unit.value}",
            group,
            ledger.mint(unit),
            ledger.wallet(user_id, unit),
            amount,
            TransferCode.GAME_AWARD,
            cause_of(match_id),
        )
        for unit, amount in ((Unit.POINT, x), (Unit.Y_POINT, y))
        if amount
    ]


def held_in_escrow(plan: Plan, match_id: int) -> dict[Unit, int]:
    """Return unit -> amount that a match would still hold once the plan is written."""
    held = {unit: plan.balance(ledger.escrow(match_id, unit)) for unit in (*WEAPONS, Unit.POINT)}
    return {unit: amount for unit, amount in held.items() if amount}


def bonus_key(user_id: int, opponents: Iterable[int], at: datetime) -> str:
    """Return the key of a bonus: one a UTC day for a winner and a set of opponents."""
    against = "-".join(str(other) for other in sorted(opponents))
    return f"bonus:{at:%Y%m%d}:{user_id}:{against}"


def may_pay_bonus(user_id: int, key: str, at: datetime, paid_here: int = 0) -> bool:
    """Whether today's limits leave room for this bonus, after ``paid_here`` unwritten ones.
    Source: docs/rules/showdown.md "Settling".
    """
    if Transfer.objects.filter(key=key).exists():
        return False
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    paid = Transfer.objects.filter(
        credit__owner=ledger.wallet(user_id).owner, code=TransferCode.WIN_BONUS, at__gte=midnight
    ).count()
    return paid + paid_here < setting("showdown.win_bonus_daily")
