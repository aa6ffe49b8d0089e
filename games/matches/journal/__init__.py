"""Read-only access to journals: entries, replay and the cache of matches.
Source: docs/explanation/performance.md "The journal".
"""
