"""Odds and Evens: the smallest game with all features, for the tests of the contract.

Two seats each name 1 or 2 in secret.  Even sum: seat 0 wins; odd: seat 1.  A late seat loses; if
both are late, it is a draw.  The winner takes the other's stake.
"""

#: The name in rows and addresses.
SLUG = "odds"
