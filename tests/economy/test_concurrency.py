import os
import subprocess
from functools import partial
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction

from economy import errors
from economy.ledger import TREASURY, Plan, mint, open_account, post, reverse, stock, wallet
from economy.models import Account, Transfer
from economy.units import Unit
from tests.at_once import all_at_once
from tests.boot import PATIENCE
from tests.economy.kit import NOON, box, held, move, rich, total
from tests.platform import forks
from tests.refusals import codes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
MANY = 50


def test_50_spend_the_same_points_and_as_many_succeed_as_there_are():
    rich(900001, 20)
    before = total()
    results = all_at_once([lambda: post([move(wallet(900001), TREASURY(), 1)], NOON)] * MANY)
    refusals = [each for each in results if isinstance(each, errors.InsufficientPoints)]
    assert (len(refusals), held(wallet(900001)), total()) == (MANY - 20, 0, before)


def test_l6_many_posts_under_one_key_are_one_transfer():
    """Identical ones; those that lock no account; and those of many bodies."""
    rich(900001, 20)
    before = held(TREASURY())
    for once, many in (
        (move(wallet(900001), box(1), 20), MANY),
        (move(mint(Unit.POINT), TREASURY(), 5), 16),
    ):
        results = all_at_once([lambda once=once: post([once], NOON)[0].pk] * many)
        assert len(set(results)) == 1
    assert (held(wallet(900001)), held(box(1)), held(TREASURY())) == (0, 20, before + 5)
    users = range(900002, 900018)
    for user_id in users:
        rich(user_id, 5)
    moves = [move(wallet(user_id), TREASURY(), 1, "one key") for user_id in users]
    results = all_at_once([partial(post, [each], NOON) for each in moves])
    assert codes(results) == ["conflict"] * 15
    assert Transfer.objects.filter(key="one key").count() == 1


def test_l5_l12_one_starting_grant_and_one_reversal_however_many_try():
    all_at_once([lambda: open_account(900007, NOON)] * 16)
    assert held(wallet(900007)) == 100
    assert Account.objects.filter(owner="user:900007").count() == 6
    transfer = post([move(wallet(900007), box(1), 5)], NOON)[0]
    results = all_at_once([partial(reverse, transfer, f"undo:{no}", "t", NOON) for no in range(16)])
    assert sum(isinstance(each, Transfer) for each in results) == 1
    assert codes(results) == ["ledger/already_reversed"] * 15
    assert (held(wallet(900007)), held(box(1))) == (100, 0)


def test_plans_of_matches_with_the_same_players_neither_deadlock_nor_lose_anything():
    for user_id in (900001, 900002, 900003):
        rich(user_id, 300)
    before = total()

    def play(number):
        with transaction.atomic():
            owners = [f"user:90000{no}" for no in ((3, 1, 2) if number % 2 else (1, 2))]
            plan = Plan.lock([*owners, box(number).owner], NOON)
            for user_id in (900001, 900002):
                plan.move(move(wallet(user_id), box(number), 10, f"{number}:{user_id}"))
            plan.move(move(box(number), TREASURY(), 1, f"{number}:tax"))
            plan.move(move(box(number), wallet(900001 + number % 2), 19, f"{number}:pot"))
            plan.write()

    assert all_at_once([partial(play, number) for number in range(24)]) == [None] * 24
    assert total() == before
    assert held(wallet(900001)) + held(wallet(900002)) == 600 - 24


def test_processes_spend_no_point_twice():
    open_account(900001, NOON)
    connection.close()
    url = f"sqlite:///{connection.settings_dict['NAME']}"
    if connection.vendor != "sqlite":
        path = f"/{connection.settings_dict['NAME']}"
        url = urlsplit(os.environ["DATABASE_URL"])._replace(path=path).geturl()
    workers = [
        forks.Forked(
            *("-m", "tests.economy.spending", f"process-{number}"),
            env=os.environ | {"DATABASE_URL": url},
            stdout=subprocess.PIPE,
        )
        for number in range(4)
    ]
    spent = [int(worker.stdout.read()) for worker in workers]
    assert [worker.wait(PATIENCE) for worker in workers] == [0] * 4
    assert (sum(spent), held(wallet(900001)), held(stock(900001, Unit.PAPER))) == (20, 0, 20)
