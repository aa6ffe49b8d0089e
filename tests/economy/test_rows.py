"""Statements for many rows."""

from datetime import timedelta, timezone

import pytest
from django.db import DataError, transaction

from economy.models import Adjustment, Setting
from economy.sql import BulkRows, fetch
from economy.units import MOST_AMOUNT
from tests.economy.kit import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
SETTINGS = BulkRows(Setting, ("name", "value"), ("name",))
NAMES = (
    *("token", "proposer", "target", "approver", "amount", "reason", "state"),
    *("proposed_at", "decided_at"),
)
ADJUSTMENTS = BulkRows(Adjustment, NAMES, ("token",))
WRITTEN = BulkRows(Adjustment, (*NAMES[1:], "id"))
#: What each field but the first and the last has.
ROW = ("ann", "bob", "", -MOST_AMOUNT, 'it\'s "5" %s ✓', "proposed", NOON)
ELSEWHERE = NOON.astimezone(timezone(timedelta(hours=3))) + timedelta(microseconds=1)


def settings() -> dict[str, int]:
    rows = Setting.objects.filter(name__in=("one", "two", "three", "four"))
    return dict(rows.values_list("name", "value"))


def test_upsert_inserts_rows_and_changes_those_that_are_there() -> None:
    assert SETTINGS.upsert([]) == 0
    assert SETTINGS.upsert([("one", 1), ("two", 2)]) == 2
    assert SETTINGS.upsert([("two", 3), ("three", 4)]) == 2
    assert settings() == {"one": 1, "two": 3, "three": 4}
    SETTINGS.upsert([("two", -5), ("four", 6)], adds=True)
    assert settings() == {"one": 1, "two": -2, "three": 4, "four": 6}


def test_upsert_leaves_out_rows_for_which_the_condition_does_not_hold() -> None:
    rows = [("one", 1), ("two", 2), ("three", 3)]
    assert SETTINGS.upsert(rows, "given.value >= %s AND given.name <> %s", [2, "three"]) == 1
    assert settings() == {"two": 2}


@pytest.mark.parametrize("write", [ADJUSTMENTS.insert, ADJUSTMENTS.upsert])
def test_rows_come_back_as_they_were_written(write) -> None:
    rows = [("a", *ROW, None), ("b", *ROW, ELSEWHERE)]
    write(rows)
    stored = Adjustment.objects.order_by("token")
    assert list(stored.values_list(*NAMES)) == rows
    first, second = stored.values_list("pk", flat=True)
    WRITTEN.update([("eve", *ROW[1:], ELSEWHERE, first)])
    found = sorted(map(tuple, WRITTEN.select([first, second])), key=lambda row: row[-1])
    assert found == [("eve", *ROW[1:], ELSEWHERE, first), (*ROW, ELSEWHERE, second)]


@pytest.mark.postgres
@pytest.mark.parametrize("write", [ADJUSTMENTS.insert, ADJUSTMENTS.upsert])
def test_a_text_that_is_too_long_is_refused_not_cut(write) -> None:
    with pytest.raises(DataError), transaction.atomic():
        write([("t" * 65, *ROW, None)])


def test_fetch_takes_instants_as_they_are() -> None:
    ADJUSTMENTS.insert([("a", *ROW, None)])
    asked = "SELECT token FROM economy_adjustment WHERE proposed_at = %s AND amount < %s"
    assert list(map(tuple, fetch(asked, [NOON, 0]))) == [("a",)]
    assert fetch(asked, [ELSEWHERE, 0]) == []
