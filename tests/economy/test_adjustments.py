from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction

from economy import adjustments
from economy.adjustments import AdjustmentRefused, OwnAccount, approve_adjustment
from economy.audit import find_violations
from economy.errors import InsufficientPoints
from economy.ledger import wallet
from economy.models import Account, Adjustment, AdminRecord, Setting, Transfer
from economy.records import Actor, Change, canonical, write_record
from tests.at_once import all_at_once
from tests.economy.kit import NOON, held, rich
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ANN, BEA, CY = (Actor(f"user:{900_000 + no}", name) for no, name in enumerate(("Ann", "Bea", "Cy")))
PLAYER = wallet(900_010)
REASON = "lost by a fault of ours"


def propose(amount, *, actor=ANN, token="t1", reason=REASON, target=PLAYER.owner):
    wish = adjustments.Wish(target, amount, reason)
    return adjustments.propose_adjustment(actor, wish, token, NOON)


@pytest.mark.parametrize(("amount", "left"), [(25, 75), (-25, 25), (-50, 0), (1000, 1050)])
def test_an_adjustment_moves_points_both_ways_and_leaves_a_record(amount, left):
    rich(900_010, 50)
    made = propose(amount)
    assert (made.state, held(PLAYER)) == ("approved", left)
    transfer = Transfer.objects.get(key=f"adjust:{made.pk}")
    assert (transfer.code, transfer.amount) == ("ADMIN_ADJUST", abs(amount))
    record = AdminRecord.objects.get()
    told = (record.actor, record.action, record.target, record.reason)
    assert told == (ANN.owner, "points_adjusted", PLAYER.owner, REASON)
    assert f'"amount":{amount}' in record.after


@pytest.mark.parametrize(
    ("amount", "reason", "code"),
    [
        *((amount, REASON, "adjustment/refused") for amount in (0, True, 1.5)),
        *((5, reason, "adjustment/refused") for reason in ("too short", " " * 30, "x" * 201)),
        (-51, REASON, "ledger/insufficient_points"),
        *((amount, REASON, "limit") for amount in (10**12, -(10**12))),
    ],
)
def test_what_is_malformed_or_cannot_be_paid_moves_nothing(amount, reason, code):
    rich(900_010, 50)
    with refuses(code):
        propose(amount, reason=reason)
    assert held(PLAYER) == 50
    assert not AdminRecord.objects.exists()
    assert not Adjustment.objects.exists()


@pytest.mark.plain
def test_own_points_and_those_past_the_limit_of_a_wallet_are_refused():
    with pytest.raises(OwnAccount) as refused:
        propose(5, target=ANN.owner)
    assert refused.value.code == "forbidden"
    rich(900_010, 5)
    row = Account.objects.filter(owner=PLAYER.owner, unit="POINT")
    row.update(balance=10**12)
    with refuses("limit") as refused:
        propose(1)
    assert (refused.value.code, held(PLAYER)) == ("limit", 10**12)
    row.update(balance=5)


@pytest.mark.plain
@pytest.mark.parametrize("amount", [1001, -1001, 10**9])
def test_more_than_a_thousand_points_wait_for_a_second_administrator(amount):
    rich(900_010, 5000)
    made = propose(amount)
    assert made.state == "proposed"
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


@pytest.mark.plain
def test_a_refused_and_an_expired_adjustment_move_nothing_and_the_limit_is_a_setting():
    Setting.objects.update_or_create(name="admin.adjust_alone", defaults={"value": 10})
    refused, late = propose(11), propose(3000, token="t2")
    done = adjustments.refuse_adjustment(BEA, refused.pk, NOON, reason="not a fault at all")
    assert done.state == "refused"
    done = approve_adjustment(BEA, late.pk, NOON + timedelta(days=7, seconds=1))
    assert done.state == "expired"
    for made in (refused, late):
        with pytest.raises(AdjustmentRefused):
            approve_adjustment(CY, made.pk, NOON)
    assert held(PLAYER) is None
    assert propose(10, token="t3").state == "approved"


@pytest.mark.plain
def test_an_approval_that_cannot_be_paid_any_more_leaves_it_waiting():
    rich(900_010, 1500)
    made = propose(-1400)
    propose(-900, token="t2")
    with pytest.raises(InsufficientPoints):
        approve_adjustment(BEA, made.pk, NOON)
    made.refresh_from_db()
    assert (made.state, held(PLAYER)) == ("proposed", 600)


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_the_same_form_eight_times_at_once_is_one_adjustment_and_with_another_body_a_conflict():
    answers = all_at_once([partial(propose, 5)] * 8)
    assert {answer.pk for answer in answers} == {Adjustment.objects.get().pk} == {propose(5).pk}
    for other in (partial(propose, 6), partial(propose, 5, actor=BEA)):
        with refuses("conflict"):
            other()
    assert (held(PLAYER), AdminRecord.objects.count()) == (5, 1)


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_eight_approvals_at_once_make_one_transfer():
    made = propose(5000)

    def approve(number):
        try:
            approve_adjustment(Actor(f"user:{number}", f"admin{number}"), made.pk, NOON)
        except AdjustmentRefused as refusal:
            return type(refusal)

    answers = all_at_once(partial(approve, 900_100 + number) for number in range(8))
    assert (answers.count(None), answers.count(AdjustmentRefused)) == (1, 7)
    assert Transfer.objects.filter(code="ADMIN_ADJUST").count() == 1
    assert held(PLAYER) == 5000


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
@pytest.mark.breaks_ledger
def test_l12_the_audit_finds_an_approval_without_its_transfer_and_one_that_moved_too_much():
    made = propose(5)
    assert not find_violations()
    Adjustment.objects.filter(pk=made.pk).update(amount=6)
    assert any("moved something else" in line for line in find_violations())
    Adjustment.objects.filter(pk=made.pk).update(amount=5, state="refused")
    assert any("no approval" in line for line in find_violations())


@pytest.mark.sqlite
def test_replacing_a_record_is_refused_on_sqlite():
    with transaction.atomic():
        write_record(ANN, "setting_changed", "setting:x", change=Change({"v": 1}, {"v": 2}))
    with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
        connection.cursor().execute(
            "INSERT OR REPLACE INTO economy_adminrecord SELECT id, at, actor, 'Eve', action,"
            " target, reason, before, after FROM economy_adminrecord"
        )


@pytest.mark.django_db(transaction=True)
def test_a_record_outside_its_changes_transaction_is_refused():
    with pytest.raises(transaction.TransactionManagementError):
        write_record(ANN, "setting_changed", "setting:x")


def test_records_tell_values_in_one_way():
    assert canonical({"b": {3, 1}, "a": [True, None, NOON]}) == (
        '{"a":["2026-11-21T12:00:00+00:00",null,true],"b":[1,3]}'
    )
