"""Compiled queries: the ORM's rows, for any values, compiled once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import BigIntegerField, CharField, DateTimeField, QuerySet
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from economy.sql import Compiled, Given, GivenMany, read_rows

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
DAY = datetime(2026, 11, 27, tzinfo=UTC)
NAMES = ("ann", "bob", "cat")


@pytest.fixture
def people() -> dict[str, User]:
    return {
        name: User.objects.create_user(name, date_joined=DAY + timedelta(days=no))
        for no, name in enumerate(NAMES)
    }


def test_rows_are_those_of_the_orm_for_any_values(people: dict[str, User]) -> None:
    query = Compiled(
        lambda: (
            User.objects.filter(
                pk__in=GivenMany("users", BigIntegerField()),
                username__in=GivenMany("names", CharField()),
                date_joined__gte=Given("since", DateTimeField()),
                is_bot=False,
            )
            .order_by("-username")
            .values_list("date_joined", "is_bot", "pk", "username")
        )
    )
    for since in (DAY, DAY + timedelta(days=1), DAY + timedelta(days=9)):
        for names in ((), ("ann",), ("ann", "bob"), NAMES):
            users = {people[name].pk for name in names}
            found = User.objects.filter(pk__in=users, date_joined__gte=since, is_bot=False)
            wanted = found.order_by("-username").values_list(
                "date_joined", "is_bot", "pk", "username"
            )
            given = {"users": users, "names": ("cat", "ann", "bob", "it's"), "since": since}
            assert [tuple(row) for row in query.rows(**given)] == list(wanted)


def test_models_are_whole_and_of_one_statement(people: dict[str, User]) -> None:
    wanted = [people["ann"].pk, people["cat"].pk, 0]
    with CaptureQueriesContext(connection) as ran:
        found = read_rows(User, "id", wanted)
    assert len(ran) == 1
    assert sorted(found, key=lambda user: user.pk) == list(
        User.objects.filter(pk__in=wanted).order_by("pk")
    )
    for user in found:
        fresh = User.objects.get(pk=user.pk)
        assert {**vars(user), "_state": None} == {**vars(fresh), "_state": None}
        assert (user._state.adding, user._state.db) == (False, "default")
    assert read_rows(User, "id", []) == []


def test_a_query_is_compiled_once(people: dict[str, User]) -> None:
    built = 0

    def build() -> "QuerySet[User, tuple[str]]":
        nonlocal built
        built += 1
        return User.objects.filter(pk=Given("user", BigIntegerField())).values_list("username")

    query = Compiled(build)
    assert [query.rows(user=user.pk) for user in people.values()] == [[(name,)] for name in NAMES]
    assert built == 1


def test_a_value_that_is_missing_or_of_another_type_is_refused(people: dict[str, User]) -> None:
    query = Compiled(
        lambda: User.objects.filter(pk=Given("user", BigIntegerField())).values_list("username")
    )
    with pytest.raises(KeyError):
        query.rows()
    with pytest.raises(ValueError, match="expected a number"):
        query.rows(user="1 OR 1=1")
