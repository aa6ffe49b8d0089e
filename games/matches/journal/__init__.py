"""A match is its journal: entries, the matches that are held, and how they stand.  Nothing writes.

Source: docs/performance.md "The journal".
"""
