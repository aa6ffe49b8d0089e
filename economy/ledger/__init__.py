"""The only writer of transfers and balances.

A transfer takes an amount of one unit from the debit account and gives it to
the credit account, so every unit's sum is zero by construction.  To move units,
make a ``Plan`` inside an open transaction: it locks the accounts of all owners
concerned, in id order, checks each move against the balances in memory, and
writes everything at once.  ``post`` does that for one group.
"""

from economy.ledger.plan import Plan
from economy.ledger.posting import open_account, post, reverse
from economy.transfers import (
    TREASURY,
    AccountRef,
    Move,
    escrow,
    match_owner,
    mint,
    sink,
    stock,
    user_owner,
    wallet,
)

__all__ = [
    "TREASURY",
    "AccountRef",
    "Move",
    "Plan",
    "escrow",
    "match_owner",
    "mint",
    "open_account",
    "post",
    "reverse",
    "sink",
    "stock",
    "user_owner",
    "wallet",
]
