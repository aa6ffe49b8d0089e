"""Agoran Mafia: nights and days in a town in which citizens do not know each other's roles."""

#: The name in rows and addresses.
SLUG = "agora"
