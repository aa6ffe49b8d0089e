"""The bridge from facts to the ledger: which event moves what, from where, to where.

Source: docs/ledger.md "What a match moves"; docs/rules/showdown.md "Settling"; docs/rules/duel.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from economy import ledger
from economy.codes import TransferCode
from economy.ledger import AccountRef, Move, Plan
from economy.models import Transfer
from economy.selectors import setting
from economy.units import Unit
from games.kernel.facts import Told
from games.reading.snapshots import OWNED

#: (code, from the escrow to…) for events whose points leave the match.
Side = Callable[[int, int, Unit], AccountRef]


def _wallet(match_id: int, user_id: int, unit: Unit) -> AccountRef:
    return ledger.wallet(user_id)


def _stock(match_id: int, user_id: int, unit: Unit) -> AccountRef:
    return ledger.stock(user_id, unit)


def _escrow(match_id: int, user_id: int, unit: Unit) -> AccountRef:
    return ledger.escrow(match_id, unit)


def _treasury(match_id: int, user_id: int, unit: Unit) -> AccountRef:
    return ledger.TREASURY()


def _sink(match_id: int, user_id: int, unit: Unit) -> AccountRef:
    return ledger.sink(unit)


#: Event kind -> (transfer code, giving side, receiving side).  What is absent moves nothing.
MOVES: Mapping[str, tuple[TransferCode, Side, Side]] = {
    "uncalled_returned": (TransferCode.UNCALLED_RETURN, _escrow, _wallet),
    "purse_returned": (TransferCode.PURSE_RETURN, _escrow, _wallet),
    "pot_awarded": (TransferCode.POT_AWARD, _escrow, _wallet),
    "stake_refunded": (TransferCode.STAKE_REFUND, _escrow, _wallet),
    "tax_taken": (TransferCode.TAX, _escrow, _treasury),
    "weapon_added": (TransferCode.WEAPON_ADDED, _stock, _escrow),
    "mine_planted": (TransferCode.MINE_PLANTED, _stock, _escrow),
    "weapons_used": (TransferCode.WEAPON_USED, _escrow, _sink),
    "weapon_refunded": (TransferCode.WEAPON_REFUND, _escrow, _stock),
}


def match_cause(match_id: int) -> str:
    """Return what a match's transfers name as their cause."""
    return f"match:{match_id}"


def close_group(match_id: int) -> str:
    """Return the one group by which a match is settled or voided."""
    return f"match:{match_id}:close"


def moves_of(
    match_id: int, users: Mapping[int, int], events: Iterable[Told], *, group: str
) -> list[Move]:
    """Return the transfers that these facts ask for, keyed within the group.

    Args:
        users: the user on each seat.
        group: ``close_group`` when the match ends with them, so that it can end only once.
    """
    moves: list[Move] = []
    for event in events:
        if event.kind not in MOVES:
            continue
        code, give, take = MOVES[event.kind]
        data = event.data
        user_id = users.get(data.get("seat", -1), 0)
        unit = _unit_of(event)
        amount = data["amount"] if unit is Unit.POINT else data.get("count", 1)
        if amount:
            sides = (give(match_id, user_id, unit), take(match_id, user_id, unit))
            key = f"{group}/{len(moves)}"
            moves.append(Move(key, group, *sides, amount, code, match_cause(match_id)))
    return moves


def _unit_of(event: Told) -> Unit:
    if event.kind == "mine_planted":
        return Unit.LANDMINE
    return OWNED[event.data["weapon"]] if "weapon" in event.data else Unit.POINT


def purse_moves(match_id: int, purses: Iterable[tuple[int, int, int]]) -> list[Move]:
    """Return the collection of the purses (seat, user, points) into the match's escrow.

    An empty purse moves nothing.
    """
    group = f"match:{match_id}:start"
    return [
        Move(
            f"{group}/{seat}",
            group,
            ledger.wallet(user_id),
            ledger.escrow(match_id),
            points,
            TransferCode.PURSE,
            match_cause(match_id),
        )
        for seat, user_id, points in purses
        if points
    ]


def funding_move(match_id: int, user_id: int, missing: int, at: datetime) -> Move:
    """Return what brings a bot's wallet up again, from the mint."""
    key = f"bot-funding:{user_id}:{match_id}:{at.timestamp():.3f}"
    sides = (ledger.mint(Unit.POINT), ledger.wallet(user_id))
    return Move(key, key, *sides, missing, TransferCode.BOT_FUNDING, match_cause(match_id))


def bonus_move(match_id: int, user_id: int, key: str, amount: int) -> Move:
    """Return a win bonus, from the mint; its key says once a day for one set of opponents."""
    sides = (ledger.mint(Unit.POINT), ledger.wallet(user_id))
    return Move(key, key, *sides, amount, TransferCode.WIN_BONUS, match_cause(match_id))


def held_in_escrow(plan: Plan, match_id: int) -> dict[Unit, int]:
    """Return what a match would still hold of each unit once the plan is written."""
    held = {
        unit: plan.balance(ledger.escrow(match_id, unit)) for unit in (*OWNED.values(), Unit.POINT)
    }
    return {unit: amount for unit, amount in held.items() if amount}


def bonus_key(user_id: int, opponents: Iterable[int], at: datetime) -> str:
    """Return the key of a bonus: one a UTC day for a winner and a set of opponents."""
    against = "-".join(str(other) for other in sorted(opponents))
    return f"bonus:{at:%Y%m%d}:{user_id}:{against}"


def may_pay_bonus(user_id: int, key: str, at: datetime, paid_here: int = 0) -> bool:
    """Whether today's limits leave room for this bonus.

    Args:
        paid_here: bonuses of this batch that are not written yet.

    Source: docs/rules/showdown.md "Settling": once a day for the same opponents, 10 a day.
    """
    if Transfer.objects.filter(key=key).exists():
        return False
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    paid = Transfer.objects.filter(
        credit__owner=ledger.wallet(user_id).owner, code=TransferCode.WIN_BONUS, at__gte=midnight
    ).count()
    return paid + paid_here < setting("showdown.win_bonus_daily")
