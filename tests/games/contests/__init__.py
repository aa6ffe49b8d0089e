"""Contests on the site."""
