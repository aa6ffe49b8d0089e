"""Refusals of the ledger and the shop, each with a stable code."""

from typing import Any, ClassVar, Final, NoReturn

#: The codes of all refusals of the ledger and the shop that no code catches: code -> its meaning.
REFUSALS: Final = {
    "ledger/insufficient_stock": "A stock has too few of a weapon; detail: unit, missing",
    "ledger/amount_out_of_range": "An amount is not a whole number from 1 to 10**9; detail: least,"
    " most",
    "ledger/same_account": "A transfer would go from an account to itself",
    "ledger/unit_mismatch": "A transfer would turn one unit into another",
    "ledger/wrong_flow": "The transfer's code does not allow these kinds of accounts",
    "ledger/account_not_locked": "A plan uses an account whose owner it did not lock",
    "ledger/already_reversed": "The transfer is reversed already, or is itself a reversal",
    "limit": "More would pass a limit",
    "conflict": "This id was used for something else",
    "shop/unknown_item": "The shop has no such item",
    "shop/not_on_sale": "The item is not sold at the moment",
    "shop/bad_quantity": "The quantity is not a whole number from 1 to 99; detail: least, most",
    "shop/too_fast": "The buyer has made too many purchases within a minute; detail: most",
}


class LedgerError(Exception):
    """A movement was refused and nothing has changed; ``detail`` is safe to show its actor."""

    code = "ledger/refused"

    def __init__(self, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


def refuse(code: str, message: str, **detail: Any) -> NoReturn:
    refusal = LedgerError(message, **detail)
    refusal.code = code
    raise refusal


class InsufficientPoints(LedgerError):
    """A wallet, an escrow or the treasury would fall below 0; detail: missing, in points."""

    code = "ledger/insufficient_points"


class ShopError(LedgerError):
    """The shop refused a purchase."""

    code = "shop/refused"


class PriceChanged(ShopError):
    """The price has changed since the buyer saw it; detail: price, the new one in points."""

    code = "shop/price_changed"


class AdminActionError(Exception):
    """An administrator's action was refused; nothing has changed."""

    code: ClassVar[str]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
