"""The name of one start of a process, by which its starter knows its own child again. A program
that listens on the same port, or a former process of the same unit, has another one.
"""

import hashlib
import os
from typing import Final

#: The runner sets the first one for each start; systemd sets the second.
VARIABLE: Final = "SITE_START"
_OF_SYSTEMD: Final = "INVOCATION_ID"


def start_token(start: str) -> str:
    """Return the token of a start: a hash, so that nothing of the environment is told."""
    return hashlib.sha256(start.encode()).hexdigest()[:16] if start else ""


def own_token() -> str:
    """Return the token of this process's start; "" if nobody has named it."""
    return start_token(os.environ.get(VARIABLE) or os.environ.get(_OF_SYSTEMD, ""))
