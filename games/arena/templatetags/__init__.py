"""The arena's template tags."""
