import json

import pytest
from django.db.backends.utils import CursorWrapper
from django.db.models import Func

from accounts.login_number import login_number
from accounts.models import User
from economy.sql import read_rows
from tests import raw_statements

CODE = """
class Store:
    def lock(self):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchall()

_rows = BulkRows(Match, ["id"])

def first(keys):
    _rows.insert(keys)
    unknown.insert(keys)
    if keys:
        found = Match.objects.raw("SELECT 1")
    return found

def execute(self):
    return super().execute()
"""


def test_places_are_the_statements_that_run_sql_whatever_stands_beside_them() -> None:
    assert raw_statements.places_of("a.py", CODE) == {
        "a.py:lock#1": ("a.py", 5, 5),
        "a.py:first#1": ("a.py", 11, 11),
        "a.py:first#2": ("a.py", 14, 14),
    }


def test_places_of_the_site_are_found_and_those_of_sqlite_left_out() -> None:
    found = raw_statements.places()
    assert len(found) > 50
    assert {
        "accounts/login_number.py:login_number#1",
        "economy/sql.py:upsert#1",
        "economy/expressions.py:IsInteger#1",
        "games/matches/journal/loading.py:_repaced#1",
        "games/matches/processing/store.py:append#1",
    } <= set(found)
    for left_out in raw_statements.ONLY_ON_SQLITE:
        assert not [name for name in found if name.startswith(left_out)]
        assert [name for name in raw_statements.every_place() if name.startswith(left_out)]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_place_has_run_when_its_statement_has(monkeypatch, tmp_path) -> None:
    for method in ("execute", "executemany"):
        monkeypatch.setattr(CursorWrapper, method, getattr(CursorWrapper, method))
    monkeypatch.setattr(Func, "as_sql", Func.as_sql)
    recorder = raw_statements.Recorder()
    recorder.start()
    list(User.objects.all())
    assert recorder.reached() == set()
    login_number()
    list(read_rows(User, "id", [1]))
    ran = {"accounts/login_number.py:login_number#1", "economy/sql.py:fetch#1"}
    assert recorder.reached() == ran
    (tmp_path / "1.json").write_text(json.dumps(sorted(ran)))
    assert set(raw_statements.missed(tmp_path)) == set(raw_statements.places()) - ran
