"""Writers that run as processes of their own: ``python -m tests.platform.writers SECONDS KIND``.

Each line that a writer prints is how many seconds one write took, or ``locked``.
"""

import os
import sys
import time


def main(seconds: float, kind: str) -> None:
    """Write until the time is over; ``busy`` without a pause, ``calm`` every 20 ms."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "rpsite.settings.test"
    import django

    django.setup()
    from django.db import OperationalError, connection, transaction

    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("UPDATE tally SET writes = writes + 1 WHERE writer = %s", [kind])
                time.sleep(0.004 if kind == "busy" else 0)
            print(time.monotonic() - begun, flush=True)
        except OperationalError:
            print("locked", flush=True)
        if kind == "calm":
            time.sleep(0.02)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
