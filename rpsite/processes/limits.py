"""What a web process allows and how long its end takes, whichever server it runs.

Source: docs/explanation/decisions/ "The web command".
"""

from typing import Final

#: Bytes of a frame.
LONGEST_FRAME: Final = 8192
#: Seconds.
PING_INTERVAL: Final = 15
PING_TIMEOUT: Final = 20
HTTP_TIMEOUT: Final = 60
#: Seconds from the signal: the live parts, then the end in any case.
STOP_LIMIT: Final = 4.0
END_LIMIT: Final = 4.9
