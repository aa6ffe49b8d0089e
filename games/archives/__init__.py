"""Archives: each journal of a match that ended long ago, packed into one row."""
