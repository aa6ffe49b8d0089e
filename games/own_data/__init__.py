"""A user's own data: export, deletion, new names in old journals."""
