"""Programs of ``./run``, and the rolling deployment; no part of the site."""
