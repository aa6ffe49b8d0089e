"""The references of ``SqlStore`` and ``SqlRows``, with Django's ORM and without the cache."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import asdict

from economy.ledger.rows import Held, SqlRows, TransferRow, ref_of
from economy.models import Account, Transfer
from economy.transfers import AccountRef
from games.matches.journal.entries import EntryRow
from games.matches.journal.loading import ALL_COLUMNS, TURN_COLUMNS, MatchPosition
from games.matches.models import Entry, Match, Seat
from games.matches.processing.store import SEAT_COLUMNS, SqlStore
from games.matches.processing.submissions import Key, Submission


class OrmStore(SqlStore):
    """Each statement of a batch, as Django writes it."""

    keeps_cached: ClassVar[bool] = False

    def lock(self, match_ids: Iterable[int]) -> list[MatchPosition]:
        locked = Match.objects.select_for_update(no_key=True).filter(pk__in=list(match_ids))
        rows = locked.order_by("pk").values_list("pk", "public_id", "action_count", "at_ms")
        return [MatchPosition(*row) for row in rows]

    def used(self, submissions: Sequence[Submission]) -> dict[Key, str]:
        rows = Entry.objects.filter(
            match_id__in={submission.match_id for submission in submissions},
            action_id__in={submission.action_id for submission in submissions},
        )
        wanted = {submission.key for submission in submissions}
        found = rows.values_list("match_id", "actor_id", "action_id", "asked", "action")
        return {
            (match_id, actor_id, action_id): action if asked is None else asked
            for match_id, actor_id, action_id, asked, action in found
            if (match_id, actor_id, action_id) in wanted
        }

    def append(self, entries: Sequence[EntryRow]) -> None:
        Entry.objects.bulk_create(Entry(**asdict(row)) for row in entries)

    def update_pace(self, matches: Sequence[Match]) -> None:
        Match.objects.bulk_update(matches, TURN_COLUMNS)

    def update_whole(self, matches: Sequence[Match]) -> None:
        Match.objects.bulk_update(matches, ALL_COLUMNS)

    def add_seats(self, seats: Sequence[Seat]) -> None:
        Seat.objects.bulk_create(seats)

    def update_seats(self, seats: Sequence[Seat]) -> None:
        Seat.objects.bulk_update(seats, SEAT_COLUMNS)


class OrmRows(SqlRows):
    """Each statement of a plan, as Django writes it."""

    def lock(self, owners: Iterable[str]) -> dict[AccountRef, Held]:
        rows = Account.objects.select_for_update(no_key=True).filter(owner__in=sorted(owners))
        return {
            ref_of(account): Held(account.pk, account.balance) for account in rows.order_by("pk")
        }

    def set_balances(self, balances: Mapping[int, int]) -> None:
        changed = [Account(pk=pk, balance=balance) for pk, balance in balances.items()]
        Account.objects.bulk_update(changed, ["balance"])

    def insert_transfers(self, transfers: Sequence[TransferRow]) -> None:
        Transfer.objects.bulk_create(Transfer(**row._asdict()) for row in transfers)
