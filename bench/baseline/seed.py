"""A process that fills the plain project's database; the same tasks as ``bench.seed``."""

import json
import os
import sys
from typing import Any

import django

django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402

from bench.baseline.models import Match  # noqa: E402


def people(count: int) -> list[dict[str, Any]]:
    """Create the tables, then users with sessions; return their ids and cookies."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    with transaction.atomic():
        users = User.objects.bulk_create(
            User(username=f"bench{n}", password=f"!{n}") for n in range(count)
        )
        return [{"id": user.pk, "cookie": f"sessionid={_session(user)}"} for user in users]


def _session(user: User) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def tables(users: list[list[int]], **ignored: Any) -> list[dict[str, Any]]:
    """Create a duel for each pair."""
    state = {"throw": 1, "hands": [None, None], "wins": [0, 0], "throws": []}
    found = Match.objects.bulk_create(
        Match(first_id=one, second_id=two, state=state) for one, two in users
    )
    return [{"pk": match.pk, "public_id": str(match.pk)} for match in found]


def main() -> None:
    """Run the tasks from standard input."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        name, given = json.loads(line)
        out.write(json.dumps(globals()[name](**given)) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
