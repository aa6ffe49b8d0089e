"""What is different in the processes that answer people: the web process and the worker."""

from typing import Final

from django.db import connections

#: Migrations and audits may take longer, so these are not in the settings.
LIMITS: Final = (
    "-c lock_timeout=2000 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000"
)


def limit_statements() -> None:
    """Let statements on PostgreSQL end after seconds; call before anything connects."""
    for connection in connections.all():
        if connection.vendor == "postgresql":
            connection.settings_dict["OPTIONS"]["options"] = LIMITS
