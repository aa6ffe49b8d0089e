"""Matches: their rows, journals, write path, queries, services and pages."""
