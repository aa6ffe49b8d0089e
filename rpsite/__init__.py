"""Settings, processes and the database backend.  No other package imports it."""
