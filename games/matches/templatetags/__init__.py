"""What the pages of games use in templates."""
