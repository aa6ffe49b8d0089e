"""Signals about users. All are sent after the commit; a receiver's error undoes nothing."""

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import Signal

#: A session has ended.  Arguments: session_key.
session_ended = Signal()

#: All sockets of a user must be closed.  Arguments: user_id, reason, which
#: is "banned" or "password".
user_revoked = Signal()

#: A program's token was revoked.  Arguments: user_id.
token_revoked = Signal()

#: A user has another name.  Arguments: user_id, old, new.
user_renamed = Signal()


def announce(signal: Signal, **what: Any) -> None:
    """Send a signal once the transaction has committed."""
    transaction.on_commit(partial(signal.send_robust, sender=None, **what), robust=True)
