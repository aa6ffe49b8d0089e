"""The reading API: what the site knows in public, and a user's own data, as JSON."""
