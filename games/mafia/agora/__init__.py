"""Agoran Mafia: nights and days in a town that does not know itself."""

#: The name in rows and addresses.
SLUG = "agora"
