"""Read-only queries: snapshots, views, lists, ratings."""
