"""Records journals of a game as it is played now; tests/games/journals.py says what for."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.test")
    django.setup()

    from tests.games.journals import record

    sys.stdout.writelines(f"{line}\n" for line in record(sys.argv[1]))
