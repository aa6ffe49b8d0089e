"""Purchases, starts and stocks at once, in threads that commit for real.  Source: hostile 26-29."""

import itertools

import pytest

from economy import shop
from economy.audit import find_violations
from economy.errors import LedgerError
from economy.ledger import open_account, stock, wallet
from economy.selectors import balance_of, stock_of
from economy.units import Unit
from games.matches.processing import writing
from games.showdown.shopping import buy_weapon
from tests.at_once import all_at_once
from tests.economy.kit import NOON, held
from tests.games.table_kit import TableKit, new_user
from tests.refusals import codes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def test_hostile_27_a_purchase_and_a_start_at_once_have_one_legal_order() -> None:
    for number in range(12):
        ann = new_user()
        kit = TableKit(ann, new_user(), seats=2)
        kit.seat_everybody(purse=90)
        kit.act(kit.people[1], kind="ready", configuration=1)
        ready = kit.submission(ann, kind="ready", configuration=1)
        shopping = {"user_id": ann.pk, "unit": Unit.LANDMINE, "quantity": 1}
        answer, purchase = all_at_once(
            [
                lambda ready=ready, kit=kit: writing.apply_batch([ready], kit.now).answers[0],
                lambda s=shopping, n=number: buy_weapon(**s, action_id=f"race-{n:04d}"),
            ]
        )
        is_running = kit.row.status == "running"
        mines, left = stock_of(ann.pk)[Unit.LANDMINE], balance_of(ann.pk)
        if codes([purchase]) == ["shop/closed_while_playing"]:
            assert (answer.error, is_running, mines, left) == (None, True, 0, 10)
        else:
            # 12 points are gone: 88 do not cover a purse of 90.
            assert (is_running, mines, left) == (False, 1, 88)
            assert answer.error is None or answer.error.code == "ledger/insufficient_points"


def test_hostile_28_one_rock_is_added_once_from_eight_tabs() -> None:
    ann = new_user()
    buy_weapon(user_id=ann.pk, unit=Unit.ROCK, quantity=1, action_id="one-rock-only")
    kit = TableKit(ann, new_user(), seats=2)
    kit.start()
    kit.call_all()
    adds = [kit.submission(ann, kind="add", weapon="rock") for _ in range(8)]
    answers = all_at_once(
        lambda add=add: writing.apply_batch([add], kit.now).answers[0] for add in adds
    )
    refused = [answer.error for answer in answers if answer.error is not None]
    assert codes(refused) == ["ledger/insufficient_stock"] * 7
    assert stock_of(ann.pk)[Unit.ROCK] == 0


def test_hostile_29_the_last_two_rocks_are_combined_once() -> None:
    ann = new_user()
    kit = TableKit(ann, new_user(), seats=2, target=3)
    kit.start()
    kit.call_all()
    for other in itertools.cycle(("paper", "scissors")):
        if kit.view(ann)["game"]["you"]["stock"]["rock"] == 2:
            break
        kit.act(ann, kind="combine", first="rock", second=other)
    two = [kit.submission(ann, kind="combine", first="rock", second="rock") for _ in range(2)]
    answers = all_at_once(
        lambda one=one: writing.apply_batch([one], kit.now).answers[0] for one in two
    )
    codes = sorted(answer.error.code if answer.error else "ack" for answer in answers)
    assert codes == ["ack", "action/not_in_stock"]
    assert kit.view(ann)["game"]["you"]["stock"]["boulder"] == 1


def test_hostile_26_at_once_one_buys_what_the_points_pay_for() -> None:
    """Sixty at once; tests/faults/test_spending.py does it by sockets and pages."""
    open_account(900001, NOON)  # 100 points; a rock costs 5
    one_rock = shop.Order(Unit.ROCK, 1)
    results = all_at_once(
        lambda key=number: shop.buy(user_id=900001, order=one_rock, key=f"key-{key:04}")
        for number in range(60)
    )
    refused = [each for each in results if isinstance(each, LedgerError)]
    assert {each.code for each in refused} == {"ledger/insufficient_points"}
    assert len(results) - len(refused) == 20
    assert (held(wallet(900001)), held(stock(900001, Unit.ROCK)), find_violations()) == (0, 20, [])
