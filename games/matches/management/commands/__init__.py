"""Management commands of the games."""
