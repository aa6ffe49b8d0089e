"""``./run load``: people of all games against a running site; see bench/README.md."""
