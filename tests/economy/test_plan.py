from collections import defaultdict

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from economy import errors
from economy.ledger import TREASURY, Plan, escrow, match_owner, mint, post, sink, stock, wallet
from economy.models import Transfer
from economy.transfers import TransferCode
from economy.units import AccountKind, Unit
from tests.economy.kit import NOON, box, give, held, move, rich
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ANN, BOX = wallet(900001), box(1)


@pytest.mark.plain
def test_one_query_locks_everybody_and_moves_ask_the_database_nothing(django_assert_num_queries):
    rich(900001, 300), rich(900002, 5)
    with django_assert_num_queries(1):
        plan = Plan.lock(["user:900001", "user:900002", BOX.owner], NOON)
    assert [plan.balance(ref) for ref in (ANN, wallet(900002), BOX)] == [300, 5, 0]
    with django_assert_num_queries(0):
        for _ in range(256):
            plan.move(move(ANN, BOX, 1))
    assert (plan.balance(ANN), plan.balance(BOX)) == (44, 256)


def queries_of(moves):
    plan = Plan.lock(["user:900001", BOX.owner], NOON)
    for each in moves:
        plan.move(each)
    with CaptureQueriesContext(connection) as queries:
        plan.write()
    assert Transfer.objects.filter(key__in=[each.key for each in moves]).count() == len(moves)
    return len(queries)


def test_writing_takes_as_many_queries_for_200_moves_as_for_2():
    rich(900001, 500)

    def moves(count):
        pairs = [(ANN, BOX), (BOX, TREASURY())]
        return [move(*pairs[number % 2], 1) for number in range(count)]

    queries_of(moves(2))  # opens the escrow
    assert queries_of(moves(2)) == queries_of(moves(20))
    # SQLite takes a bounded number of parameters at once, so that many rows need a few inserts.
    assert queries_of(moves(200)) <= 10


@pytest.fixture
def plan():
    """A plan over Ann, who has 5 points, and an empty box."""
    rich(900001, 5)
    return Plan.lock(["user:900001", BOX.owner], NOON)


def test_no_move_is_nothing_written_and_a_plan_is_written_once(plan, django_assert_num_queries):
    with django_assert_num_queries(0):
        plan.write()
    with pytest.raises(RuntimeError):
        plan.write()


def test_l9_an_escrow_is_opened_by_the_first_move_into_it_and_cleared_by_the_last():
    rich(900001, 5)
    plan = Plan.lock(["user:900001", match_owner(34)], NOON)
    plan.move(move(ANN, escrow(34), 5, code=TransferCode.PURSE))
    plan.move(move(escrow(34), TREASURY(), 1, code=TransferCode.TAX))
    plan.move(move(escrow(34), ANN, 4, code=TransferCode.POT_AWARD))
    plan.write()
    assert (held(ANN), held(escrow(34))) == (4, 0)


@pytest.mark.plain
def test_l6_a_refused_move_changes_nothing_and_a_key_moves_once(plan):
    once = move(ANN, BOX, 3)
    plan.move(once)
    plan.move(once)
    with pytest.raises(errors.InsufficientPoints) as refusal:
        plan.move(move(ANN, BOX, 3))
    assert refusal.value.detail == {"missing": 1}
    with refuses("conflict"):
        plan.move(once._replace(amount=1))
    rich(900002, 5)
    for debit, credit in ((ANN, wallet(900002)), (wallet(900002), ANN)):
        with refuses("ledger/account_not_locked"):
            plan.move(move(debit, credit, 1))
    assert (plan.balance(ANN), plan.mark()) == (2, 1)
    plan.write()
    assert (held(ANN), held(BOX)) == (2, 3)


@pytest.mark.plain
def test_rewinding_takes_an_action_back_and_keeps_the_one_before(plan):
    kept, taken_back = move(ANN, BOX, 1), move(ANN, BOX, 2)
    plan.move(kept)
    mark = plan.mark()
    plan.move(taken_back)
    plan.move(move(BOX, TREASURY(), 2))
    plan.rewind(mark)
    assert (plan.balance(ANN), plan.balance(BOX)) == (4, 1)
    plan.move(taken_back._replace(amount=4))  # its key is free again
    plan.rewind(mark)
    plan.write()
    assert Transfer.objects.latest("pk").key == kept.key
    assert (held(ANN), held(BOX)) == (4, 1)


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


def test_a_taken_key_is_an_integrity_error_and_nothing_is_written(plan):
    once = move(ANN, BOX, 2)
    post([once], NOON)
    plan.move(once)
    with pytest.raises(IntegrityError), transaction.atomic():
        plan.write()
    assert held(ANN) == 3


@pytest.mark.django_db(transaction=True)
def test_a_plan_needs_a_transaction():
    with pytest.raises(transaction.TransactionManagementError):
        Plan.lock(["user:900001"], NOON)


REFS = [
    wallet(901), wallet(902), stock(901, Unit.ROCK), stock(902, Unit.ROCK), box(901),
    box(901, Unit.ROCK), TREASURY(), mint(Unit.POINT), mint(Unit.ROCK), sink(Unit.POINT),
]  # fmt: skip
MOVES = st.lists(
    st.tuples(st.sampled_from(REFS), st.sampled_from(REFS), st.integers(1, 30), st.integers(0, 40))
    | st.just("mark")
    | st.just("rewind"),
    max_size=40,
)


class Oracle:
    """The plainest ledger there is: balances in a dictionary, copied at each mark."""

    def __init__(self, balances, bodies=()):
        self.balances, self.bodies = defaultdict(int, balances), dict(bodies)

    def copy(self):
        return Oracle(self.balances, self.bodies)

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
        _play(steps, Oracle({ref: held(ref) or 0 for ref in REFS}))
        transaction.set_rollback(True)


def _play(steps, oracle):
    plan = Plan.lock(["user:901", "user:902", box(901).owner], NOON)
    marks = [(plan.mark(), oracle.copy())]
    for step in steps:
        if step == "mark":
            marks.append((plan.mark(), oracle.copy()))
        elif step == "rewind":
            mark, oracle = marks[-1][0], marks[-1][1].copy()
            plan.rewind(mark)
        else:
            debit, credit, amount, number = step
            key, seen = f"random:{number}", None
            expected = oracle.move(key, debit, credit, amount)
            try:
                plan.move(move(debit, credit, amount, key))
            except errors.LedgerError as refusal:
                seen = refusal.code
            assert seen == expected
    plan.write()
    for ref in REFS:
        if ref.kind not in (AccountKind.MINT, AccountKind.SINK):
            assert (held(ref) or 0) == oracle.balances[ref]
    written = Transfer.objects.filter(key__startswith="random:").values_list("key", "amount")
    assert dict(written) == {key: amount for key, (_, _, amount) in oracle.bodies.items()}
