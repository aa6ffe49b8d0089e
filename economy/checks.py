"""Start-up checks of the economy."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections

from economy import guards


def check_guards(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report every database that has lost the guards of transfers or of records."""
    return [
        Error(
            f"The tables of {alias!r} that are only added to lack guards: {', '.join(lost)}.",
            hint="Run `manage.py audit_ledger --install-guards`, then `--whole`.",
            id="economy.E001",
        )
        for alias in databases or ()
        if guards.has_table(connections[alias]) and (lost := guards.missing(connections[alias]))
    ]
