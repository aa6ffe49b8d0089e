"""Runs commands on a site's data, one after the other: Django starts once for all of them.

Reads a command and its arguments as JSON, a line each; answers with its exit code and its words.
"""

import contextlib
import io
import json
import sys
import traceback
from typing import Any

import django
from django.conf import settings


def run(arguments: list[str]) -> dict[str, Any]:
    """Run a command; return its exit code and all that it printed."""
    from django.core.management import call_command

    said, code = io.StringIO(), 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            call_command(*arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        except Exception:
            traceback.print_exc()
            code = 1
    return {"code": code, "said": said.getvalue()}


if __name__ == "__main__":
    django.setup()
    # Games that a command starts wait for no sequencer.
    settings.DEAL_AFTER_LOG = False
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
