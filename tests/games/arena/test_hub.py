import asyncio
import math
from types import SimpleNamespace
from typing import Any

import pytest

from economy.tunables import TUNABLES
from games.arena.hub import (
    ACTION_LIMITS,
    FEW,
    LIMITS,
    PORTION,
    REST,
    SPREAD,
    ArenaHub,
    rest_between,
)
from games.arena.models import Player
from games.arena.presenters import Standing, own_stats_of, sees_choices
from games.arena.rules.actions import Choose, Join
from games.arena.rules.moves import Move
from games.realtime.limits import TooFast

USER = 7


class Visitor:
    user_id = USER

    def __init__(self) -> None:
        self.shown: list[bytes] = []

    def show(self, encoded: bytes, now: str, round_no: int) -> None:
        self.shown.append(encoded)


def arena_hub_in_round(no: int, **figures: Any) -> tuple[ArenaHub, Visitor]:
    arena_hub, visitor = ArenaHub(SimpleNamespace(reads=None)), Visitor()  # type: ignore[arg-type]
    arena_hub.enter(visitor)
    arena_hub.standing = Standing(round_no=no, is_selecting=True)
    arena_hub._waiting.clear()
    arena_hub._new.clear()
    arena_hub._wanted.clear()
    arena_hub._mine[USER] = mine(**figures)
    return arena_hub, visitor


def mine(choice: str = "", **figures: Any) -> Any:
    return own_stats_of(Player(user_id=USER, is_in=True, **figures), choice)


def test_arena_hub_shows_at_once_what_has_become_of_a_choice() -> None:
    arena_hub, visitor = arena_hub_in_round(3)
    arena_hub.changed(3, {USER: mine("rock")})
    assert b'"choice":"rock"' in visitor.shown[-1]
    assert not arena_hub._wanted.is_set()


def test_arena_hub_takes_no_grant_from_a_round_that_is_over() -> None:
    arena_hub, visitor = arena_hub_in_round(4, streak=0)
    arena_hub.changed(3, {USER: mine("rock", streak=9)})
    assert (arena_hub.granted(), visitor.shown) == ([], [])
    assert not sees_choices(arena_hub.standing, arena_hub._mine[USER])  # type: ignore[arg-type]
    assert arena_hub._wanted.is_set()
    assert arena_hub._new == {USER}


def test_arena_hub_forgets_who_has_left_and_looks_before_it_shows() -> None:
    arena_hub, visitor = arena_hub_in_round(3, streak=9)
    assert arena_hub.granted() == [USER]
    arena_hub.leave(visitor)
    assert (arena_hub.granted(), arena_hub.users) == ([], set())
    late = Visitor()
    arena_hub.enter(late)
    arena_hub.show([late])
    assert late.shown == []


def test_arena_a_few_are_told_without_a_rest_and_thousands_with_bounded_ones() -> None:
    assert {rest_between(count) for count in (1, PORTION, FEW * PORTION)} == {0.0}
    for count in (FEW * PORTION + 1, 2_000, 10_000, 100_000):
        rest = rest_between(count)
        assert 0.0 < rest <= REST
        assert rest * math.ceil(count / PORTION) <= SPREAD


def test_arena_hub_counts_the_actions_of_each_user_by_the_limits_of_the_site(monkeypatch) -> None:
    arena_hub, _ = arena_hub_in_round(3)
    for _ in range(5):
        arena_hub.count_action(USER, Join())
    with pytest.raises(TooFast) as refusal:
        arena_hub.count_action(USER, Join())
    assert 0 < refusal.value.retry_ms <= 1000
    arena_hub.count_action(USER, Choose(Move.ROCK))
    arena_hub.count_action(USER + 1, Join())

    async def run(*_: object) -> tuple[Standing, dict[int, Any], dict[str, int]]:
        limits = {name: TUNABLES[name].default for name in LIMITS}
        return Standing(round_no=3, is_selecting=True), {}, limits | {ACTION_LIMITS[1]: 2}

    monkeypatch.setattr(arena_hub, "_executor", SimpleNamespace(run=run))
    asyncio.run(arena_hub._look())
    # Its next look reads changed limits.
    for _ in range(2):
        arena_hub.count_action(USER, Join())
    with pytest.raises(TooFast):
        arena_hub.count_action(USER, Join())
