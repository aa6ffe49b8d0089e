"""The events' template tags."""
