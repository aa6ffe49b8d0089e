import os
import shutil
from io import StringIO

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from economy.audit import find_recent_violations, find_violations
from economy.models import LEDGER_GUARDS, Account, Item, Setting
from economy.tunables import TUNABLES
from economy.units import AccountKind, Unit
from tests.economy.kit import NOON, rich
from tests.platform import forks

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TABLE = "economy_transfer"


def run(statement):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.sqlite
@pytest.mark.parametrize("copied", ['id, "key"', 'id + 1000, "key"'])
def test_l5_replacing_a_transfer_is_refused_on_sqlite(copied):
    rich(900001, 5)
    rest = '"group", debit_id, credit_id, unit, {}, code, cause, at, reverses_id'
    with pytest.raises(IntegrityError, match="only ever added"):
        run(
            f'INSERT OR REPLACE INTO {TABLE} (id, "key", {rest.format("amount")})'
            f" SELECT {copied}, {rest.format(7)} FROM {TABLE}"
        )


@pytest.mark.postgres
def test_l5_truncating_is_refused_on_postgresql():
    rich(900001, 5)
    run("SET CONSTRAINTS ALL IMMEDIATE")  # else it is refused because of waiting foreign keys
    with pytest.raises(IntegrityError, match="only ever added"):
        run(f"TRUNCATE {TABLE} CASCADE")


def missed_by_checks():
    return [error.id for error in run_checks(databases=["default"]) if error.id]


@pytest.mark.plain
def test_taken_off_the_guards_are_missed_by_check_audit_and_command_and_then_put_back():
    assert not LEDGER_GUARDS.missing(connection)
    LEDGER_GUARDS.remove(connection)
    assert LEDGER_GUARDS.missing(connection)
    assert missed_by_checks() == ["economy.E001"]
    for found in (find_violations(), find_recent_violations(NOON)):
        assert [line for line in found if line.startswith("L5 guard")]
    with pytest.raises(SystemExit) as end:
        call_command("audit_ledger", stdout=StringIO(), stderr=(complaints := StringIO()))
    assert end.value.code == 1
    assert "guard" in complaints.getvalue()
    call_command("audit_ledger", "--install-guards", "--whole", stdout=(summary := StringIO()))
    assert "0 violations" in summary.getvalue()
    assert not LEDGER_GUARDS.missing(connection)
    assert "economy.E001" not in missed_by_checks()


def test_a_guard_that_does_nothing_is_no_guard():
    with LEDGER_GUARDS.suspended(connection):
        name = LEDGER_GUARDS.missing(connection)[0]
        does = (
            "BEGIN SELECT 1; END"
            if connection.vendor == "sqlite"
            else "FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"
        )
        run(f"CREATE TRIGGER {name} BEFORE DELETE ON {TABLE} {does}")
        assert name in LEDGER_GUARDS.missing(connection)
    assert not LEDGER_GUARDS.missing(connection)


@pytest.mark.django_db(transaction=True)
def test_migrate_puts_back_guards_and_house_and_leaves_what_an_admin_has_set():
    Item.objects.filter(unit=Unit.ROCK).update(price=9)
    Setting.objects.filter(name="grant.signup").update(value=7)
    Setting.objects.filter(name="bots.wallet").delete()
    Account.objects.filter(kind=AccountKind.SINK, unit=Unit.Y_POINT).delete()
    LEDGER_GUARDS.remove(connection)
    call_command("migrate", verbosity=0, skip_checks=True)
    assert not LEDGER_GUARDS.missing(connection)
    assert Account.objects.filter(owner="house").count() == 3 * len(Unit)
    assert Setting.objects.count() == len(TUNABLES)
    assert Item.objects.get(unit=Unit.ROCK).price == 9
    assert Setting.objects.get(name="grant.signup").value == 7


@pytest.mark.sqlite
@pytest.mark.parametrize("operation", ["AlterField", "AddField"])
def test_l5_a_migration_that_alters_the_table_of_a_filled_file_leaves_the_guards(
    tmp_path, prepared, operation
):
    shutil.copy(prepared / "site.sqlite3", tmp_path / "filled.sqlite3")
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path / 'filled.sqlite3'}"}
    done = forks.run("-m", "tests.economy.altering", operation, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:5] == [
        "guards lost by the migration: 3",
        "guards missing after migrate: 0",
        "refused: UPDATE economy_transfer SET amount = amount + 1",
        "refused: UPDATE economy_transfer SET cause = cause",
        "refused: DELETE FROM economy_transfer",
    ]
