"""Services that change matches and the rows around them."""
