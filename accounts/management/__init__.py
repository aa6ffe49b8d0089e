"""What the site's owner does to accounts from a terminal."""
