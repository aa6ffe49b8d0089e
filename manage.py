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
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as problem:
        from rpsite.errors import is_unreachable

        if not is_unreachable(problem):
            raise
        refuse("DATABASE_URL must be the address of a database that can be reached.")


if __name__ == "__main__":
    main()
