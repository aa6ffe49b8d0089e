"""How Showdown's bots decide."""
