"""Start-up checks of accounts."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.core.checks import CheckMessage, Error

from accounts.login_number import SESSIONS


def check_sessions(**_: Any) -> list[CheckMessage]:
    """Demand sessions in the database: elsewhere their end would go unnoticed."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    if issubclass(store, db.SessionStore) and store.get_model_class()._meta.db_table == SESSIONS:
        return []
    return [
        Error(
            f"SESSION_ENGINE {settings.SESSION_ENGINE!r} does not keep sessions in {SESSIONS}.",
            hint="Triggers on that table tell the live pages that a session has ended.",
            id="accounts.E001",
        )
    ]
