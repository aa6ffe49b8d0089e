"""Points given or taken by administrators: bounds, four eyes, once, and the records of it."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction

from economy.adjustments import (
    AdjustmentRefused,
    OwnAccount,
    Wish,
    approve_adjustment,
    propose_adjustment,
    refuse_adjustment,
)
from economy.admin_models import Adjustment, AdminRecord
from economy.audit import find_violations
from economy.errors import InsufficientPoints, LedgerConflict, LimitReached
from economy.ledger import wallet
from economy.models import Setting, Transfer
from economy.records import Actor, Change, canonical, write_record
from tests.at_once import all_at_once
from tests.economy.kit import NOON, give, held, rich

pytestmark = pytest.mark.django_db
ANN, BEA, CY = (Actor(f"user:{900_000 + no}", name) for no, name in enumerate(("Ann", "Bea", "Cy")))
PLAYER = wallet(900_010)
REASON = "lost by a fault of ours"


def propose(amount, *, actor=ANN, token="t1", reason=REASON, target=PLAYER.owner):
    return propose_adjustment(actor, Wish(target, amount, reason), token, NOON)


@pytest.mark.both_databases
@pytest.mark.parametrize(("amount", "left"), [(25, 75), (-25, 25), (-50, 0), (1000, 1050)])
def test_an_adjustment_moves_points_both_ways_and_leaves_a_record(amount, left):
    rich(900_010, 50)
    made = propose(amount)
    assert made.state == "approved"
    assert held(PLAYER) == left
    transfer = Transfer.objects.get(key=f"adjust:{made.pk}")
    assert (transfer.code, transfer.amount) == ("ADMIN_ADJUST", abs(amount))
    record = AdminRecord.objects.get()
    told = (record.actor, record.action, record.target, record.reason)
    assert told == (ANN.owner, "points_adjusted", PLAYER.owner, REASON)
    assert f'"amount":{amount}' in record.after


@pytest.mark.parametrize(
    ("amount", "reason", "error"),
    [
        (0, REASON, AdjustmentRefused),
        (True, REASON, AdjustmentRefused),
        (1.5, REASON, AdjustmentRefused),
        (5, "too short", AdjustmentRefused),
        (5, " " * 30, AdjustmentRefused),
        (5, "x" * 201, AdjustmentRefused),
        (-51, REASON, InsufficientPoints),
        (10**12, REASON, LimitReached),
        (-(10**12), REASON, LimitReached),
    ],
)
def test_what_is_malformed_or_cannot_be_paid_moves_nothing(amount, reason, error):
    rich(900_010, 50)
    with pytest.raises(error):
        propose(amount, reason=reason)
    assert held(PLAYER) == 50
    assert not AdminRecord.objects.exists()
    assert not Adjustment.objects.exists()


def test_a_wallet_never_passes_its_limit_by_an_adjustment():
    for _ in range(1000):
        if (held(PLAYER) or 0) >= 10**12:
            break
        give(PLAYER, 10**9)
    with pytest.raises(LimitReached) as refused:
        propose(1)
    assert refused.value.code == "limit"
    assert held(PLAYER) == 10**12


@pytest.mark.plain
@pytest.mark.parametrize("amount", [1001, -1001, 10**9])
def test_more_than_a_thousand_points_wait_for_a_second_administrator(amount):
    rich(900_010, 5000)
    made = propose(amount)
    assert made.state == "proposed"
    assert held(PLAYER) == 5000
    for nobody in (ANN, Actor(PLAYER.owner, "player")):
        with pytest.raises(OwnAccount):
            approve_adjustment(nobody, made.pk, NOON)
    assert held(PLAYER) == 5000
    assert approve_adjustment(BEA, made.pk, NOON).approver == BEA.owner
    assert held(PLAYER) == 5000 + amount
    with pytest.raises(AdjustmentRefused):
        approve_adjustment(CY, made.pk, NOON)
    actions = AdminRecord.objects.order_by("pk").values_list("action", "actor", "before")
    assert list(actions) == [
        ("adjustment_proposed", ANN.owner, "{}"),
        ("adjustment_approved", BEA.owner, '{"state":"proposed"}'),
    ]


def test_the_setting_can_ask_for_a_second_administrator_earlier():
    Setting.objects.update_or_create(name="admin.adjust_alone", defaults={"value": 10})
    assert propose(11).state == "proposed"
    assert propose(10, token="t2").state == "approved"


@pytest.mark.plain
def test_an_approval_that_cannot_be_paid_any_more_leaves_it_waiting():
    rich(900_010, 1500)
    made = propose(-1400)
    propose(-900, token="t2")
    with pytest.raises(InsufficientPoints):
        approve_adjustment(BEA, made.pk, NOON)
    made.refresh_from_db()
    assert made.state == "proposed"
    assert held(PLAYER) == 600


@pytest.mark.plain
def test_a_refused_and_an_expired_adjustment_move_nothing():
    refused, late = propose(2000), propose(3000, token="t2")
    assert refuse_adjustment(BEA, refused.pk, NOON, reason="not a fault at all").state == "refused"
    done = approve_adjustment(BEA, late.pk, NOON + timedelta(days=7, seconds=1))
    assert done.state == "expired"
    for made in (refused, late):
        with pytest.raises(AdjustmentRefused):
            approve_adjustment(CY, made.pk, NOON)
    assert held(PLAYER) is None


def test_nobody_adjusts_their_own_points():
    with pytest.raises(OwnAccount) as refused:
        propose(5, target=ANN.owner)
    assert refused.value.code == "forbidden"


@pytest.mark.plain
def test_the_same_form_twice_is_one_adjustment_and_with_another_body_a_conflict():
    assert propose(5).pk == propose(5).pk
    assert held(PLAYER) == 5
    for other in (partial(propose, 6), partial(propose, 5, actor=BEA)):
        with pytest.raises(LedgerConflict):
            other()


def approve_or_be_refused(admin, adjustment_id):
    try:
        return approve_adjustment(admin, adjustment_id, NOON)
    except AdjustmentRefused as refusal:
        return refusal


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_eight_approvals_at_once_make_one_transfer():
    made = propose(5000)
    admins = [Actor(f"user:{900_100 + no}", f"admin{no}") for no in range(8)]
    answers = all_at_once(partial(approve_or_be_refused, admin, made.pk) for admin in admins)
    assert sum(isinstance(answer, Adjustment) for answer in answers) == 1
    assert sum(isinstance(answer, AdjustmentRefused) for answer in answers) == 7
    assert Transfer.objects.filter(code="ADMIN_ADJUST").count() == 1
    assert held(PLAYER) == 5000


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_the_same_form_eight_times_at_once_is_one_transfer():
    answers = all_at_once([partial(propose, 5)] * 8)
    assert {answer.pk for answer in answers} == {Adjustment.objects.get().pk}
    assert held(PLAYER) == 5
    assert AdminRecord.objects.count() == 1


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "wrong",
    [
        {"target": ANN.owner},
        {"approver": ANN.owner, "state": "approved"},
        {"approver": PLAYER.owner, "state": "approved"},
        {"amount": 1001, "state": "approved"},
        {"amount": 0},
    ],
)
def test_the_database_itself_wants_four_eyes(wrong):
    fields = {"proposer": ANN.owner, "target": PLAYER.owner, "amount": 5, "reason": REASON}
    with pytest.raises(IntegrityError), transaction.atomic():
        Adjustment.objects.create(token="t9", proposed_at=NOON, **{**fields, **wrong})


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.breaks_ledger
def test_l12_the_audit_finds_an_approval_without_its_transfer_and_one_that_moved_too_much():
    made = propose(5)
    assert not find_violations()
    Adjustment.objects.filter(pk=made.pk).update(amount=6)
    assert any("moved something else" in line for line in find_violations())
    Adjustment.objects.filter(pk=made.pk).update(amount=5, state="refused")
    assert any("no approval" in line for line in find_violations())


# Records -------------------------------------------------------------------------------------


def record():
    with transaction.atomic():
        return write_record(ANN, "setting_changed", "setting:x", change=Change({"v": 1}, {"v": 2}))


@pytest.mark.sqlite
def test_replacing_a_record_is_refused_on_sqlite():
    made = record()
    with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
        connection.cursor().execute(
            "INSERT OR REPLACE INTO economy_adminrecord SELECT id, at, actor, 'Eve', action,"
            " target, reason, before, after FROM economy_adminrecord WHERE id = %s",
            [made.pk],
        )


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_record_outside_its_changes_transaction_is_refused():
    with pytest.raises(transaction.TransactionManagementError):
        write_record(ANN, "setting_changed", "setting:x")


def test_records_tell_values_in_one_way():
    assert canonical({"b": {3, 1}, "a": [True, None, NOON]}) == (
        '{"a":["2026-11-21T12:00:00+00:00",null,true],"b":[1,3]}'
    )
