"""Posts: chat at a table, posts of games, rooms, notebooks."""
