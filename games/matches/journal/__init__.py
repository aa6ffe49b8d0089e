"""Read-only access to journals: entries, replay and the cache of matches."""
