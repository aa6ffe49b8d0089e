"""Read access to matches; only ``match_view`` builds the view of one, for its viewer."""

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Final

from django.db import connection
from django.db.models import (
    BigIntegerField,
    CharField,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    Window,
)
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone

from accounts.devices import company_of
from accounts.models import User
from accounts.shared import Shared, Shown
from economy.selectors import belongings_of, setting
from economy.sql import Compiled, Given, GivenMany, fetch, is_any, read_rows
from games import registry
from games.engine.facts import instant, iso
from games.engine.structs import replace
from games.matches.journal.loading import awake, known_at, standing
from games.matches.journal.snapshots import Snapshot, sitter_of
from games.matches.models import Match, Post, Presence, Seat, WebProcess
from games.matches.models.matches import OFFERED
from games.matches.queries.addresses import match_url
from games.matches.queries.match_view import match_view  # noqa: F401 - read with the others
from games.matches.queries.own import Own, read_own
from games.matches.queries.ratings import Scales

log = logging.getLogger(__name__)

AT_ONCE = 50
#: So long only the worker fires due slow games, because its load delays no player.
HEAD_START = timedelta(seconds=8)
#: How long a stalled clock waits for a player to come back.
PATIENCE = timedelta(minutes=3)
#: A heartbeat younger than this is fresh: the process is alive.
FRESH = timedelta(seconds=3)
LOBBY_LIMIT = 100
#: The most open seats on the front page without JavaScript.
OPEN_SHOWN: Final = 12
#: The columns of a match that its row in a list needs: without the state, which is long.
_SHOWN: Final = (
    *("public_id", "game", "title", "status", "table", "summary"),
    *("spectators", "mark", "begins_at", "invited"),
)


def snapshots(match_ids: Iterable[int], rows: Sequence[Match] = ()) -> dict[int, Snapshot]:
    """Load matches with all data for their views: seven queries at most, one less with their
    ``rows``, just read.
    """
    found = standing(match_ids, rows)
    users = {user_id for cached in found.values() for user_id in cached.seating.accounts}
    owned = belongings_of(users) if users else {}
    over = [pk for pk, cached in found.items() if cached.match.successor_id is not None]
    following = Match.objects.filter(predecessor__in=over).values_list("predecessor", "public_id")
    successors, scales = dict(following if over else ()), Scales()
    return {
        pk: replace(
            cached,
            sitters={no: sitter_of(seat, owned[seat.user_id]) for no, seat in cached.seats.items()},
            successor=successors.get(pk),
            news=None,
            is_old_scale=cached.match.ended_at is not None and scales.is_old(cached.match),
        )
        for pk, cached in found.items()
    }


def snapshot_of(match: Match) -> Snapshot:
    """Load one match with all data for its views; raises LookupError."""
    return snapshots([match.pk])[match.pk]


def find_match(public_id: str) -> Match | None:
    return next(iter(_CALLED.objects(Match, public_id=public_id)), None)


_CALLED: Final = Compiled(lambda: Match.objects.filter(public_id=Given("public_id", CharField())))


def may_watch(match: Match, user_id: int | None) -> bool:
    """Whether a user may watch a match: its players, and others unless it forbids them."""
    if known := known_at(match):
        sitters = {seat.user_id for seat in known.seats.values() if not seat.user.is_bot}
    else:
        sitters = {sitter for (sitter,) in _SITTERS.rows(match=match.pk)}
    if user_id in sitters:
        return True
    # A private table is open to every user who knows its URL.
    if not allows_spectators(match) or not (match.listed or user_id is not None):
        return False
    return user_id is None or not _hears_for(user_id, sitters, match)


_SITTERS: Final = Compiled(
    lambda: (
        Seat.objects.filter(match=Given("match", BigIntegerField()), user__is_bot=False)
        .order_by()
        .values_list("user_id")
    )
)


def has_played(match: Match, user_id: int | None) -> bool:
    """Whether a user has a seat of a match, or had one until somebody took it over."""
    rows = (match.seats, match.replaced)
    return user_id is not None and any(each.filter(user=user_id).exists() for each in rows)


def allows_spectators(match: Match) -> bool:
    """Whether users without a seat may watch: before the start always."""
    return match.spectators or match.status == Match.Status.OPEN


def _hears_for(user_id: int, sitters: set[int], match: Match) -> bool:
    # Where roles are hidden one person could read for two, from a player's device.
    game = registry.find(match.game)
    if match.status != Match.Status.RUNNING or not getattr(game, "hides_presence", False):
        return False
    since = timezone.now() - timedelta(days=setting("fair.device_days"))
    found = company_of(user_id, sitters, since).by_device
    if found:
        log.warning("user %d may not watch match %d: same device", user_id, match.pk)
    return bool(found)


@lru_cache(2048)
def read_summary(stored: str) -> Mapping[str, Any]:
    """Decode a match's stored summary; the result must not be changed."""
    summary: Mapping[str, Any] = json.loads(stored)
    return summary


def lobby() -> dict[str, list[dict[str, Any]]]:
    """Return each game's listed live matches, at most 100: open ones first, then the newest."""
    games = tuple(game.slug for game in registry.tables())
    if not games:
        return {}
    newest: dict[tuple[str, str], list[Match]] = defaultdict(list)
    text, given = _newest(games, LOBBY_LIMIT, connection.vendor)
    for row in sorted(Match.objects.raw(text, given), key=attrgetter("pk"), reverse=True):
        newest[row.game, row.status].append(row)
    found: dict[str, list[Any]] = {slug: [] for slug in games}
    for slug, rows in found.items():
        for status in Match.LIVE:
            rows += _by_turns(newest[slug, status], slug, status, LOBBY_LIMIT - len(rows))
    return {slug: [_row(row, row.watching) for row in rows] for slug, rows in found.items()}


def _listed(slug: str, status: str) -> QuerySet[Match]:
    here = Presence.objects.filter(match=OuterRef("pk"), process__closed_at=None)
    spectators = here.values("match").annotate(sum=Sum("spectators")).values("sum")
    rows = Match.objects.filter(OFFERED, game=slug, status=status).only(*_SHOWN)
    return rows.annotate(watching=Coalesce(Subquery(spectators), 0))


# Raw SQL: the ORM's statements took 5.9 times the time for 20 matches (SQLite; 3.6 on PostgreSQL;
# 2026-11-27).  Its own ``union`` has no limit for each part on SQLite.
@cache
def _newest(games: Sequence[str], limit: int, vendor: str) -> tuple[str, list[Any]]:
    """Return the statement for one listed match more than ``limit`` of each game and status. Each
    part reads only these rows, in the order of the index.
    """
    parts = [
        _listed(slug, status).order_by("-pk")[: limit + 1].query.sql_with_params()
        for slug in games
        for status in Match.LIVE
    ]
    text = " UNION ALL ".join(f"SELECT * FROM ({part}) p{no}" for no, (part, _) in enumerate(parts))  # noqa: S608
    return text, [value for _, given in parts for value in given]


class ShownLobby(Shown):
    """The lists, with the rows of the fullest open tables, and whether a game can be watched."""

    def __init__(self, lists: Mapping[str, list[dict[str, Any]]]) -> None:
        super().__init__(lists)
        rows = [row for each in lists.values() for row in each]
        free = [row for row in rows if row["free"] > 0]
        self.open_now = sorted(free, key=lambda row: -len(row["players"]))[:OPEN_SHOWN]
        self.is_watchable = any(row["status"] == "running" and row["spectators"] for row in rows)


shown_lobby: Final = Shared(lambda: ShownLobby(lobby()))


def _by_turns(newest: list[Match], slug: str, status: str, limit: int) -> list[Match]:
    """Return the newest matches, at most ``limit``; of too many, one of each opener first."""
    if len(newest) <= limit:
        return newest
    # A rematch has no opener.
    opener = Coalesce("opened_by", F("pk") * -1)
    turn = Window(RowNumber(), partition_by=opener, order_by="-pk")
    chosen = _listed(slug, status).annotate(turn=turn).order_by("turn", "-pk")[:limit]
    return sorted(chosen, key=attrgetter("pk"), reverse=True)


def matches_of(user: User) -> dict[str, list[dict[str, Any]]]:
    """Return a user's live matches by game; ``is_dead``: the seat has no more part."""
    return rows_of(read_own(user.pk))


def rows_of(own: Own) -> dict[str, list[dict[str, Any]]]:
    """Return the same of what was read already."""
    found: dict[str, list[dict[str, Any]]] = {game.slug: [] for game in registry.tables()}
    for own_match in own.matches:
        row, seat = own_match.row, own_match.seat
        if seat is not None:
            is_dead = seat in read_summary(row.summary).get("dead", ())
            found[row.game].append({**_row(row, 0), "is_dead": is_dead})
    return found


def _row(match: Match, watching: int) -> dict[str, Any]:
    options = json.loads(match.table)["options"]
    summary = read_summary(match.summary)
    taken = len(summary.get("players", []))
    begins_at, is_open = match.begins_at, match.status == Match.Status.OPEN
    free = options["seats"] - taken if is_open else 0
    return {
        "public_id": match.public_id,
        "game": match.game,
        "url": match_url(match),
        "title": match.title,
        "status": match.status,
        "seats": options["seats"],
        "begins_at": iso(instant(begins_at)) if begins_at and is_open else None,
        "players": summary.get("players", []),
        "open_seats": summary.get("open_seats", 0),
        "free": 0 if match.invited_id else free + summary.get("open_seats", 0),
        "spectators": match.spectators,
        "watching": watching,
        "mark": match.mark,
        **registry.table(match.game).lists.row(options, summary),
    }


def posts(match_id: int, *, after: int = 0) -> list[Post]:
    """Return the last 50 lines of a match's chat after a serial number, oldest first."""
    found = _LAST_POSTS.objects(Post, match=match_id, after=after)[::-1]
    authors = {post.user_id for post in found}
    users = {user.pk: user for user in read_rows(User, "id", authors)} if authors else {}
    for post in found:
        post.user = users[post.user_id]
    return found


_LAST_POSTS: Final = Compiled(
    lambda: Post.objects.filter(
        match=Given("match", BigIntegerField()), serial__gt=Given("after", BigIntegerField())
    ).order_by("-serial")[:50]
)


def presences(match_ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return each match's seats with a socket in any process, and its number of spectators."""
    rows = Presence.objects.filter(match_id__in=match_ids, process__closed_at=None)
    found: dict[int, dict[str, Any]] = {}
    for row in rows:
        here = found.setdefault(row.match_id, {"seats": set(), "watching": 0})
        here["seats"] |= set(json.loads(row.seats))
        here["watching"] += row.spectators
    return {pk: {**here, "seats": sorted(here["seats"])} for pk, here in found.items()}


shown_presence: Final = Shared(lambda match_id: presences([match_id]).get(match_id) or {})


def there(match_ids: Iterable[int], at: datetime) -> dict[int, set[int]]:
    """Return each match's seats whose page is visible, as a living process reported."""
    is_alive = {"process__closed_at": None, "process__beat_at__gt": at - 2 * FRESH}
    rows = Presence.objects.filter(match_id__in=match_ids, **is_alive).exclude(there="[]")
    found: dict[int, set[int]] = defaultdict(set)
    for match_id, seats in rows.values_list("match_id", "there"):
        found[match_id].update(json.loads(seats))
    return found


def numbers(match_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return (last entry, last post) of these matches, to compare with a cached state."""
    rows = _NUMBERS.rows(matches=match_ids)
    return {pk: (no, last_post) for pk, no, last_post in rows}


_NUMBERS: Final = Compiled(
    lambda: Match.objects.filter(pk__in=GivenMany("matches", BigIntegerField())).values_list(
        "pk", "action_count", "last_post"
    )
)


def due_matches(
    now: datetime, *, limit: int = AT_ONCE, slow_until: datetime | None = None
) -> list[int]:
    """Return matches whose clock or bot is due; slow games only if due at ``slow_until``."""
    is_awake, games = is_any("game", registry.slugs(), "text")
    # Raw SQL: the ORM took 7.8 times the time (SQLite; 2.6 on PostgreSQL; 2026-11-27), and every
    # process asks whenever anything is due.
    rows = fetch(
        f"SELECT id FROM games_match WHERE {is_awake} AND wake_at <= %s"  # noqa: S608
        " AND (wake_at <= %s OR NOT is_slow) AND stalled_at IS NULL"
        " ORDER BY wake_at LIMIT %s",
        [games, now, slow_until or now, limit],
    )
    return [pk for (pk,) in rows]


def forgotten_matches(now: datetime, *, limit: int = 50) -> list[int]:
    """Return the matches whose clock has been stalled for three minutes."""
    back_since = now - PATIENCE
    alive = WebProcess.objects.filter(closed_at=None, started_at__lte=back_since)
    if not alive.filter(beat_at__gt=now - FRESH).exists():
        return []  # Nobody could have come back yet.
    running = Match.objects.filter(awake(), status=Match.Status.RUNNING)
    stalled = running.filter(stalled_at__lte=back_since, is_slow=False)
    return list(stalled.values_list("pk", flat=True)[:limit])
