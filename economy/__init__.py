"""The Django application of the ledger, the shop and the tunable numbers."""
