"""The scenarios, one per file."""
