"""The load's process with the site's settings and database: ``python -m bench.load.seed``.

It makes accounts and ends them, says which web processes are live, looks acknowledged actions up,
and copies towns.  It answers as ``bench.seed`` does, which sets Django up.
"""

import socket
from datetime import timedelta
from typing import Any, Final

from bench import seed  # isort: skip
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import make_token
from economy.models import Account
from economy.transfers import user_owner
from economy.units import AccountKind, Unit
from games.engine.draws import commitment
from games.events import services
from games.events.models import Entrant, Event, Meeting
from games.matches.journal.reading import all_entries
from games.matches.models import Match, Seat, WebProcess
from games.matches.models.matches import new_public_id
from games.proofs.commitments import sequence

#: Names, unusable passwords and tokens of the load's accounts begin with it.
NAME: Final = "loadtest"
#: Points with which somebody can sit down anywhere.
ENOUGH: Final = 100
#: A web process whose heartbeat is older has ended.
FRESH: Final = timedelta(seconds=10)
AT_ONCE: Final = 500
#: Accounts that are made in one transaction.
PORTION: Final = 20
#: Citizens of a town, and the seconds of its phases.
CITIZENS, WEEK = 5, 7 * 24 * 3600


def people(count: int, programs: int) -> list[dict[str, Any]]:
    """Return accounts with sessions, the first ``programs`` of them with tokens.

    Accounts of earlier runs are used again if they have points and no game.
    """
    users = _free(count)
    last = User.objects.filter(username__startswith=NAME).count()
    names = [f"{NAME}{last + n}" for n in range(count - len(users))]
    # In portions: on SQLite a transaction makes the running site wait.
    for first in range(0, len(names), PORTION):
        with transaction.atomic():
            users += seed.new_users(names[first : first + PORTION])
    found = [
        account
        for first in range(0, len(users), PORTION)
        for account in seed.log_in(users[first : first + PORTION])
    ]
    for user, account in zip(users[:programs], found, strict=False):
        account["token"] = make_token(user=user, name=NAME)[1]
    return found


def _free(count: int) -> list[User]:
    """Return the load's users who have points and no seat in a live match."""
    busy = Seat.objects.filter(match__status__in=Match.LIVE).values("user")
    ours = User.objects.filter(username__startswith=NAME, password__startswith=f"!{NAME}")
    wallets = Account.objects.filter(kind=AccountKind.WALLET, unit=Unit.POINT)
    rich = set(wallets.filter(balance__gte=ENOUGH).values_list("owner", flat=True))
    free = ours.filter(is_active=True).exclude(pk__in=busy).order_by("pk")
    return [user for user in free if user_owner(user.pk) in rich][:count]


def leave(users: list[int], cookies: list[str]) -> None:
    """End the sessions and tokens of a run."""
    keys = [cookie.partition("=")[2] for cookie in cookies]
    for first in range(0, len(keys), AT_ONCE):
        Session.objects.filter(session_key__in=keys[first : first + AT_ONCE]).delete()
    tokens = ApiToken.objects.filter(name=NAME, revoked_at=None)
    for first in range(0, len(users), AT_ONCE):
        some = tokens.filter(user__in=users[first : first + AT_ONCE])
        some.update(revoked_at=timezone.now())


def web_pids() -> list[int]:
    """Return the ids of the live web processes on this machine."""
    live = WebProcess.objects.filter(closed_at=None, beat_at__gte=timezone.now() - FRESH)
    names = [name.rpartition(":") for name in live.values_list("name", flat=True)]
    return [int(pid) for host, _, pid in names if host == socket.gethostname()]


def lost(acked: dict[str, list[str]]) -> int:
    """Return how many of the acknowledged actions (ids by match) are in no journal."""
    count = 0
    rows = Match.objects.filter(public_id__in=acked)
    found = {
        public_id: (pk, last)
        for public_id, pk, last in rows.values_list("public_id", "pk", "action_count")
    }
    for public_id, ids in acked.items():
        pk, last = found.get(public_id, (0, 0))
        count += len(set(ids) - {entry.action_id for entry in all_entries(pk, last)})
    return count


def train(users: list[int], seconds: float) -> dict[str, Any]:
    """Make a Train that begins in some seconds, with these users registered."""
    now = timezone.now()
    event = services.make(
        name="Load", opens_at=now, starts_at=now + timedelta(seconds=seconds), now=now
    )
    Entrant.objects.bulk_create(
        Entrant(event=event, user_id=user, entered_at=now) for user in users
    )
    return {"event": event.pk, "at": event.starts_at.timestamp()}


def is_live(event: int) -> bool:
    """Whether a Train is not over."""
    return Event.objects.get(pk=event).is_live


def course(event: int) -> list[dict[str, Any]]:
    """Return the stations of a Train: the last result, and who meets whom by user and name."""
    meetings = Meeting.objects.filter(event=event, match__isnull=False).order_by("station")
    found: dict[int, dict[str, Any]] = {}
    for each in meetings.select_related("match", "first__user", "second__user"):
        assert each.match is not None
        users = [side.user for side in (each.first, each.second) if side is not None]
        ended = each.match.ended_at.timestamp() if each.match.ended_at else 0.0
        station = found.setdefault(each.station, {"no": each.station, "last": 0.0, "meets": []})
        station["last"] = max(station["last"], ended)
        station["meets"] += [f"{one.pk} {other.username}" for one, other in (users, users[::-1])]
    return list(found.values())


def towns(count: int, users: list[int]) -> None:
    """Add games of Agoran Mafia whose nights end in the next seven days.

    Every town is a copy of one that was played by the services, with a public id, a commitment and
    citizens of its own: its journal replays to its state.
    """
    options = {"seats": CITIZENS, "phase_seconds": WEEK}
    (first,) = seed.tables([users[:CITIZENS]], "started", "agora", **options)
    before = Match.objects.aggregate(last=Max("pk"))["last"]
    for begin in range(0, count, AT_ONCE * 4):
        _copy_matches(first["pk"], min(AT_ONCE * 4, count - begin))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE citizen (no integer PRIMARY KEY, user_id bigint)")
        rows = [f"({number}, {int(user)})" for number, user in enumerate(users)]
        for begin in range(0, len(rows), AT_ONCE):
            part = ", ".join(rows[begin : begin + AT_ONCE])
            cursor.execute(f"INSERT INTO citizen (no, user_id) VALUES {part}")
        given = {"origin": first["pk"], "after": before, "people": len(users), "seats": CITIZENS}
        with transaction.atomic():
            cursor.execute(_SEATS, given)
            cursor.execute(_ENTRIES, given)
        if connection.vendor == "postgresql":
            # As its autovacuum does later; nothing does so on SQLite.
            cursor.execute("ANALYZE")
    while sequence(is_whole=True):
        pass


def _copy_matches(origin: int, count: int) -> None:
    (found,) = Match.objects.filter(pk=origin).values()
    values: dict[str, Any] = {name: value for name, value in found.items() if name != "id"}
    now = timezone.now()
    copies = []
    for number in range(count):
        public_id, due_at = new_public_id(), now + timedelta(seconds=WEEK * (number + 1) / count)
        own = {"public_id": public_id, "due_at": due_at, "wake_at": due_at}
        own["opened_at"] = due_at - timedelta(seconds=WEEK)
        own["seed_commitment"] = commitment(values["seed"], public_id, values["rules_version"])
        copies.append(Match(**values | own))
    Match.objects.bulk_create(copies)


#: The seats of copied towns: neighbours in the list of users, so that nobody sits twice.
_SEATS: Final = """
    INSERT INTO games_seat (match_id, no, user_id, net, result, rating, rating_change, bonus, award,
        y_award, timed_out_at, has_played, has_left, seen_at)
    SELECT town.id, seat.no, citizen.user_id, seat.net, seat.result, seat.rating,
        seat.rating_change, seat.bonus, seat.award, seat.y_award, seat.timed_out_at,
        seat.has_played, seat.has_left, seat.seen_at
    FROM games_match AS town
    JOIN games_seat AS seat ON seat.match_id = %(origin)s
    JOIN citizen ON citizen.no = (town.id * %(seats)s + seat.no) %% %(people)s
    WHERE town.id > %(after)s
"""
#: Their entries; who acted or sat down in the original is who has the same seat in the copy.
_ENTRIES: Final = """
    INSERT INTO games_entry (match_id, no, actor_id, seat, sitter_id, action_id, action, asked,
        phase, facts, at_ms, last_seq, last_public, is_whole)
    SELECT town.id, entry.no, actor.user_id, entry.seat, sitter.user_id, entry.action_id,
        entry.action, entry.asked, entry.phase, entry.facts, entry.at_ms, entry.last_seq,
        entry.last_public, entry.is_whole
    FROM games_match AS town
    JOIN games_entry AS entry ON entry.match_id = %(origin)s
    LEFT JOIN games_seat AS old_actor
        ON old_actor.match_id = entry.match_id AND old_actor.user_id = entry.actor_id
    LEFT JOIN games_seat AS actor ON actor.match_id = town.id AND actor.no = old_actor.no
    LEFT JOIN games_seat AS old_sitter
        ON old_sitter.match_id = entry.match_id AND old_sitter.user_id = entry.sitter_id
    LEFT JOIN games_seat AS sitter ON sitter.match_id = town.id AND sitter.no = old_sitter.no
    WHERE town.id > %(after)s
"""


if __name__ == "__main__":
    seed.main(globals())
