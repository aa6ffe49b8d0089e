"""The plan: one query to lock, moves in memory, one go to write."""

from collections import defaultdict

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from economy import errors
from economy.codes import TransferCode
from economy.ledger import TREASURY, Plan, escrow, match_owner, mint, post, sink, stock, wallet
from economy.models import Transfer
from economy.units import AccountKind, Unit
from tests.economy.kit import NOON, box, give, held, move, rich

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_one_query_locks_everybody(django_assert_num_queries):
    rich(900001, 5), rich(900002, 5)
    with django_assert_num_queries(1):
        plan = Plan.lock(["user:900001", "user:900002", box(1).owner], NOON)
    assert [plan.balance(ref) for ref in (wallet(900001), wallet(900002), box(1))] == [5, 5, 0]


def test_moves_ask_the_database_nothing(django_assert_num_queries):
    rich(900001, 300)
    plan = Plan.lock(["user:900001", box(1).owner], NOON)
    with django_assert_num_queries(0):
        for _ in range(256):
            plan.move(move(wallet(900001), box(1), 1))
    assert (plan.balance(wallet(900001)), plan.balance(box(1))) == (44, 256)


def queries_of(moves):
    plan = Plan.lock(["user:900001", box(1).owner], NOON)
    for each in moves:
        plan.move(each)
    with CaptureQueriesContext(connection) as queries:
        plan.write()
    assert Transfer.objects.filter(key__in=[each.key for each in moves]).count() == len(moves)
    return len(queries)


def test_writing_takes_as_many_queries_for_200_moves_as_for_2():
    rich(900001, 500)

    def moves(count):
        pairs = [(wallet(900001), box(1)), (box(1), TREASURY())]
        return [move(*pairs[number % 2], 1) for number in range(count)]

    queries_of(moves(2))  # opens the escrow
    assert queries_of(moves(2)) == queries_of(moves(20))
    # SQLite takes a bounded number of parameters at once, so that many rows need a few inserts.
    assert queries_of(moves(200)) <= 10


def test_nothing_moved_is_nothing_written_and_a_plan_is_written_once(django_assert_num_queries):
    rich(900001, 5)
    plan = Plan.lock(["user:900001"], NOON)
    with django_assert_num_queries(0):
        plan.write()
    with pytest.raises(RuntimeError):
        plan.write()


def test_l9_an_escrow_is_opened_by_the_first_move_into_it_and_cleared_by_the_last():
    rich(900001, 5)
    plan = Plan.lock(["user:900001", match_owner(34)], NOON)
    plan.move(move(wallet(900001), escrow(34), 5, code=TransferCode.PURSE))
    plan.move(move(escrow(34), TREASURY(), 1, code=TransferCode.TAX))
    plan.move(move(escrow(34), wallet(900001), 4, code=TransferCode.POT_AWARD))
    plan.write()
    assert (held(wallet(900001)), held(escrow(34))) == (4, 0)


def test_a_refused_move_changes_nothing():
    rich(900001, 5)
    plan = Plan.lock(["user:900001", box(1).owner], NOON)
    plan.move(move(wallet(900001), box(1), 3))
    with pytest.raises(errors.InsufficientPoints) as refusal:
        plan.move(move(wallet(900001), box(1), 3))
    assert refusal.value.detail == {"missing": 1}
    assert (plan.balance(wallet(900001)), plan.mark()) == (2, 1)
    plan.write()
    assert (held(wallet(900001)), held(box(1))) == (2, 3)


def test_rewinding_takes_an_action_back_and_keeps_the_one_before():
    rich(900001, 5)
    plan = Plan.lock(["user:900001", box(1).owner], NOON)
    kept, taken_back = move(wallet(900001), box(1), 1), move(wallet(900001), box(1), 2)
    plan.move(kept)
    mark = plan.mark()
    plan.move(taken_back)
    plan.move(move(box(1), TREASURY(), 2))
    plan.rewind(mark)
    assert (plan.balance(wallet(900001)), plan.balance(box(1))) == (4, 1)
    plan.move(taken_back._replace(amount=4))  # its key is free again
    plan.rewind(mark)
    plan.write()
    assert [row.key for row in Transfer.objects.order_by("-pk")[:1]] == [kept.key]
    assert (held(wallet(900001)), held(box(1))) == (4, 1)


def test_rewinding_everything_opens_no_account():
    rich(900001, 5)
    plan = Plan.lock(["user:900001", box(77).owner], NOON)
    mark = plan.mark()
    plan.move(move(wallet(900001), box(77), 5))
    plan.rewind(mark)
    plan.move(move(wallet(900001), TREASURY(), 1))
    plan.write()
    assert held(box(77)) is None
    assert held(wallet(900001)) == 4


@pytest.mark.plain
def test_l6_a_key_twice_in_a_plan_moves_once():
    rich(900001, 5)
    plan = Plan.lock(["user:900001", box(1).owner], NOON)
    once = move(wallet(900001), box(1), 2)
    plan.move(once)
    plan.move(once)
    assert plan.balance(wallet(900001)) == 3
    with pytest.raises(errors.LedgerConflict):
        plan.move(once._replace(amount=1))
    plan.write()
    assert held(wallet(900001)) == 3


def test_accounts_of_others_are_not_touched():
    rich(900001, 5), rich(900002, 5)
    plan = Plan.lock(["user:900001"], NOON)
    for debit, credit in ((wallet(900001), wallet(900002)), (wallet(900002), wallet(900001))):
        with pytest.raises(errors.AccountNotLocked):
            plan.move(move(debit, credit, 1))
    assert plan.mark() == 0


def test_a_taken_key_is_an_integrity_error_and_nothing_is_written():
    rich(900001, 5)
    once = move(wallet(900001), box(1), 2)
    post([once], NOON)
    plan = Plan.lock(["user:900001", box(1).owner], NOON)
    plan.move(once)
    with pytest.raises(IntegrityError), transaction.atomic():
        plan.write()
    assert held(wallet(900001)) == 3


@pytest.mark.django_db(transaction=True)
def test_a_plan_needs_a_transaction():
    with pytest.raises(transaction.TransactionManagementError):
        Plan.lock(["user:900001"], NOON)


REFS = [
    wallet(901), wallet(902), stock(901, Unit.ROCK), stock(902, Unit.ROCK), box(901),
    box(901, Unit.ROCK), TREASURY(), mint(Unit.POINT), mint(Unit.ROCK), sink(Unit.POINT),
]  # fmt: skip
MOVES = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(REFS), st.sampled_from(REFS), st.integers(1, 30), st.integers(0, 40)
        ),
        st.just("mark"),
        st.just("rewind"),
    ),
    max_size=40,
)


class Oracle:
    """The plainest ledger there is: balances in a dictionary, copied at each mark."""

    def __init__(self, start):
        self.balances = defaultdict(int, start)
        self.bodies = {}

    def copy(self):
        twin = Oracle(self.balances)
        twin.bodies = dict(self.bodies)
        return twin

    def move(self, key, debit, credit, amount):
        """Return the result: moved, repeated, or the code of the refusal."""
        if debit == credit:
            return "ledger/same_account"
        if debit.unit != credit.unit:
            return "ledger/unit_mismatch"
        if key in self.bodies:
            return None if self.bodies[key] == (debit, credit, amount) else "conflict"
        is_kept = debit.kind not in (AccountKind.MINT, AccountKind.SINK)
        if is_kept and self.balances[debit] < amount:
            short = "points" if debit.unit == Unit.POINT else "stock"
            return f"ledger/insufficient_{short}"
        self.balances[debit] -= amount
        self.balances[credit] += amount
        self.bodies[key] = (debit, credit, amount)
        return None


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(MOVES)
def test_l1_l3_l6_any_moves_marks_and_rewinds_end_as_the_oracle_says(steps):
    with transaction.atomic():
        for ref in REFS[:4]:
            give(ref, 20)
        start = {ref: held(ref) or 0 for ref in REFS}
        _play(steps, start)
        transaction.set_rollback(True)


def _play(steps, start):
    plan, oracle = Plan.lock(["user:901", "user:902", box(901).owner], NOON), Oracle(start)
    marks = [(plan.mark(), oracle.copy())]
    for step in steps:
        if step == "mark":
            marks.append((plan.mark(), oracle.copy()))
        elif step == "rewind":
            mark, oracle = marks[-1][0], marks[-1][1].copy()
            plan.rewind(mark)
        else:
            debit, credit, amount, number = step
            key = f"random:{number}"
            expected = oracle.move(key, debit, credit, amount)
            try:
                plan.move(move(debit, credit, amount, key))
                seen = None
            except errors.LedgerError as refusal:
                seen = refusal.code
            assert seen == expected
    plan.write()
    for ref in REFS:
        if ref.kind not in (AccountKind.MINT, AccountKind.SINK):
            assert (held(ref) or 0) == oracle.balances[ref]
    written = Transfer.objects.filter(key__startswith="random:")
    assert {row.key: row.amount for row in written} == {
        key: body[2] for key, body in oracle.bodies.items()
    }
