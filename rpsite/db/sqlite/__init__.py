"""Django's SQLite backend with a turnstile, so that writers take turns."""
