"""Refusals of the ledger and the shop, each with a stable code."""

from typing import Any, ClassVar


class LedgerError(Exception):
    """A movement was refused and nothing has changed; ``detail`` is safe to show its actor."""

    code: ClassVar[str] = "ledger/refused"

    def __init__(self, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class InsufficientPoints(LedgerError):
    """A wallet, an escrow or the treasury would fall below 0; detail: missing, in points."""

    code = "ledger/insufficient_points"


class InsufficientStock(LedgerError):
    """A stock has too few of a weapon; detail: unit, missing."""

    code = "ledger/insufficient_stock"


class AmountOutOfRange(LedgerError):
    """An amount is not a whole number from 1 to 10**9; detail: least, most."""

    code = "ledger/amount_out_of_range"


class SameAccount(LedgerError):
    """A transfer would go from an account to itself."""

    code = "ledger/same_account"


class UnitMismatch(LedgerError):
    """A transfer would turn one unit into another."""

    code = "ledger/unit_mismatch"


class WrongFlow(LedgerError):
    """The transfer's code does not allow these kinds of accounts."""

    code = "ledger/wrong_flow"


class AccountNotLocked(LedgerError):
    """A plan uses an account whose owner it did not lock."""

    code = "ledger/account_not_locked"


class AlreadyReversed(LedgerError):
    """The transfer is reversed already, or is itself a reversal."""

    code = "ledger/already_reversed"


class LimitReached(LedgerError):
    """A balance would pass 10**12."""

    code = "limit"


class LedgerConflict(LedgerError):
    """The key belongs to a transfer with other content."""

    code = "conflict"


class ShopError(LedgerError):
    """The shop refused a purchase."""

    code = "shop/refused"


class UnknownItem(ShopError):
    """The shop has no such item."""

    code = "shop/unknown_item"


class NotOnSale(ShopError):
    """The item is not sold at the moment."""

    code = "shop/not_on_sale"


class BadQuantity(ShopError):
    """The quantity is not a whole number from 1 to 99; detail: least, most."""

    code = "shop/bad_quantity"


class PriceChanged(ShopError):
    """The price has changed since the buyer saw it; detail: price, the new one in points."""

    code = "shop/price_changed"


class TooManyPurchases(ShopError):
    """The buyer has made too many purchases within a minute; detail: most."""

    code = "shop/too_fast"


class AdminActionError(Exception):
    """An administrator's action was refused; nothing has changed."""

    code: ClassVar[str]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
