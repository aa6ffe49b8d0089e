"""Settings, processes and the database backend.  No other package imports it."""

#: The version of the site, as in pyproject.toml and CHANGELOG.md.
__version__ = "1.3.0"
