"""Wiring: settings, processes, the database backend.  Nothing imports it."""
