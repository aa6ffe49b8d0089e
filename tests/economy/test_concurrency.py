"""Many at once: real threads and processes, real commits, on the database of the run."""

import os
import subprocess
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction

from economy import errors
from economy.audit import find_violations
from economy.ledger import TREASURY, Plan, mint, open_account, post, reverse, stock, wallet
from economy.models import Account, Transfer
from economy.units import Unit
from tests.at_once import all_at_once
from tests.boot import PATIENCE
from tests.economy.kit import NOON, box, held, move, rich, total
from tests.platform import forks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
MANY = 50


def test_50_spend_the_same_points_and_as_many_succeed_as_there_are():
    rich(900001, 20)
    before = total()
    results = all_at_once(
        [lambda: post([move(wallet(900001), TREASURY(), 1)], NOON) for _ in range(MANY)]
    )
    refusals = [each for each in results if isinstance(each, errors.InsufficientPoints)]
    assert (len(refusals), held(wallet(900001))) == (MANY - 20, 0)
    assert total() == before
    assert find_violations() == []


def test_l6_50_identical_posts_are_one_transfer():
    rich(900001, 20)
    once = move(wallet(900001), box(1), 20)
    results = all_at_once([lambda: post([once], NOON)[0].pk for _ in range(MANY)])
    assert len(set(results)) == 1
    assert (held(wallet(900001)), held(box(1))) == (0, 20)


def test_l6_identical_posts_that_lock_no_common_account_are_one_transfer():
    once = move(mint(Unit.POINT), TREASURY(), 5)
    before = held(TREASURY())
    results = all_at_once([lambda: post([once], NOON)[0].pk for _ in range(16)])
    assert len(set(results)) == 1
    assert held(TREASURY()) == before + 5


def test_l6_one_key_for_many_bodies_is_taken_once():
    for user_id in range(900001, 900017):
        rich(user_id, 5)
    results = all_at_once(
        [
            lambda user_id=user_id: post([move(wallet(user_id), TREASURY(), 1, "one key")], NOON)
            for user_id in range(900001, 900017)
        ]
    )
    conflicts = [each for each in results if isinstance(each, errors.LedgerConflict)]
    assert len(conflicts) == 15
    assert Transfer.objects.filter(key="one key").count() == 1
    assert find_violations() == []


def test_l12_one_starting_grant_however_many_open_the_account():
    all_at_once([lambda: open_account(900007, NOON) for _ in range(16)])
    assert held(wallet(900007)) == 100
    assert Account.objects.filter(owner="user:900007").count() == 6


def test_l5_one_reversal_however_many_try():
    rich(900001, 5)
    transfer = post([move(wallet(900001), box(1), 5)], NOON)[0]
    results = all_at_once(
        [lambda key=number: reverse(transfer, f"undo:{key}", "t", NOON) for number in range(16)]
    )
    assert sum(isinstance(each, Transfer) for each in results) == 1
    assert all(isinstance(each, Transfer | errors.AlreadyReversed) for each in results)
    assert (held(wallet(900001)), held(box(1))) == (5, 0)


def test_plans_of_matches_with_the_same_players_neither_deadlock_nor_lose_anything():
    for user_id in (900001, 900002, 900003):
        rich(user_id, 300)
    before = total()

    def play(number):
        with transaction.atomic():
            owners = (
                ["user:900003", "user:900001", "user:900002"]
                if number % 2
                else ["user:900001", "user:900002"]
            )
            plan = Plan.lock([*owners, box(number).owner], NOON)
            for user_id in (900001, 900002):
                plan.move(move(wallet(user_id), box(number), 10, f"{number}:{user_id}"))
            plan.move(move(box(number), TREASURY(), 1, f"{number}:tax"))
            plan.move(move(box(number), wallet(900001 + number % 2), 19, f"{number}:pot"))
            plan.write()

    results = all_at_once([lambda number=number: play(number) for number in range(24)])
    assert results == [None] * 24
    assert total() == before
    assert held(wallet(900001)) + held(wallet(900002)) == 600 - 24
    assert find_violations() == []


def url_of_test_database():
    """DATABASE_URL for a process that is to use the database of this test."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def test_processes_spend_no_point_twice():
    open_account(900001, NOON)
    connection.close()
    workers = [
        forks.Forked(
            *("-m", "tests.economy.spending", f"process-{number}"),
            env=os.environ | {"DATABASE_URL": url_of_test_database()},
            stdout=subprocess.PIPE,
        )
        for number in range(4)
    ]
    spent = [int(worker.stdout.read()) for worker in workers]
    assert [worker.wait(PATIENCE) for worker in workers] == [0] * 4
    assert (sum(spent), held(wallet(900001)), held(stock(900001, Unit.PAPER))) == (20, 0, 20)
    assert find_violations() == []
