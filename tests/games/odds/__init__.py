"""Odds and Evens: the smallest game that does everything, for the tests of the contract.

Two seats each name 1 or 2 in secret.  Even sum: seat 0 wins; odd: seat 1.  Who is late loses; both
late is a draw.  Whoever wins takes the other's stake.
"""

#: The name in rows and addresses.
SLUG = "odds"
