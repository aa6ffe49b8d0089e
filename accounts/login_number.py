"""One number for all log-ins, raised by triggers when one may have ended early."""

from importlib import import_module
from typing import Any, Final

from django.conf import settings
from django.contrib.sessions.backends import db
from django.core.checks import CheckMessage, Error
from django.db import connections

from economy.sql import fetch
from economy.triggers import Trigger, TriggerSet, register

#: The number as part of another statement; NULL when no log-in has ended yet.
LOGIN_NUMBER: Final = "(SELECT number FROM accounts_loginnumber WHERE id = 1)"

# Every name in these texts is a constant.
# ruff: noqa: S608

SESSIONS: Final = "django_session"
USERS: Final = "accounts_user"
TOKENS: Final = "accounts_apitoken"

#: A row, not a sequence, so that it changes with the commit. Never an earlier value, even after a
#: flush or a restore: at least the time of its last raise, in milliseconds.
_RAISE: Final = (
    "INSERT INTO accounts_loginnumber (id, number) VALUES (1, {now})"
    " ON CONFLICT (id) DO UPDATE SET number = {most}(accounts_loginnumber.number + 1, {now})"
)
_RAISE_ON_SQLITE: Final = _RAISE.format(
    now="CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)", most="max"
)
_RAISE_ON_POSTGRESQL: Final = _RAISE.format(
    now="CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)", most="greatest"
)
#: Triggers on changes that end a log-in, besides the end of a session.
_ENDS: Final = {
    "accounts_user_changed": (
        USERS,
        (
            f"AFTER UPDATE OF password, is_active ON {USERS} FOR EACH ROW"
            " WHEN (OLD.password <> NEW.password OR OLD.is_active <> NEW.is_active)"
        ),
    ),
    "accounts_user_deleted": (USERS, f"AFTER DELETE ON {USERS} FOR EACH ROW"),
    "accounts_apitoken_revoked": (
        TOKENS,
        (
            f"AFTER UPDATE OF revoked_at ON {TOKENS} FOR EACH ROW"
            " WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)"
        ),
    ),
    "accounts_apitoken_deleted": (
        TOKENS,
        f"AFTER DELETE ON {TOKENS} FOR EACH ROW WHEN (OLD.revoked_at IS NULL)",
    ),
    "accounts_session_shortened": (
        SESSIONS,
        (
            f"AFTER UPDATE OF expire_date ON {SESSIONS} FOR EACH ROW"
            " WHEN (NEW.expire_date < OLD.expire_date)"
        ),
    ),
}
_ALWAYS, _EARLY = "accounts_login_ended", "accounts_sessions_deleted"

TRIGGERS: Final = register(
    TriggerSet(
        needs=frozenset({SESSIONS, USERS, TOKENS, "accounts_loginnumber"}),
        sqlite={
            name: Trigger(table, event, _RAISE_ON_SQLITE) for name, (table, event) in _ENDS.items()
        }
        | {
            # Removing an expired session ends no log-in.
            "accounts_session_deleted": Trigger(
                SESSIONS,
                f"AFTER DELETE ON {SESSIONS} FOR EACH ROW"
                " WHEN (OLD.expire_date > strftime('%Y-%m-%d %H:%M:%f', 'now'))",
                _RAISE_ON_SQLITE,
            )
        },
        postgresql={name: Trigger(table, event, _ALWAYS) for name, (table, event) in _ENDS.items()}
        | {
            "accounts_session_deleted": Trigger(
                SESSIONS,
                f"AFTER DELETE ON {SESSIONS} REFERENCING OLD TABLE AS gone FOR EACH STATEMENT",
                _EARLY,
            )
        }
        | {
            f"{table}_emptied": Trigger(
                table, f"AFTER TRUNCATE ON {table} FOR EACH STATEMENT", _ALWAYS
            )
            for table in (SESSIONS, USERS, TOKENS)
        },
        routines={
            _ALWAYS: f"BEGIN {_RAISE_ON_POSTGRESQL}; RETURN NULL; END",
            _EARLY: (
                "BEGIN IF EXISTS (SELECT 1 FROM gone WHERE expire_date > clock_timestamp()) THEN"
                f" {_RAISE_ON_POSTGRESQL}; END IF; RETURN NULL; END"
            ),
        },
    )
)


def login_number() -> int:
    """Return the committed number: one statement."""
    # Raw SQL: the ORM took 8.5 times the time (SQLite; 2.9 on PostgreSQL; 2026-11-27).
    ((number,),) = fetch(f"SELECT {LOGIN_NUMBER}")
    return number or 0


def remove_triggers(*, using: str, **_: Any) -> None:
    """Receive pre_migrate: remove the triggers, because a migration may rebuild their tables."""
    TRIGGERS.remove(connections[using])


def install_triggers(*, using: str, **_: Any) -> None:
    """Receive post_migrate: install the triggers."""
    connection = connections[using]
    if TRIGGERS.has_tables(connection):
        TRIGGERS.install(connection)


def check_sessions(**_: Any) -> list[CheckMessage]:
    """Check that sessions are in the database: triggers notice their end only there."""
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
