"""What ``./run test`` and ``./run check`` run; no part of the site."""
