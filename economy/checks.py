"""Start-up checks of the economy."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections

from economy import triggers


def check_guards(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report every database that lacks triggers on which the site relies."""
    return [
        Error(
            f"The database {alias!r} lacks guards: {', '.join(lost)}.",
            hint="Run `manage.py audit_ledger --install-guards`, then `--whole`.",
            id="economy.E001",
        )
        for alias in databases or ()
        if (lost := triggers.all_missing(connections[alias]))
    ]
