"""Arena: rock-paper-scissors for everyone at once."""

#: The name in rows and URLs.
SLUG = "arena"
