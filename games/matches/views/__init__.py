"""Views and forms common to all games."""
