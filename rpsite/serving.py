"""Database limits of the web process and the worker."""

from typing import Final

from django.db import connections

#: Not in the settings, because migrations and audits may take longer.
LIMITS: Final = (
    "-c lock_timeout=2000 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000"
)


def limit_statements() -> None:
    """Limit the time of statements on PostgreSQL, in seconds; call before connecting."""
    for connection in connections.all():
        if connection.vendor == "postgresql":
            connection.settings_dict["OPTIONS"]["options"] = LIMITS
