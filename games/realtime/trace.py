"""The id under which everything is logged that follows from one request, frame or task. It is
random and made here: it is no secret, and no client chooses it.
Source: docs/how-to/run-a-site.md "Logs".
"""

import secrets
from contextvars import ContextVar
from typing import Final

#: The id of what is being done; "" outside of it.
trace: Final = ContextVar("trace", default="")


def new_id() -> str:
    """Return a new id, 8 hex digits."""
    return secrets.token_hex(4)
