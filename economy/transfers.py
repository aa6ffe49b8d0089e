"""References of accounts, and moves between them: plain values, no database."""

from typing import NamedTuple

from economy.codes import FLOWS, TransferCode
from economy.errors import (
    AmountOutOfRange,
    LedgerConflict,
    SameAccount,
    UnitMismatch,
    WrongFlow,
)
from economy.units import HOUSE, HOUSE_KINDS, LEAST_AMOUNT, MOST_AMOUNT, AccountKind, Unit


class AccountRef(NamedTuple):
    """Identifies an account, which may not exist yet."""

    owner: str
    kind: AccountKind
    unit: Unit


def user_owner(user_id: int) -> str:
    """Return the owner of a user's wallet and stocks."""
    return f"user:{user_id}"


def match_owner(match_id: int) -> str:
    """Return the owner of a match's escrows."""
    return f"match:{match_id}"


def wallet(user_id: int, unit: Unit = Unit.POINT) -> AccountRef:
    """Return the account of a user's points."""
    return AccountRef(user_owner(user_id), AccountKind.WALLET, unit)


def stock(user_id: int, unit: Unit) -> AccountRef:
    """Return the account of a user's permanent stock of one weapon."""
    return AccountRef(user_owner(user_id), AccountKind.STOCK, unit)


def escrow(match_id: int, unit: Unit = Unit.POINT) -> AccountRef:
    """Return the account of a match's units of one kind, until settlement or void."""
    return AccountRef(match_owner(match_id), AccountKind.ESCROW, unit)


def TREASURY(unit: Unit = Unit.POINT) -> AccountRef:  # noqa: N802 - there is one, like a constant
    """Return the house's account of taxes and the shop's income."""
    return AccountRef(HOUSE, AccountKind.TREASURY, unit)


def mint(unit: Unit) -> AccountRef:
    """Return the account from which new units come."""
    return AccountRef(HOUSE, AccountKind.MINT, unit)


def sink(unit: Unit) -> AccountRef:
    """Return the account to which used-up units go."""
    return AccountRef(HOUSE, AccountKind.SINK, unit)


class Move(NamedTuple):
    """A transfer to be made. ``key`` identifies it: the same key is the same transfer.  ``group``
    joins moves that stand or fall together, ``cause`` is their subject.
    """

    key: str
    group: str
    debit: AccountRef
    credit: AccountRef
    amount: int
    code: TransferCode
    cause: str


#: Maximum length of key, group and cause; SQLite would accept longer ones, PostgreSQL refuses.
LONGEST_TEXT = 160


def check_move(move: Move) -> None:
    """Check a move as far as possible without balances. Raises AmountOutOfRange: not a whole number
    from 1 to 10**9 (True and 1.0 are none); SameAccount, UnitMismatch, WrongFlow: these two
    accounts cannot be connected; ValueError: a key, group or cause is empty or too long.
    """
    if type(move.amount) is not int or not LEAST_AMOUNT <= move.amount <= MOST_AMOUNT:
        raise AmountOutOfRange(
            f"an amount is a whole number from {LEAST_AMOUNT} to {MOST_AMOUNT}",
            least=LEAST_AMOUNT,
            most=MOST_AMOUNT,
        )
    if move.debit == move.credit:
        raise SameAccount("a transfer needs two accounts")
    if move.debit.unit != move.credit.unit:
        raise UnitMismatch(f"{move.debit.unit} does not turn into {move.credit.unit}")
    kinds = (move.debit.kind, move.credit.kind)
    is_owned_rightly = all(
        (ref.kind in HOUSE_KINDS) == (ref.owner == HOUSE) for ref in (move.debit, move.credit)
    )
    if FLOWS.get(move.code, kinds) != kinds or not is_owned_rightly:
        raise WrongFlow(f"{move.code} does not go from {kinds[0]} to {kinds[1]}")
    for text in (move.key, move.group, move.cause):
        if not 0 < len(text) <= LONGEST_TEXT:
            raise ValueError(f"key, group and cause have 1 to {LONGEST_TEXT} characters: {text!r}")


def require_same(earlier: Move, later: Move) -> None:
    """Check that two moves with one key are equal. Raises LedgerConflict: they differ."""
    if earlier != later:
        raise LedgerConflict("this key belongs to another transfer")
