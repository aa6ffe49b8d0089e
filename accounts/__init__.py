"""The Django application of users: names, log-in, sessions, tokens."""
