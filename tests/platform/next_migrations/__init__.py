"""Migrations of contests as a version after 1.0 could have them."""
