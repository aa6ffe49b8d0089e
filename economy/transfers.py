"""Codes, titles and moves of transfers, and references of accounts: plain values, no database."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.db.models import TextChoices

from economy.errors import refuse
from economy.units import HOUSE, HOUSE_KINDS, LEAST_AMOUNT, MOST_AMOUNT, AccountKind, Unit


class TransferCode(TextChoices):
    """The reason of a transfer."""

    SIGNUP_GRANT = "SIGNUP_GRANT"
    PURSE = "PURSE"
    PURSE_RETURN = "PURSE_RETURN"
    UNCALLED_RETURN = "UNCALLED_RETURN"
    POT_AWARD = "POT_AWARD"
    TAX = "TAX"
    WIN_BONUS = "WIN_BONUS"
    STAKE_REFUND = "STAKE_REFUND"
    PURCHASE = "PURCHASE"
    ITEM_ISSUE = "ITEM_ISSUE"
    ITEM_IN = "ITEM_IN"
    ITEM_USED = "ITEM_USED"
    ITEM_BACK = "ITEM_BACK"
    BOT_FUNDING = "BOT_FUNDING"
    STIPEND = "STIPEND"
    STIPEND_COVER = "STIPEND_COVER"
    PRIZE = "PRIZE"
    PRIZE_COVER = "PRIZE_COVER"
    REFERRAL = "REFERRAL"
    REFERRAL_COVER = "REFERRAL_COVER"
    GAME_AWARD = "GAME_AWARD"
    ACCOUNT_CLOSED = "ACCOUNT_CLOSED"
    REVERSAL = "REVERSAL"
    ADMIN_ADJUST = "ADMIN_ADJUST"


#: Code -> (kind that gives, kind that receives).  Codes not listed here, of
#: reversals and adjustments, may connect any two.  Source: docs/explanation/ledger.md "Codes".
FLOWS: Final[Mapping[TransferCode, tuple[AccountKind, AccountKind]]] = {
    TransferCode.SIGNUP_GRANT: (AccountKind.MINT, AccountKind.WALLET),
    TransferCode.PURSE: (AccountKind.WALLET, AccountKind.ESCROW),
    TransferCode.PURSE_RETURN: (AccountKind.ESCROW, AccountKind.WALLET),
    TransferCode.UNCALLED_RETURN: (AccountKind.ESCROW, AccountKind.WALLET),
    TransferCode.POT_AWARD: (AccountKind.ESCROW, AccountKind.WALLET),
    TransferCode.TAX: (AccountKind.ESCROW, AccountKind.TREASURY),
    TransferCode.WIN_BONUS: (AccountKind.MINT, AccountKind.WALLET),
    TransferCode.STAKE_REFUND: (AccountKind.ESCROW, AccountKind.WALLET),
    TransferCode.PURCHASE: (AccountKind.WALLET, AccountKind.TREASURY),
    TransferCode.ITEM_ISSUE: (AccountKind.MINT, AccountKind.STOCK),
    TransferCode.ITEM_IN: (AccountKind.STOCK, AccountKind.ESCROW),
    TransferCode.ITEM_USED: (AccountKind.ESCROW, AccountKind.SINK),
    TransferCode.ITEM_BACK: (AccountKind.ESCROW, AccountKind.STOCK),
    TransferCode.BOT_FUNDING: (AccountKind.MINT, AccountKind.WALLET),
    TransferCode.STIPEND: (AccountKind.TREASURY, AccountKind.WALLET),
    TransferCode.STIPEND_COVER: (AccountKind.MINT, AccountKind.TREASURY),
    TransferCode.PRIZE: (AccountKind.TREASURY, AccountKind.WALLET),
    TransferCode.PRIZE_COVER: (AccountKind.MINT, AccountKind.TREASURY),
    TransferCode.REFERRAL: (AccountKind.TREASURY, AccountKind.WALLET),
    TransferCode.REFERRAL_COVER: (AccountKind.MINT, AccountKind.TREASURY),
    TransferCode.GAME_AWARD: (AccountKind.MINT, AccountKind.WALLET),
    TransferCode.ACCOUNT_CLOSED: (AccountKind.WALLET, AccountKind.TREASURY),
}


class MovementKind(TextChoices):
    """The kinds by which a statement can be filtered."""

    GAME = "game", "Games"
    SHOP = "shop", "Shop"
    BONUS = "bonus", "Bonuses and prizes"
    GRANT = "grant", "Grants"
    CORRECTION = "correction", "Corrections"


class Words(NamedTuple):
    """A transfer's kind and its name."""

    kind: MovementKind
    title: str


_GAME, _SHOP, _BONUS, _GRANT, _CORRECTION = MovementKind

#: One entry for every code.
WORDS: Final[Mapping[TransferCode, Words]] = {
    TransferCode.SIGNUP_GRANT: Words(_GRANT, "Part of the starting grant"),
    TransferCode.PURSE: Words(_GAME, "Purse brought into a game"),
    TransferCode.PURSE_RETURN: Words(_GAME, "Rest of the purse returned"),
    TransferCode.UNCALLED_RETURN: Words(_GAME, "Uncalled bet returned"),
    TransferCode.POT_AWARD: Words(_GAME, "Share of the pot"),
    TransferCode.TAX: Words(_GAME, "Tax of a pot"),
    TransferCode.WIN_BONUS: Words(_BONUS, "Win bonus"),
    TransferCode.STAKE_REFUND: Words(_GAME, "Refund of a game that was called off"),
    TransferCode.PURCHASE: Words(_SHOP, "Bought in the shop"),
    TransferCode.ITEM_ISSUE: Words(_SHOP, "Bought in the shop"),
    TransferCode.ITEM_IN: Words(_GAME, "Brought into a game"),
    TransferCode.ITEM_USED: Words(_GAME, "Used up in a game"),
    TransferCode.ITEM_BACK: Words(_GAME, "Returned from a game that was called off"),
    TransferCode.BOT_FUNDING: Words(_GRANT, "Funding of a bot"),
    TransferCode.STIPEND: Words(_GRANT, "Daily stipend"),
    TransferCode.STIPEND_COVER: Words(_GRANT, "Made to pay daily stipends"),
    TransferCode.PRIZE: Words(_BONUS, "Weekly prize"),
    TransferCode.PRIZE_COVER: Words(_BONUS, "Made to pay weekly prizes"),
    TransferCode.REFERRAL: Words(_BONUS, "Bonus for inviting a player"),
    TransferCode.REFERRAL_COVER: Words(_BONUS, "Made to pay bonuses for inviting"),
    TransferCode.GAME_AWARD: Words(_GAME, "Award of a game"),
    TransferCode.ACCOUNT_CLOSED: Words(_CORRECTION, "Points of a deleted account"),
    TransferCode.REVERSAL: Words(_CORRECTION, "Reversal of an earlier line"),
    TransferCode.ADMIN_ADJUST: Words(_CORRECTION, "Correction by an administrator"),
}


def codes_of(kind: MovementKind) -> list[TransferCode]:
    """Return the codes of a kind."""
    return [code for code, words in WORDS.items() if words.kind is kind]


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
    """A transfer to be made: the same ``key`` is the same transfer, ``group`` joins moves that
    stand or fall together, ``cause`` is their subject.
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
    """Check a move without balances. Raises ledger/amount_out_of_range (True and 1.0 are no
    amounts), ledger/same_account, ledger/unit_mismatch, ledger/wrong_flow, ValueError for an empty
    or too long text.
    """
    if type(move.amount) is not int or not LEAST_AMOUNT <= move.amount <= MOST_AMOUNT:
        message = f"an amount is a whole number from {LEAST_AMOUNT} to {MOST_AMOUNT}"
        refuse("ledger/amount_out_of_range", message, least=LEAST_AMOUNT, most=MOST_AMOUNT)
    if move.debit == move.credit:
        refuse("ledger/same_account", "a transfer needs two accounts")
    if move.debit.unit != move.credit.unit:
        refuse("ledger/unit_mismatch", f"{move.debit.unit} does not turn into {move.credit.unit}")
    kinds = (move.debit.kind, move.credit.kind)
    is_owned_rightly = all(
        (ref.kind in HOUSE_KINDS) == (ref.owner == HOUSE) for ref in (move.debit, move.credit)
    )
    if FLOWS.get(move.code, kinds) != kinds or not is_owned_rightly:
        refuse("ledger/wrong_flow", f"{move.code} does not go from {kinds[0]} to {kinds[1]}")
    for text in (move.key, move.group, move.cause):
        if not 0 < len(text) <= LONGEST_TEXT:
            raise ValueError(f"key, group and cause have 1 to {LONGEST_TEXT} characters: {text!r}")


def require_same(earlier: Move, later: Move) -> None:
    """Check that two moves with one key are equal. Raises ``conflict``."""
    if earlier != later:
        refuse("conflict", "this key belongs to another transfer")
