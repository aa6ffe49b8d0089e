"""Purchases, starts and stocks at once, in threads that commit for real.  Source: hostile 26-29."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from economy.errors import InsufficientStock, LedgerError
from economy.ledger import wallet
from economy.models import Setting
from economy.selectors import balance_of, stock_of
from economy.units import Unit
from games.kernel.errors import IllegalAction
from games.play import writing
from games.showdown.shopping import ShopClosed, buy_weapon
from tests.economy.kit import give
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import MatchKit
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db(transaction=True)


def all_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls in threads released together; return results and refusals in order."""
    together = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        together.wait(10)
        try:
            return call()
        except (IllegalAction, LedgerError) as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_hostile_27_a_purchase_and_a_start_at_once_have_one_legal_order() -> None:
    """Either the weapon is bought before the game takes the purse, or the shop is closed."""
    for number in range(12):
        ann = new_user()
        kit = TableKit(ann, new_user(), seats=2)
        kit.seat_everybody(purse=90)
        kit.act(kit.people[1], kind="ready", configuration=1)
        ready = kit.submission(ann, kind="ready", configuration=1)
        shopping = {"user_id": ann.pk, "unit": Unit.LANDMINE, "quantity": 1}
        answer, purchase = all_at_once(
            lambda ready=ready, kit=kit: writing.apply_batch([ready], kit.now).answers[0],
            lambda shopping=shopping, n=number: buy_weapon(**shopping, action_id=f"race-{n:04d}"),
        )
        is_running = kit.row.status == "running"
        mines, left = stock_of(ann.pk)[Unit.LANDMINE], balance_of(ann.pk)
        if isinstance(purchase, ShopClosed):
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
        *(lambda add=add: writing.apply_batch([add], kit.now).answers[0] for add in adds)
    )
    refused = [answer.error for answer in answers if answer.error is not None]
    assert len(refused) == 7
    assert {type(error) for error in refused} == {InsufficientStock}
    assert stock_of(ann.pk)[Unit.ROCK] == 0


def test_hostile_29_the_last_two_rocks_are_combined_once() -> None:
    ann = new_user()
    kit = TableKit(ann, new_user(), seats=2, target=3)
    kit.start()
    kit.call_all()
    rocks = kit.view(ann)["game"]["you"]["stock"]["rock"]
    for _ in range(rocks // 2 - 1):
        kit.act(ann, kind="combine", first="rock", second="paper")
    left = kit.view(ann)["game"]["you"]["stock"]
    while left["rock"] > 2:
        kit.act(ann, kind="combine", first="rock", second="scissors")
        left = kit.view(ann)["game"]["you"]["stock"]
    two = [kit.submission(ann, kind="combine", first="rock", second="rock") for _ in range(2)]
    answers = all_at_once(
        *(lambda one=one: writing.apply_batch([one], kit.now).answers[0] for one in two)
    )
    codes = sorted(answer.error.code if answer.error else "ack" for answer in answers)
    assert codes == ["ack", "action/not_in_stock"]
    assert kit.view(ann)["game"]["you"]["stock"]["boulder"] == 1


def test_hostile_58_duels_begun_at_once_in_several_processes_count_for_each_other() -> None:
    """Each of three may begin alone, and one loses the day's most by one of them."""
    Setting.objects.filter(name="duel.largest_stake").update(value=1_000)
    for _ in range(4):
        ann, bob = new_user(), new_user()
        for user in (ann, bob):
            give(wallet(user.pk), 900)
        kits = [DuelKit(ann, bob, stake=300) for _ in range(3)]
        for kit in kits:
            kit.seat_everybody()
            kit.act(ann, kind="ready", configuration=1)
        assert begun_at_once(kits, bob) == [None, "limit", "limit"]


def test_games_with_bots_begun_at_once_in_several_processes_hold_the_limit() -> None:
    for _ in range(4):
        ann = new_user()
        give(wallet(ann.pk), 900)
        kits = [TableKit(ann, seats=2) for _ in range(3)]
        for kit in kits:
            kit.seat_everybody(50)
            kit.act(ann, kind="add_bot")
        assert begun_at_once(kits, ann) == [None, "action/bot_limit", "action/bot_limit"]


def begun_at_once(kits: Sequence[MatchKit], last: User) -> list[str | None]:
    """Let somebody get ready at all tables at once; return the codes of the answers, sorted."""
    now = max(kit.now for kit in kits) + timedelta(seconds=6)
    for kit in kits:
        kit.now = now
        kit.beat()
    ready = [kit.submission(last, kind="ready", configuration=1) for kit in kits]
    answers = all_at_once(
        *(lambda one=one: writing.apply_batch([one], now).answers[0] for one in ready)
    )
    assert sum(kit.row.status == "running" for kit in kits) == 1
    codes = [answer.error and answer.error.code for answer in answers]
    return sorted(codes, key=str)
