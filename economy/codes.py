"""Codes of transfers, and the kinds of accounts that each may connect."""

from collections.abc import Mapping
from typing import Final

from django.db.models import TextChoices

from economy.units import AccountKind


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
