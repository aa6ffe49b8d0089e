"""Users: names, log-in, sessions."""
