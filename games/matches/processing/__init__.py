"""The write path: submissions, batch, store, settlement, outage."""
