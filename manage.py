#!/usr/bin/env python3
"""Django's command line, by default with the settings of ``./run site``."""

import os
import sys


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.site")
    from rpsite.variables import refuse, require_settings

    require_settings()
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError, OperationalError

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as problem:
        from rpsite.errors import is_unreachable

        if isinstance(problem, OperationalError) and is_unreachable(problem):
            refuse("DATABASE_URL must be the address of a database that can be reached.")
        if not (sentence := _what_it_lacks()):
            raise
        sys.exit(sentence)


#: Commands that migrate: a database that lacks migrations explains no fault of theirs.
MIGRATING = ("migrate", "prepare", "up")


def _what_it_lacks() -> str:
    """Return in one sentence why the database cannot be used; empty: for another reason."""
    from django.core.management.base import CommandError
    from django.db import DatabaseError

    from rpsite.schema import require_present_schema

    try:
        require_present_schema()
    except CommandError as problem:
        return "" if sys.argv[1] in MIGRATING else str(problem)
    except DatabaseError as problem:
        return f"The database does not answer ({type(problem).__name__})."
    return ""


if __name__ == "__main__":
    main()
