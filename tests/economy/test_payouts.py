from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction

from economy.ledger import TREASURY, Plan, escrow, mint, post, wallet
from economy.models import Setting, Transfer
from economy.payouts import Payout, awarded_on_the_day, given_between, pay, pay_stipend
from economy.selectors import held_in_games
from economy.transfers import TransferCode
from economy.units import Unit
from tests.at_once import all_at_once
from tests.economy.kit import NOON, give, held, move, rich
from tests.refusals import refuses

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_databases,
    pytest.mark.usefixtures("stipend_without_games"),
]

USER = 900_001


@pytest.mark.parametrize(("balance", "paid"), [(0, 5), (9, 5), (10, 0), (100, 0)], ids=str)
def test_stipend_is_for_whoever_has_less_than_the_floor(balance, paid):
    give(TREASURY(), 50)
    if balance:
        rich(USER, balance)
    assert pay_stipend(USER, NOON) == paid
    assert (held(wallet(USER)) or 0) == balance + paid


@pytest.mark.plain
def test_stipend_is_paid_once_a_utc_day_and_its_numbers_are_settings():
    give(TREASURY(), 50)
    instants = (NOON, NOON + timedelta(hours=11, minutes=59), NOON + timedelta(hours=12))
    assert [pay_stipend(USER, at) for at in instants] == [5, 0, 5]
    assert Transfer.objects.filter(key=f"stipend:{USER}:2026-11-21").count() == 1
    assert held(wallet(USER)) == 10
    other = 900_002
    rich(other, 2)
    Setting.objects.filter(name="stipend.floor").update(value=3)
    for value, paid in ((0, 0), (8, 8)):
        Setting.objects.filter(name="stipend.amount").update(value=value)
        assert pay_stipend(other, NOON) == paid


@pytest.mark.parametrize(
    ("had", "paid", "left"), [(7, {"STIPEND": 5}, 2), (2, {"STIPEND_COVER": 3, "STIPEND": 5}, 0)]
)
def test_stipend_comes_from_the_treasury_and_what_it_lacks_visibly_from_the_mint(had, paid, left):
    if held(TREASURY()):
        post([move(TREASURY(), wallet(900_999), held(TREASURY()))], NOON)
    give(TREASURY(), had)
    pay_stipend(USER, NOON)
    group = Transfer.objects.filter(group=f"stipend:{USER}:2026-11-21")
    assert dict(group.values_list("code", "amount")) == paid
    assert (held(TREASURY()), held(wallet(USER))) == (left, 5)


@pytest.mark.plain
def test_stipend_counts_what_is_held_in_running_games():
    rich(USER, 40)
    post([move(wallet(USER), escrow(990_001), 32, code=TransferCode.PURSE)], NOON)
    post([move(escrow(990_001), wallet(USER), 1, code=TransferCode.UNCALLED_RETURN)], NOON)
    assert (held(wallet(USER)), held_in_games(USER)) == (9, 31)
    assert pay_stipend(USER, NOON) == 0
    # The game ends and somebody else takes the pot: nothing is held there any more.
    post([move(escrow(990_001), wallet(900_002), 31, code=TransferCode.POT_AWARD)], NOON)
    assert held_in_games(USER) == 0
    assert pay_stipend(USER, NOON) == 5


@pytest.mark.django_db(transaction=True)
def test_stipend_is_paid_once_however_many_pages_are_opened_together_exactly():
    assert sorted(all_at_once([lambda: pay_stipend(USER, NOON)] * 12)) == [0] * 11 + [5]
    assert held(wallet(USER)) == 5
    give(TREASURY(), 12)
    before, covers = held(TREASURY()), Transfer.objects.filter(code=TransferCode.STIPEND_COVER)
    known = list(covers.values_list("pk", flat=True))
    calls = [partial(pay_stipend, user, NOON) for user in range(900_010, 900_020)]
    assert all_at_once(calls) == [5] * 10
    covered = sum(covers.exclude(pk__in=known).values_list("amount", flat=True))
    assert held(TREASURY()) == before + covered - 50
    assert covered == max(0, 50 - before)


@pytest.mark.plain
def test_payouts_of_a_group_are_paid_together_or_not_at_all():
    first, second = (
        Payout(f"prize:test:{place}", USER + place, 10, TransferCode.PRIZE, "week:test")
        for place in (1, 2)
    )
    assert pay([first], NOON)
    assert not pay([first, second], NOON)
    assert held(wallet(USER + 2)) is None
    assert not pay([second], NOON, lambda: False)
    assert pay([second], NOON, lambda: True)
    assert held(wallet(USER + 2)) == 10


@pytest.mark.plain
@pytest.mark.breaks_ledger
def test_awards_of_a_day_are_counted_by_unit_from_midnight_to_midnight():
    midnight, day, ms = NOON.replace(hour=0), timedelta(days=1), timedelta(milliseconds=1)
    award = {"code": TransferCode.GAME_AWARD}
    for unit, amount, at in (
        (Unit.POINT, 3, midnight),
        (Unit.POINT, 4, midnight + day - ms),
        (Unit.Y_POINT, 8, NOON),
        (Unit.POINT, 16, midnight + day),
        (Unit.POINT, 32, midnight - ms),
    ):
        post([move(mint(unit), wallet(USER, unit), amount, **award)], at)
    give(wallet(USER), 64)
    with transaction.atomic():
        plan = Plan.over([f"user:{USER}"], NOON)
        plan.move(move(mint(Unit.POINT), wallet(USER), 1, **award))
        awarded = awarded_on_the_day(plan, [USER, USER + 1])
    assert awarded.sums == {(USER, Unit.POINT): 8, (USER, Unit.Y_POINT): 8}
    assert given_between(midnight, midnight + day) == {USER: 7}


@pytest.mark.parametrize("code", ["STIPEND", "PRIZE", "REFERRAL"])
def test_l12_no_other_code_lets_the_mint_pay_a_stipend(code):
    plan = Plan.lock([wallet(USER).owner], NOON)
    with refuses("ledger/wrong_flow"):
        plan.move(move(mint(Unit.POINT), wallet(USER), 5, code=TransferCode[code]))
