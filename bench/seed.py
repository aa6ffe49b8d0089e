"""A process with the site's settings that fills its database: ``python -m bench.seed``.

Reads one task per line of JSON, and answers with one line each.  It writes by the site's services,
except for users, who need no passwords.
"""

import itertools
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 - settings come first
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.base import VALID_KEY_CHARS  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from django.utils.crypto import get_random_string  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.names import name_key  # noqa: E402
from accounts.tokens import make_token  # noqa: E402
from economy.ledger import open_account  # noqa: E402
from economy.models import Setting  # noqa: E402
from games import registry  # noqa: E402
from games.engine.table import COUNTDOWN  # noqa: E402
from games.ladder.models import Entrant  # noqa: E402
from games.ladder.rules.pairing import FIRST_MATCHES  # noqa: E402
from games.matches import services as matches  # noqa: E402
from games.matches.journal.loading import load, standing  # noqa: E402
from games.matches.journal.replay import replay_match  # noqa: E402
from games.matches.models import Entry, Match, WebProcess  # noqa: E402
from games.matches.processing import outage, repair, writing  # noqa: E402
from games.matches.processing.submissions import Submission  # noqa: E402
from games.matches.queries.audit import find_broken_journals  # noqa: E402
from games.proofs.commitments import sequence  # noqa: E402

_numbers = itertools.count(1)


class _Clock:
    """The clock of seeded actions; None: now."""

    at: datetime | None = None


_clock = _Clock()


def people(count: int) -> list[dict[str, Any]]:
    """Create users with wallets and sessions; return their ids and cookies."""
    with transaction.atomic():
        first = User.objects.count()
        return log_in(new_users([f"bench{first + n}" for n in range(count)]))


def new_users(names: Sequence[str]) -> list[User]:
    """Create users with wallets and without passwords."""
    users = User.objects.bulk_create(
        User(username=name, name_key=name_key(name), password=f"!{name}") for name in names
    )
    now = timezone.now()
    for user in users:
        open_account(user.pk, now)
    return users


def programs(count: int) -> list[str]:
    """Create programs that the ladder pairs with each other at once; return their tokens."""
    numbers = {"rest": 0, "hourly": 10_000, "daily": 100_000, "throws": 1_000_000, "programs": 1000}
    for name, value in numbers.items():
        Setting.objects.update_or_create(name=f"ladder.{name}", defaults={"value": value})
    users = new_users([f"program{no}" for no in range(count)])
    User.objects.filter(pk__in=[user.pk for user in users]).update(is_program=True)
    Entrant.objects.bulk_create(Entrant(user=user, rated=FIRST_MATCHES) for user in users)
    return [make_token(user=user, name="bench")[1] for user in users]


def log_in(users: Sequence[User]) -> list[dict[str, Any]]:
    """Create a session for each user; return the users' ids and cookies."""
    sessions = [_session(user) for user in users]
    Session.objects.bulk_create(sessions)
    name = settings.SESSION_COOKIE_NAME
    return [
        {"id": user.pk, "cookie": f"{name}={session.session_key}"}
        for user, session in zip(users, sessions, strict=True)
    ]


def _session(user: User) -> Session:
    store = SessionStore()
    data = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    return Session(
        session_key=get_random_string(32, VALID_KEY_CHARS),
        session_data=store.encode(data),
        expire_date=timezone.now() + timedelta(days=1),
    )


def games() -> list[str]:
    """Return the slugs of the registered games."""
    return list(registry.slugs())


def tables(
    users: list[list[int]], stage: str, game: str = "showdown", ago: float = 0, **options: Any
) -> list[dict[str, Any]]:
    """Open a table for each group of users.

    Stage ``seated`` is before anybody is ready, ``started`` when the game runs, ``round`` the
    first round of Showdown after the betting.  ``ago`` shifts all of it by seconds into the past.
    """
    seen_at = timezone.now() - timedelta(seconds=ago)
    # A game starts only some seconds after the last person sat down.
    _clock.at = seen_at - timedelta(milliseconds=COUNTDOWN)
    with transaction.atomic():
        opened = [_open(group[0], game, options) for group in users]
    # Nothing is dealt before that.
    while sequence():
        pass
    pairs = list(zip(opened, users, strict=True))
    purse = {"purse": 30} if game == "showdown" else {}
    seats = [
        (m, u, {"kind": "sit", "seat": no, **purse}) for m, g in pairs for no, u in enumerate(g)
    ]
    _act(seats)
    _clock.at = seen_at if ago else None
    if stage in ("started", "round"):
        _act([(m, user, {"kind": "ready", "configuration": 1}) for m, g in pairs for user in g])
    if stage == "round":
        _call_all(pairs)
    return [{"pk": match.pk, "public_id": match.public_id} for match in opened]


def long_duel(users: list[int]) -> dict[str, Any]:
    """Play a duel of 2,000 entries to its end: 19 ties, which do not count, before each win."""
    clock = {"best_of": 99, "no_ties": True, "clock_seconds": 120}
    (opened,) = tables([users], "started", "duel", **clock)
    match = Match.objects.get(pk=opened["pk"])
    for _ in range(50):
        ties = [(match, user, {"kind": "throw", "hand": "rock"}) for user in users] * 19
        hands = zip(users, ("paper", "rock"), strict=True)
        _act([*ties, *((match, user, {"kind": "throw", "hand": hand}) for user, hand in hands)])
    match.refresh_from_db()
    assert not match.is_live
    return {"public_id": match.public_id, "entries": match.action_count}


def _open(opener: int, game: str, options: dict[str, Any]) -> Match:
    user = User.objects.get(pk=opener)
    return matches.open_match(opened_by=user, options=options, at=_clock.at, game=game)


def _call_all(pairs: Sequence[tuple[Match, list[int]]]) -> None:
    """Call with all seats until the betting ends."""
    waiting = list(pairs)
    while waiting:
        calls, still = [], []
        present = standing(match.pk for match, _ in waiting)
        for match, group in waiting:
            turn = present[match.pk].state.play.turn
            if turn is not None:
                calls.append((match, group[turn], {"kind": "call"}))
                still.append((match, group))
        _act(calls)
        waiting = still


def _act(wanted: Sequence[tuple[Match, int, dict[str, Any]]]) -> None:
    submissions = [
        Submission(match.pk, action, f"seed-{next(_numbers):08d}", user)
        for match, user, action in wanted
    ]
    for first in range(0, len(submissions), writing.BATCH_LIMIT):
        result = writing.apply_batch(submissions[first : first + writing.BATCH_LIMIT], _clock.at)
        for answer in result.answers:
            if answer.error is not None:
                raise answer.error


def many_matches(like: int, count: int) -> None:
    """Fill the table with copies of a match whose clocks are far in the future."""
    later = timezone.now() + timedelta(days=1)
    (origin,) = Match.objects.filter(pk=like).values()
    taken = {"id", "public_id"}
    fields = {name: value for name, value in origin.items() if name not in taken}
    fields |= {"due_at": later, "wake_at": later}
    for first in range(0, count, 2000):
        Match.objects.bulk_create(Match(**fields) for _ in range(min(2000, count - first)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def seconds_left(game: str) -> float:
    """Return the seconds until the last clock of a game's matches passes."""
    last = Match.objects.filter(game=game, due_at__isnull=False).latest("due_at").due_at
    assert last is not None
    return (last - timezone.now()).total_seconds()


def work_off(game: str) -> None:
    """Wait until all passed clocks of a game's matches have been processed."""
    while Match.objects.filter(game=game, due_at__lte=timezone.now()).exists():
        time.sleep(0.1)


def sweep(rounds: int) -> list[float]:
    """Sweep as the web process does each second; return the seconds of each sweep."""
    # Delete the heartbeats, so that the time of filling the tables is no outage.
    WebProcess.objects.all().delete()
    outage.open_process()
    taken = []
    for _ in range(rounds):
        outage.beat()
        begun = time.perf_counter()
        for part in repair.SWEEP:
            part()
        taken.append(time.perf_counter() - begun)
    return taken


def stored_ids(prefix: str) -> list[str]:
    """Return the ids of all stored actions with this prefix."""
    rows = Entry.objects.filter(action_id__startswith=prefix)
    return list(rows.values_list("action_id", flat=True))


def broken() -> dict[str, int]:
    """Count the matches with broken journals, and the entries by which checkpoints are behind.

    A valid journal has numbers without gaps; replaying it from the checkpoint and from the opening
    gives the same bytes and the stored facts.
    """
    found, behind = set[str](find_broken_journals(None)), 0
    for match in Match.objects.iterator():
        replay, standing = replay_match(match), load([match.pk]).get(match.pk)
        behind = max(behind, match.action_count - match.state_no)
        texts = None if standing is None else standing.table.encode(standing.state)
        if not replay.is_same or texts != (replay.table, replay.state):
            found.add(f"match {match.pk}")
    return {"broken": len(found), "behind": behind}


def main(tasks: Mapping[str, Any]) -> None:
    """Run the tasks from standard input, which are functions by name."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Other output goes to the log.
    for line in sys.stdin:
        name, given = json.loads(line)
        out.write(json.dumps(tasks[name](**given)) + "\n")
        out.flush()


if __name__ == "__main__":
    main(globals())
