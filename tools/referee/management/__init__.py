"""Management commands of the referee."""
