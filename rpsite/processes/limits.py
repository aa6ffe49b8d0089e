"""Limits of a web process, and of the time to stop it, for every server.

Source: docs/explanation/decisions/ "The web command".
"""

from typing import Final

#: Maximum length of a frame, in bytes.
LONGEST_FRAME: Final = 8192
#: Seconds.
PING_INTERVAL: Final = 15
PING_TIMEOUT: Final = 20
HTTP_TIMEOUT: Final = 60
#: Seconds from the signal until the live parts have stopped, and until the process is ended.
STOP_LIMIT: Final = 4.0
END_LIMIT: Final = 4.9
