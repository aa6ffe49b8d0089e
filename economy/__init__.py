"""Points, weapons and who holds them: a ledger, a shop, tunable numbers."""
