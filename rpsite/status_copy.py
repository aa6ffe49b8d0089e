"""A copy of the status page as a file, which nginx serves while no web process answers. Beat writes
it with each of its notes, with or without a database. Source: docs/how-to/run-a-site.md "The status
page".
"""

import logging
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string

from rpsite.status import status

log = logging.getLogger(__name__)


def copy_path() -> Path:
    """Return the file of the copy, in ``SITE_VAR``."""
    return Path(settings.VAR) / "status.html"


def write_copy() -> None:
    """Write the copy again; on a full disk the former one stays."""
    path = copy_path()
    draft = path.with_suffix(".new")
    try:
        draft.write_text(
            render_to_string("pages/status.html", {"status": status(), "is_copy": True}), "utf-8"
        )
        draft.replace(path)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        log.warning("the copy of the status page could not be written: %s", type(problem).__name__)
