"""Signals about users. All are sent after the commit; a receiver's error undoes nothing."""

from functools import partial

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


def announce_session_end(session_key: str) -> None:
    """Send ``session_ended`` once the transaction has committed."""
    send = partial(session_ended.send_robust, sender=None, session_key=session_key)
    transaction.on_commit(send, robust=True)


def announce_revocation(user_id: int, reason: str) -> None:
    """Send ``user_revoked`` once the transaction has committed."""
    send = partial(user_revoked.send_robust, sender=None, user_id=user_id, reason=reason)
    transaction.on_commit(send, robust=True)


def announce_token_end(user_id: int) -> None:
    """Send ``token_revoked`` once the transaction has committed."""
    send = partial(token_revoked.send_robust, sender=None, user_id=user_id)
    transaction.on_commit(send, robust=True)


def announce_new_name(user_id: int, old: str, new: str) -> None:
    """Send ``user_renamed`` once the transaction has committed."""
    send = partial(user_renamed.send_robust, sender=None, user_id=user_id, old=old, new=new)
    transaction.on_commit(send, robust=True)
