"""What can be done with matches; nothing else writes them."""
