"""A user's lock: what the user opens and where the user sits is counted and written under it.

It is no row: a batch takes it after its matches, and the deletion of an account locks the user's
row before any match.

Source: docs/explanation/concurrency.md "Locks and their order".
"""

from collections.abc import Collection
from typing import Final

from django.db import connection

#: The first half of the keys of the PostgreSQL advisory locks; one that nothing else uses.
USERS: Final = 7_261_003
_KEYS: Final = 2**31


def lock_users(user_ids: Collection[int]) -> None:
    """Take the locks of these users until the end of the transaction, in one order.

    On SQLite a transaction has the write lock from its beginning.
    """
    if connection.vendor == "postgresql":
        keys = sorted({user_id % _KEYS for user_id in user_ids})
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(%s, key) FROM unnest(%s::int[]) AS key", [USERS, keys]
            )
