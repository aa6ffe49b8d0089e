"""Each kind of raw SQL of the site, beside the same in Django's ORM, over the rows of a bench."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import Any, Final

from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, Value, Window
from django.db.models.functions import Lag
from django.utils import timezone

from accounts.login_number import login_number
from accounts.models import ApiToken, LoginNumber, User
from bench.growth_rows import ACCOUNTS_FROM, MATCHES_FROM, PEOPLE_FROM
from economy.ledger.rows import SqlRows, TransferRow
from economy.models import Account
from economy.selectors import balance_of, belongings_of, held_in_games
from economy.sql import read_rows
from economy.transfers import user_owner
from economy.units import Unit
from games import registry
from games.arena import batch, resolving
from games.arena.models import Choice, Fight, Player, Round
from games.matches.journal import loading
from games.matches.journal.entries import EntryRow
from games.matches.journal.reading import FIELDS, Range, read_entries
from games.matches.models import (
    DailyPlay,
    Entry,
    Match,
    PairLoss,
    Presence,
    Rating,
    Seat,
    WebProcess,
)
from games.matches.models.matches import OFFERED
from games.matches.processing import outage, repair
from games.matches.processing.store import SqlStore
from games.matches.processing.submissions import Submission
from games.matches.queries import audit, selectors
from games.matches.queries.losses import Losses
from games.matches.queries.own import Own, read_own
from games.moderation.fair_play import note_losses
from games.realtime import presence, sessions
from tests.games.matches.orm_store import OrmRows, OrmStore

#: What is measured, its raw SQL, and the ORM's form.
Case = tuple[str, Callable[[], Any], Callable[[], Any]]

PEOPLE: Final = range(PEOPLE_FROM, PEOPLE_FROM + 2_000)
#: Matches whose entries are rows, and matches that are made to run.
KEPT: Final = range(MATCHES_FROM + 40_000, MATCHES_FROM + 40_020)
RUNNING: Final = range(MATCHES_FROM, MATCHES_FROM + 20)
ROUND: Final = 7


def cases() -> Iterator[Case]:
    """Yield every case; the rows that it needs are made before."""
    now = timezone.now()
    yield from _of_the_store()
    yield from _of_the_ledger(now)
    yield from _of_accounts(now)
    yield from _of_journals()
    yield from _of_clocks(now)
    yield from _of_pages(now)
    yield from _of_presence(now)
    yield from _of_the_arena(now)


def _of_the_store() -> Iterator[Case]:
    matches = list(Match.objects.filter(pk__in=KEPT))
    seats = list(Seat.objects.filter(match__in=KEPT))
    asked = [Submission(pk, {"kind": "call"}, f"a{pk}0", PEOPLE_FROM) for pk in KEPT]
    action, facts = '{"kind":"throw","hand":"rock"}', '[{"kind":"thrown","seat":1}]'
    after = (action, None, 3, facts, 1, 1, 1, False)
    entries = [EntryRow(pk, 11, PEOPLE_FROM, 0, None, f"x{pk:030}", *after) for pk in KEPT]
    sql, orm = SqlStore(), OrmStore()
    yield "lock 20 matches", lambda: sql.lock(KEPT), lambda: orm.lock(KEPT)
    yield "find 20 ids of actions", lambda: sql.used(asked), lambda: orm.used(asked)
    yield "append 20 entries", lambda: sql.append(entries), lambda: orm.append(entries)
    yield "update 20 matches", lambda: sql.update_pace(matches), lambda: orm.update_pace(matches)
    yield "update 40 seats", lambda: sql.update_seats(seats), lambda: orm.update_seats(seats)


def _of_the_ledger(now: datetime) -> Iterator[Case]:
    owners, accounts = list(map(user_owner, PEOPLE[:8])), range(ACCOUNTS_FROM, ACCOUNTS_FROM + 8)
    rows = [
        TransferRow(f"k{pk}", "g", pk, pk + 1, "POINT", 1, "PURSE", "match:1", None, now)
        for pk in accounts
    ]
    balances = dict.fromkeys(accounts, 5)
    sql, orm = SqlRows(), OrmRows()
    yield "lock 8 owners", lambda: sql.lock(owners), lambda: orm.lock(owners)
    yield "set 8 balances", lambda: sql.set_balances(balances), lambda: orm.set_balances(balances)
    yield (
        "insert 8 transfers",
        lambda: sql.insert_transfers(rows),
        lambda: orm.insert_transfers(rows),
    )
    yield "belongings of 20 users", lambda: belongings_of(PEOPLE[:20]), _belongings


def _belongings() -> Any:
    nothing = belongings_of([0])[0]
    found = {user_owner(pk): dict(nothing) for pk in PEOPLE[:20]}
    rows = Account.objects.filter(Q(kind="wallet", unit="POINT") | Q(kind="stock"), owner__in=found)
    for owner, unit, balance in rows.values_list("owner", "unit", "balance"):
        found[owner][Unit(unit)] = balance or 0
    return dict(zip(PEOPLE[:20], found.values(), strict=True))


def _of_accounts(now: datetime) -> Iterator[Case]:
    LoginNumber.objects.get_or_create(pk=1, defaults={"number": 1})
    numbers = LoginNumber.objects.values_list("number", flat=True)
    yield "number of log-ins", login_number, lambda: numbers.first() or 0
    until = now + timedelta(days=1)
    Session.objects.bulk_create(Session(session_key=f"s{pk}", expire_date=until) for pk in PEOPLE)
    stamps = [sessions.Stamp(f"s{pk}", pk, "", "!") for pk in PEOPLE[:20]]
    yield "20 log-ins", lambda: list(map(set, sessions._found(stamps))), partial(_log_ins, stamps)
    points = Losses({(one, one + 1): 3 for one in PEOPLE[:6]})
    yield "losses of 6 pairs", lambda: note_losses(points), partial(_note_losses, points)


def _log_ins(stamps: Collection[sessions.Stamp]) -> Any:
    keys = [stamp.session_key for stamp in stamps]
    begun = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    tokens = ApiToken.objects.filter(
        pk__in=[stamp.token_id or 0 for stamp in stamps], revoked_at=None
    )
    people = User.objects.filter(pk__in=[stamp.user_id for stamp in stamps], is_active=True)
    return [
        set(dict(begun.values_list("session_key", "expire_date"))),
        set(tokens.values_list("pk", flat=True)),
        set(dict(people.values_list("pk", "password"))),
    ]


def _note_losses(points: Mapping[tuple[int, int], int]) -> None:
    wanted = Q()
    for loser, winner in points:
        wanted |= Q(loser=loser, winner=winner)
    rows = PairLoss.objects.filter(wanted).values_list("loser", "winner", "points")
    before = {(loser, winner): lost for loser, winner, lost in rows}
    PairLoss.objects.bulk_create(
        [
            PairLoss(loser_id=pair[0], winner_id=pair[1], points=lost + before.get(pair, 0))
            for pair, lost in points.items()
        ],
        update_conflicts=True,
        unique_fields=["loser", "winner"],
        update_fields=["points"],
    )


def _of_journals() -> Iterator[Case]:
    def read() -> list[int]:
        return sorted(match.pk for match in read_rows(Match, "id", KEPT))

    def read_by_orm() -> list[int]:
        return sorted(match.pk for match in Match.objects.filter(pk__in=KEPT))

    yield "read 20 matches", read, read_by_orm
    names = loading._PACE_NAMES
    matches = Match.objects.filter(pk__in=KEPT).values_list(*names)
    yield (
        "columns of 20 matches",
        lambda: sorted(map(tuple, loading._PACE.select(KEPT))),
        lambda: sorted(matches.all()),
    )
    ranges = [Range(pk, 3, 8) for pk in KEPT]
    yield "entries of 20 matches", lambda: read_entries(ranges), partial(_read_entries, ranges)
    for count in (20, 2_000):
        ids = range(KEPT[0], KEPT[0] + count)
        yield (
            f"facts of {count:,} matches",
            partial(audit._miscounted, ids),
            partial(_miscounted, ids),
        )


def _read_entries(ranges: Sequence[Range]) -> Any:
    wanted = Q()
    for match_id, first, last in ranges:
        wanted |= Q(match_id=match_id, no__range=(first, last))
    found: dict[int, list[EntryRow]] = {each.match_id: [] for each in ranges}
    for row in Entry.objects.filter(wanted).order_by("match_id", "no").values_list(*FIELDS):
        found[row[0]].append(EntryRow(*row))
    return found


class _Length(Func):
    function = "json_array_length"
    output_field = IntegerField()


def _miscounted(match_ids: Collection[int]) -> list[int]:
    cast = "::json" if connection.vendor == "postgresql" else ""
    length = _Length("facts", template=f"%(function)s(%(expressions)s{cast})")
    before = Window(Lag("last_seq", default=0), partition_by=F("match_id"), order_by="no")
    entries = Entry.objects.filter(match_id__in=match_ids).annotate(before=before, length=length)
    is_last = Q(no=F("match__action_count"))
    wrong = ~Q(last_seq=F("before") + F("length")) | is_last & ~Q(last_seq=F("match__seq"))
    return list(entries.filter(wrong).values_list("match_id", flat=True).distinct())


def _of_clocks(now: datetime) -> Iterator[Case]:
    LoginNumber.objects.get_or_create(pk=1, defaults={"number": 1})
    outage.open_process(now)
    running = Match.objects.filter(pk__in=RUNNING)
    running.update(status="running", wake_at=now - timedelta(seconds=1))
    yield "due matches", lambda: selectors.due_matches(now), partial(_due_matches, now)
    running.update(wake_at=now + timedelta(minutes=1))
    yield "is anything due", lambda: tuple(repair.due_check(now)), partial(_due_check, now)


def _due_matches(now: datetime) -> list[int]:
    soon = Match.objects.filter(loading.awake(), wake_at__lte=now, stalled_at=None)
    rows = soon.filter(Q(wake_at__lte=now) | Q(is_slow=False)).order_by("wake_at")
    return list(rows.values_list("pk", flat=True)[: selectors.AT_ONCE])


def _due_check(now: datetime) -> Any:
    beats = WebProcess.objects.filter(closed_at=None)
    matches = Match.objects.filter(loading.awake())
    is_soon = Q(wake_at__lte=now - selectors.HEAD_START) | Q(is_slow=False)
    has_begun = Q(begins_at=None) | Q(begins_at__lte=now)
    absent = Seat.objects.filter(
        match=OuterRef("pk"), seen_at__lte=now - repair.ABSENCE, user__is_bot=False
    )
    long_ago = now - selectors.PATIENCE
    fresh = beats.filter(beat_at__gt=now - selectors.FRESH)
    is_due: Any = Exists(beats.filter(beat_at__lte=now - outage.LOST)) | Exists(
        matches.filter(is_soon, wake_at__lte=now, stalled_at=None)
    )
    is_untidy: Any = Exists(fresh) & Exists(
        matches.filter(has_begun, Exists(absent), status="open")
    ) | Exists(fresh.filter(started_at__lte=long_ago)) & Exists(
        matches.filter(stalled_at__lte=long_ago, status="running", is_slow=False)
    )
    return LoginNumber.objects.values_list(is_due, is_untidy, "number").first()


def _of_pages(now: datetime) -> Iterator[Case]:
    user = User.objects.get(pk=Seat.objects.filter(match__in=RUNNING).values("user")[:1])
    yield "all that is a user's", lambda: _told(read_own(user.pk)), partial(_own, user.pk, now)
    yield "lists of 20 matches", lambda: _listed(selectors.lobby()), _lobby


def _told(own: Own) -> Any:
    places = [(one.row.pk, one.row.title, one.seat, one.opener) for one in own.matches]
    return own.balance, own.in_play, places, own.ratings, own.daily_marks


def _own(user_id: int, now: datetime) -> Any:
    seats = Seat.objects.filter(user=user_id)
    is_staked = seats.filter(match__status="running", match__is_staked=True).exists()
    mine = Match.objects.filter(loading.awake(), seats__user=user_id, status__in=Match.LIVE)
    mine = mine.select_related("opened_by", "invited").annotate(no=F("seats__no"))
    asked = Match.objects.filter(invited=user_id, status="open", seats__user=F("opened_by"))
    asked = asked.exclude(seats__user=F("invited")).select_related("opened_by", "invited")
    rows: list[Any] = [*mine, *asked.annotate(no=Value(None, IntegerField()))]
    rows.sort(key=attrgetter("pk"), reverse=True)
    rated = Rating.objects.filter(user=user_id).values_list("game", "games", "mu", "sigma")
    play = DailyPlay.objects.filter(user=user_id, table__day=now.date()).first()
    return (
        balance_of(user_id),
        held_in_games(user_id) if is_staked else 0,
        [(m.pk, m.title, m.no, m.opened_by.username if m.opened_by else None) for m in rows],
        {game: tuple(figures) for game, *figures in rated},
        play.marks if play else "",
    )


def _listed(lists: Mapping[str, Sequence[Mapping[str, Any]]]) -> Any:
    return {slug: [row["public_id"] for row in rows] for slug, rows in lists.items()}


def _lobby() -> Any:
    found = {}
    for game in registry.tables():
        rows: list[Match] = []
        for status in Match.LIVE:
            listed = Match.objects.filter(OFFERED, game=game.slug, status=status)
            rows += listed.only(*selectors._SHOWN).order_by("-pk")[: selectors.LOBBY_LIMIT + 1]
        here = selectors.presences([row.pk for row in rows])
        found[game.slug] = [
            selectors._row(row, here.get(row.pk, {}).get("watching", 0)) for row in rows
        ]
    return _listed(found)


def _of_presence(now: datetime) -> Iterator[Case]:
    other = WebProcess.objects.create(name="other", started_at=now, beat_at=now)
    Presence.objects.bulk_create(
        Presence(process=other, match_id=pk, seats="[0]", spectators=1) for pk in RUNNING
    )
    Seat.objects.filter(match__in=RUNNING).update(seen_at=now)
    here = {pk: {"seats": [0], "there": [0], "watching": 1} for pk in RUNNING}
    yield "20 matches elsewhere", lambda: presence._elsewhere(0, here), _elsewhere
    yield (
        "seats of 20 matches seen",
        lambda: presence._mark_seen(here),
        partial(_mark_seen, here, now),
    )


def _elsewhere() -> Any:
    rows = Presence.objects.filter(process__closed_at=None, match_id__in=RUNNING)
    said = rows.exclude(process=0).values_list("match_id", "seats", "spectators")
    return {pk: {"seats": json.loads(seats), "watching": count} for pk, seats, count in said}


def _mark_seen(here: Mapping[int, Mapping[str, Any]], now: datetime) -> None:
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    old = Q(match__status="open", seen_at__lte=now - presence.SEEN)
    rows = Seat.objects.filter(old | Q(match__status="running", seen_at__lt=day), match__in=here)
    stale = rows.values_list("pk", "match_id", "no")
    if seen := [pk for pk, match_id, no in stale if no in here[match_id]["seats"]]:
        Seat.objects.filter(pk__in=seen).update(seen_at=now)


def _of_the_arena(now: datetime) -> Iterator[Case]:
    Player.objects.bulk_create(
        Player(user_id=pk, is_in=True, joined_at=now - timedelta(hours=1)) for pk in PEOPLE
    )
    texts = {"link": "l", "seed": "s", "commitment": "c", "options": "{}"}
    until = now + timedelta(hours=1)
    held = Round.objects.create(no=ROUND, began_at=now, ends_at=until, **texts)
    Choice.objects.bulk_create(
        Choice(user_id=pk, round_no=ROUND, move="rock", at=now) for pk in PEOPLE
    )
    yield "read 2,000 players", lambda: resolving.read_players(held), partial(_players, held)
    chosen = dict.fromkeys(PEOPLE[:200], "paper")
    yield (
        "store 200 choices",
        lambda: batch.store_choices(chosen, ROUND, now),
        partial(_choose, chosen, now),
    )
    fights = [(ROUND, pk, "rock", "fought", None, 1, 2, 3, "won", 1, 1, 1) for pk in PEOPLE]
    yield (
        "upsert 2,000 fights",
        lambda: resolving._fights.upsert(fights) and None,
        partial(_write_fights, fights),
    )
    names = [field.name for field in resolving._players._fields]
    players = list(Player.objects.filter(user__in=PEOPLE[:100]))
    rows = [(*attrgetter(*names[:-1])(player), player.user_id) for player in players]
    yield (
        "update 100 players",
        lambda: resolving._players.update(rows),
        lambda: Player.objects.bulk_update(players, names[:-1]) and None,
    )


def _players(held: Round) -> Any:
    names = ("user_id", "is_bot", "user__is_program", "streak", "score", "health")
    rows = Player.objects.filter(is_in=True, joined_at__lt=held.ends_at).values_list(*names)
    chosen = dict(Choice.objects.filter(round_no=held.no).values_list("user_id", "move"))
    found = [
        resolving.Before(
            *(user, is_bot, is_bot or is_program, streak, score, health),
            choice=resolving._CODES[chosen[user]],
        )
        for user, is_bot, is_program, streak, score, health in rows
    ]
    return sorted(found, key=lambda player: player.user)


def _choose(chosen: Mapping[int, str], now: datetime) -> set[int]:
    rounds = Round.objects.select_for_update(no_key=True)
    rounds.get(no=ROUND, state=Round.State.SELECTING)
    is_player = Q(health__gt=0) | Exists(Round.objects.filter(no=ROUND, survivor_round=0))
    players = Player.objects.filter(is_player, user__in=chosen, is_in=True)
    inside = set(players.values_list("user_id", flat=True))
    Choice.objects.bulk_create(
        [Choice(user_id=pk, round_no=ROUND, move=chosen[pk], at=now) for pk in inside],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["round_no", "move", "at"],
    )
    return inside


def _write_fights(rows: Sequence[Sequence[Any]]) -> None:
    names = [field.attname for field in resolving._fights._fields]
    Fight.objects.bulk_create(
        [Fight(**dict(zip(names, row, strict=True))) for row in rows],
        update_conflicts=True,
        unique_fields=["round_no", "user"],
        update_fields=names[2:],
    )
