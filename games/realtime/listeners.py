"""Signal handlers: close sockets when a session or token ends or a user is banned elsewhere."""

from typing import Any

from accounts.signals import session_ended, token_revoked, user_revoked
from games.realtime import runtime


def connect() -> None:
    """Connect the handlers to the accounts' signals."""
    session_ended.connect(_end_session)
    user_revoked.connect(_revoke_user)
    token_revoked.connect(_revoke_user)


def _end_session(session_key: str, **options: Any) -> None:
    running = runtime.current()
    if running is not None:
        running.end_session(session_key)


def _revoke_user(user_id: int, **options: Any) -> None:
    running = runtime.current()
    if running is not None:
        running.revoke_user(user_id)
        # Free a banned user's seat without waiting for the worker.
        running.writer.sweep()
