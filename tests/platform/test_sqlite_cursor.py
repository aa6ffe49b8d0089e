import asyncio

import pytest
from django.core.exceptions import SynchronousOnlyOperation
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rpsite.db.sqlite.base import Cursor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def test_cursor_reads_rows_in_each_way() -> None:
    rows = "SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4"
    with connection.cursor() as cursor:
        assert isinstance(cursor, Cursor)
        cursor.execute(rows)
        assert cursor.fetchone() == (1,)
        assert (cursor.fetchmany(2), list(cursor)) == ([(2,), (3,)], [(4,)])
        assert cursor.fetchone() is None
        cursor.execute("SELECT %s, %s", [1, "two"])
        assert cursor.fetchall() == [(1, "two")]


def test_cursor_raises_errors_of_django() -> None:
    async def ask() -> None:
        connection.cursor()

    with pytest.raises(SynchronousOnlyOperation):
        asyncio.run(ask())
    User.objects.create_user("taken")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(username="taken", name_key="taken")])
    with pytest.raises(OperationalError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT nothing")
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            User.objects.count()


def test_cursor_leaves_logged_and_wrapped_statements_to_django() -> None:
    seen = []

    def note(run, *given):
        seen.append(given[0])
        return run(*given)

    with CaptureQueriesContext(connection) as queries, transaction.atomic():
        User.objects.count()
    assert any("COUNT" in query["sql"] for query in queries.captured_queries)
    with transaction.atomic(), connection.execute_wrapper(note):
        User.objects.count()
    assert any("COUNT" in statement for statement in seen)
