import pytest
from django.db import connection
from django.utils import timezone

from economy.audit import find_recent_violations, find_violations
from economy.ledger import TREASURY, post, reverse, wallet
from economy.models import LEDGER_GUARDS, Account, Transfer
from economy.shop import Order, buy
from economy.tasks import audit as audit_task
from economy.units import Unit
from tests.economy.kit import NOON, box, give, move, rich

pytestmark = [pytest.mark.django_db, pytest.mark.breaks_ledger, pytest.mark.both_databases]


@pytest.fixture
def forge():
    """Run SQL that no guard and no check constraint stops; all of it is rolled back."""

    is_sqlite = connection.vendor == "sqlite"

    def run(statement, *parameters):
        with connection.cursor() as cursor:
            if is_sqlite:
                cursor.execute("PRAGMA ignore_check_constraints = ON")
            cursor.execute(statement, parameters)
            if is_sqlite:
                cursor.execute("PRAGMA ignore_check_constraints = OFF")

    if not is_sqlite:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(
                "SELECT conrelid::regclass, conname FROM pg_constraint WHERE contype = 'c'"
                " AND conrelid IN ('economy_account'::regclass, 'economy_transfer'::regclass)"
            )
            for table, name in cursor.fetchall():
                cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    LEDGER_GUARDS.remove(connection)
    yield run
    LEDGER_GUARDS.install(connection)


def found(since=None):
    """The articles that are violated, without the guards that ``forge`` has taken off."""
    lines = find_violations() if since is None else find_recent_violations(since)
    return {line.split()[0] for line in lines if "guard" not in line}


@pytest.fixture
def transfer():
    rich(900001, 50)
    return post([move(wallet(900001), box(1), 20)], NOON)[0]


@pytest.mark.usefixtures("transfer", "forge")
def test_what_is_right_is_found_right():
    assert found() == found(NOON) == set()


@pytest.mark.parametrize("look", [None, NOON])
@pytest.mark.parametrize(
    ("statement", "article"),
    [
        ("UPDATE economy_account SET balance = balance + 1 WHERE id = {debit}", "L4"),
        ("UPDATE economy_account SET balance = NULL WHERE id = {debit}", "L4"),
        ("UPDATE economy_account SET balance = 1 WHERE owner = 'house' AND kind = 'mint'", "L4"),
        ("UPDATE economy_account SET balance = -1 WHERE id = {debit}", "L3"),
        ("UPDATE economy_account SET balance = 1000000000001 WHERE id = {debit}", "L15"),
        ("UPDATE economy_transfer SET amount = 0 WHERE id = {id}", "L2"),
        ("UPDATE economy_transfer SET amount = 1000000001 WHERE id = {id}", "L2"),
        ("UPDATE economy_transfer SET credit_id = debit_id WHERE id = {id}", "L2"),
        ("UPDATE economy_transfer SET unit = 'ROCK' WHERE id = {id}", "L2"),
        ("UPDATE economy_account SET unit = 'Y_POINT' WHERE id = {debit}", "L2"),
        ("UPDATE economy_transfer SET code = 'WIN_BONUS' WHERE id = {id}", "L12"),
        ("UPDATE economy_transfer SET code = 'SIGNUP_GRANT' WHERE id = {id}", "L12"),
        ("UPDATE economy_transfer SET code = 'GIFT' WHERE id = {id}", "L12"),
        ("UPDATE economy_transfer SET code = 'REVERSAL' WHERE id = {id}", "L5"),
        ("UPDATE economy_transfer SET reverses_id = id WHERE id = {id}", "L5"),
    ],
)
def test_each_forgery_is_found(transfer, forge, statement, article, look):
    forge(statement.format(id=transfer.pk, debit=transfer.debit_id))
    assert article in found(look)


@pytest.mark.sqlite
def test_a_fraction_is_found(transfer, forge):
    forge("UPDATE economy_transfer SET amount = 20.5 WHERE id = %s", transfer.pk)
    assert "L2" in found()


@pytest.mark.plain
def test_a_removed_transfer_and_l1_points_out_of_nowhere_are_found(transfer, forge):
    forge("UPDATE economy_account SET balance = balance + 5 WHERE id = %s", transfer.debit_id)
    assert {"L1", "L4"} <= found()
    forge("UPDATE economy_account SET balance = balance - 5 WHERE id = %s", transfer.debit_id)
    assert found() == set()
    forge("DELETE FROM economy_transfer WHERE id = %s", transfer.pk)
    assert "L4" in found()


@pytest.mark.plain
def test_l3_an_overdraft_on_the_way_is_found_although_the_end_is_right(forge):
    rich(900001, 50)
    post([move(wallet(900001), box(1), 50)], NOON)
    give(wallet(900001), 50)
    first = Transfer.objects.order_by("-pk")[2]
    forge("UPDATE economy_transfer SET id = id + 1000 WHERE id = %s", first.pk)
    assert "L3" in found()


def test_l7_half_a_purchase_is_found(forge):
    rich(900001, 50)
    buy(user_id=900001, order=Order(Unit.ROCK, 2), key="a-purchase")
    assert found() == set()
    goods = Transfer.objects.get(key="buy:900001:a-purchase:goods")
    Account.objects.filter(pk=goods.credit_id).update(balance=0)
    forge("DELETE FROM economy_transfer WHERE id = %s", goods.pk)
    assert found() == {"L7"}


def test_l12_a_second_grant_is_found(forge):
    give(wallet(900001), 100)
    give(wallet(900001), 100)
    newest = Transfer.objects.order_by("-pk").values_list("pk", flat=True)[:2]
    forge("UPDATE economy_transfer SET code = 'SIGNUP_GRANT' WHERE id IN (%s, %s)", *newest)
    assert found() == {"L12"}


@pytest.mark.plain
def test_l5_a_reversal_of_another_amount_is_found(transfer, forge):
    undone = reverse(transfer, "undo", "t", NOON)
    assert found() == set()
    forge("UPDATE economy_transfer SET amount = 19 WHERE id = %s", undone.pk)
    assert "L5" in found()


@pytest.mark.postgres
def test_l6_a_key_that_is_there_twice_is_found(transfer, forge):
    # SQLite keeps this constraint inside of the table and cannot lose it.
    forge("ALTER TABLE economy_transfer DROP CONSTRAINT transfer_key_once")
    forge(
        'UPDATE economy_transfer SET "key" = (SELECT "key" FROM economy_transfer WHERE id = %s)'
        " WHERE id = %s",
        transfer.pk,
        transfer.pk - 1,
    )
    assert "L6" in found()


def test_the_incremental_audit_looks_only_at_what_was_touched(transfer, forge):
    later = NOON.replace(hour=18)
    forge("UPDATE economy_account SET balance = balance + 1 WHERE id = %s", transfer.debit_id)
    assert found(later) == set()
    post([move(wallet(900001), TREASURY(), 1)], later)
    assert found(later) == {"L4"}


ASKED = []


def check_of_ours(since):
    ASKED.append(since)
    return ["X1 something of ours"]


@pytest.mark.plain
def test_other_packages_add_their_checks(add_to_parts, forge):
    add_to_parts(checks=(f"{__name__}.check_of_ours",))
    ASKED.clear()
    assert found() == found(NOON) == {"X1"}
    assert ASKED == [None, NOON]


@pytest.mark.plain
def test_the_task_says_what_it_finds(transfer, forge, caplog):
    post([move(wallet(900001), box(2), 1)], timezone.now())
    forge("UPDATE economy_account SET balance = balance + 1 WHERE id = %s", transfer.debit_id)
    LEDGER_GUARDS.install(connection)
    audit_task()
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]
    assert "L4" in caplog.text
