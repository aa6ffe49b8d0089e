"""Read-only queries: snapshots, views, lists, records, ratings."""
