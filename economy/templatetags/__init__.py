"""Template tags of points."""
