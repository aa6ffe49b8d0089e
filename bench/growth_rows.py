"""Bare rows of a large site, inserted by SQL: people, finished matches, seats, journals, ledger."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from django.db import connection
from django.db.models import Max, Model
from django.db.models.fields import NOT_PROVIDED, BooleanField
from django.utils import timezone

from accounts.models import User
from economy.ledger import open_account
from economy.models import LEDGER_GUARDS, Account, Transfer
from economy.transfers import TransferCode
from games.matches.models import ArchivedJournal, Entry, LogLeaf, Match, Rating, RatingChange, Seat
from games.matches.models.archives import JOURNAL_GUARDS, LOG_GUARDS
from games.matches.services import open_match

#: Entries of a match that is not archived; rows that go in by one statement.
ENTRIES, CHUNK = 10, 200_000
#: The first keys of the bare rows; what the services make comes before.
PEOPLE_FROM, MATCHES_FROM, ACCOUNTS_FROM = 1_001, 1_000_001, 100_001
#: Escrows go down from here: accounts that the site opens between two fills come above.
ESCROWS_FROM: Final = 2_000_000_000
#: Minutes over which the matches are spread.
SPREAD: Final = 300 * 1_440
#: The table of a bare match, and what lists show of it.
TABLE: Final = '{"options":{"seats":2,"best_of":3,"stake":0,"target":30},"seats":[]}'
SUMMARY: Final = '{"players":[],"wins":[2,1],"pot":10}'


class Rows:
    """Inserts rows numbered on from those that are there."""

    def __init__(self, people: int) -> None:
        """Create users with wallets; twenty of them open tables by the services."""
        self.is_sqlite = connection.vendor == "sqlite"
        self.people = people
        self.matches = self.transfers = self.seats = 0
        last = PEOPLE_FROM + people - 1
        with self._unguarded():
            self._insert(
                User,
                *(PEOPLE_FROM, last),
                id="i",
                username="'p' || i",
                name_key="replace(replace('p' || i, '0', 'o'), '1', 'l')",
                password="'!'",
                is_active="TRUE",
                date_joined=self._ago("i"),
            )
            self._insert(
                Rating, 1, people, id="i", user_id=f"i + {PEOPLE_FROM - 1}", game="'duel'",
                mu="20 + (i % 1000) / 100.0", sigma="3", games="i % 50", updated=self._ago("i"),
            )  # fmt: skip
            self._insert(
                Account, 1, people, id=f"i + {ACCOUNTS_FROM - 1}", balance="0",
                owner=f"'user:' || (i + {PEOPLE_FROM - 1})", kind="'wallet'", unit="'POINT'",
            )  # fmt: skip
        self._count_on(User, Rating, Account)
        now = timezone.now()
        for user in User.objects.filter(pk__gt=last - 20):
            open_account(user.pk, now)
            open_match(opened_by=user, options={}, game="duel", at=now)

    def fill(self, matches: int, rows: int, *, archived: float) -> None:
        """Bring the site to a number of matches, and of entries and transfers together.

        Args:
            archived: the share of the new matches that are archived, those that ended first.
        """
        first, count = MATCHES_FROM + self.matches, matches - self.matches
        last, kept = first + count - 1, first + int(count * archived)
        transfers = rows - self.transfers - (last - kept + 1) * ENTRIES
        with self._unguarded():
            for begin in range(first, last + 1, CHUNK):
                self._add_matches(begin, min(begin + CHUNK - 1, last), last, kept)
            for begin in range(kept * ENTRIES, (last + 1) * ENTRIES, CHUNK):
                self._add_entries(begin, min(begin + CHUNK, (last + 1) * ENTRIES) - 1)
            for begin in range(0, transfers, CHUNK):
                self._add_transfers(begin, min(begin + CHUNK, transfers) - 1, first, count)
        self.matches, self.transfers = matches, self.transfers + transfers
        self._count_on(Match, Transfer, Seat, RatingChange)
        if not self.is_sqlite:
            # As autovacuum does; no site asks SQLite for statistics.
            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")

    def sizes(self) -> dict[str, int]:
        """Return the number of rows of each table filled."""
        filled = (Match, Seat, Entry, ArchivedJournal, Transfer, RatingChange, LogLeaf, User)
        return {model.__name__: model._default_manager.count() for model in filled}

    def _add_matches(self, first: int, last: int, newest: int, kept: int) -> None:
        minutes = f"({newest} - i) * {SPREAD} / {newest - MATCHES_FROM + 1} + 1500"
        ended, now = self._ago(minutes), int(timezone.now().timestamp())
        self._insert(
            Match,
            *(first, last),
            id="i",
            public_id="'m' || i",
            game="CASE i % 10 WHEN 9 THEN 'agora' WHEN 8 THEN 'showdown' ELSE 'duel' END",
            rules_version="1",
            title="'a match'",
            status="'over'",
            is_rated="i % 2 = 0",
            is_staked="i % 3 = 0",
            origin=f"'{TABLE}'",
            table=f"'{TABLE}'",
            summary=f"'{SUMMARY}'",
            seed="'0'",
            seed_commitment="'c' || i",
            action_count=str(ENTRIES),
            state_no=str(ENTRIES),
            phase="3",
            at_ms=f"CAST(1000 AS BIGINT) * ({now} - 60 * ({minutes}))",
            opened_at=ended,
            started_at=ended,
            ended_at=ended,
            is_archived=f"i < {kept}",
        )
        # The first person plays a twentieth of all matches.
        half = self.people // 2
        some = f"{PEOPLE_FROM} + 2 * ((CAST(7 AS BIGINT) * i) % {half})"
        others = f"{PEOPLE_FROM + 1} + 2 * ((CAST(13 AS BIGINT) * i) % {half})"
        often = f"CASE WHEN i % 20 = 0 THEN {PEOPLE_FROM} ELSE {some} END"
        for no, user in enumerate((often, others)):
            self._insert(
                Seat,
                *(first, last),
                id=f"2 * i + {no}",
                match_id="i",
                no=str(no),
                user_id=user,
                net="3" if no else "-3",
                result="'won'" if no else "'lost'",
                has_played="TRUE",
                seen_at=ended,
            )
        self._insert(
            RatingChange, first, last, id="i", match_id="i", before="1500", after="1510", mu="25",
            sigma="3", at=ended, user_id=others,
        )  # fmt: skip
        self._insert(
            Account, first, last, id=f"{ESCROWS_FROM} - i", owner="'match:' || i", kind="'escrow'",
            unit="'POINT'", balance="0",
        )  # fmt: skip
        today = f"'{timezone.now():%Y-%m-%d}'" + ("" if self.is_sqlite else "::date")
        leaf = 1 + (LogLeaf.objects.aggregate(last=Max("no"))["last"] or 0)
        for part, kind in enumerate(("opened", "closed")):
            self._insert(
                LogLeaf, first, last, no=f"2 * (i - {first}) + {part + leaf}", day=today,
                kind=f"'{kind}'", commitment="'c' || i", text="'{\"body\":\"\"}'",
                at=self._ago("1500"),
            )  # fmt: skip
        if first < kept:
            self._insert(
                ArchivedJournal,
                *(first, min(last, kept - 1)),
                match_id="i",
                format="1",
                last_no=str(ENTRIES),
                digest="lower(hex(randomblob(32)))"
                if self.is_sqlite
                else "encode(sha256(i::text::bytea), 'hex')",
                data="randomblob(600)" if self.is_sqlite else "decode(repeat('ab', 600), 'hex')",
            )

    def _add_entries(self, first: int, last: int) -> None:
        self._insert(
            Entry,
            *(first, last),
            match_id=f"i / {ENTRIES}",
            no=f"i % {ENTRIES} + 1",
            actor_id=f"{PEOPLE_FROM} + i % 2",
            seat="i % 2",
            action_id="'a' || i",
            action='\'{"kind":"throw","hand":"rock"}\'',
            facts="'[]'",
            phase="1",
            at_ms="0",
            last_seq="0",
            last_public="0",
        )

    def _add_transfers(self, first: int, last: int, match: int, count: int) -> None:
        number = f"(i - {first} + {1 + (Transfer.objects.aggregate(last=Max('id'))['last'] or 0)})"
        self._insert(
            Transfer,
            *(first, last),
            id=number,
            key=f"'t' || {number}",
            group=f"'g' || {number} / 5",
            debit_id=f"{ACCOUNTS_FROM} + i % {self.people - 1}",
            credit_id=f"{ACCOUNTS_FROM + 1} + i % {self.people - 1}",
            unit="'POINT'",
            amount="1",
            code=f"'{TransferCode.PURSE}'",
            cause=f"'match:' || ({match} + i % {count})",
            at=self._ago(f"1500 + i % {SPREAD}"),
        )

    def _ago(self, minutes: str) -> str:
        if self.is_sqlite:
            return f"datetime('now', '-' || ({minutes}) || ' minutes')"
        return f"now() - make_interval(mins => ({minutes})::int)"

    def _insert(self, model: type[Model], first: int, last: int, **given: str) -> None:
        """Insert a row for each number i from first to last; other columns get their defaults."""
        columns = {
            str(field.column): given.pop(str(field.column), "") or _default(field)
            for field in model._meta.local_concrete_fields
        }
        assert not given, given
        listed = ", ".join(f'"{column}"' for column in columns)
        into = f'INSERT INTO "{model._meta.db_table}" ({listed})'
        values = f"SELECT {', '.join(columns.values())}"
        if self.is_sqlite:
            counted = f"SELECT {first} UNION ALL SELECT i + 1 FROM s WHERE i < {last}"
            statement = f"WITH RECURSIVE s(i) AS ({counted}) {into} {values} FROM s"
        else:
            statement = f"{into} {values} FROM generate_series({first}::bigint, {last}) AS s(i)"
        with connection.cursor() as cursor:
            cursor.execute(statement)

    @contextlib.contextmanager
    def _unguarded(self) -> Iterator[None]:
        with (
            LEDGER_GUARDS.suspended(connection),
            LOG_GUARDS.suspended(connection),
            JOURNAL_GUARDS.suspended(connection),
            connection.cursor() as cursor,
        ):
            if self.is_sqlite:
                cursor.execute("PRAGMA foreign_keys=OFF")
                cursor.execute("PRAGMA synchronous=OFF")
                cursor.execute("PRAGMA wal_autocheckpoint=100000")
            else:
                cursor.execute("SET session_replication_role = replica")
            yield
            if self.is_sqlite:
                cursor.execute("PRAGMA foreign_keys=ON")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            else:
                cursor.execute("SET session_replication_role = DEFAULT")

    def _count_on(self, *models: type[Model]) -> None:
        """Set PostgreSQL's sequences after the rows that were given keys."""
        if self.is_sqlite:
            return
        with connection.cursor() as cursor:
            for model in models:
                table = model._meta.db_table
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table}"
                )


def _default(field: Any) -> str:
    """Return the default of a column as SQL."""
    if field.default is not NOT_PROVIDED and not callable(field.default):
        value = field.default
        if isinstance(field, BooleanField):
            return "TRUE" if value else "FALSE"
        return (
            str(int(value))
            if isinstance(value, int)
            else f"'{value}'"
            if value is not None
            else "NULL"
        )
    if field.null:
        return "NULL"
    return "FALSE" if isinstance(field, BooleanField) else "''"
