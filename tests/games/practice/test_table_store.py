import asyncio
import gc
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

import pytest

from games.engine.facts import Growing, IdentityCache
from games.practice.table_store import Room, TableStore
from games.practice.tables import Plan, PracticeTable, practice_of
from tests.forms import form
from tests.games.practice.kit import NOON, SLUGS, open_table, play

pytestmark = pytest.mark.skipif(not SLUGS, reason="no game of the registry can be practised")

LruCache = type(lru_cache(lambda: None))
#: Blocks of memory that may be left: by all games together, and by each.
LEFT, LEFT_BY_EACH = 100, 2


class Socket:
    def __init__(self) -> None:
        self.opened = time.monotonic()

    def show(self) -> None:
        pass

    def close(self, code: int) -> None:
        pass


def take(store: TableStore, session: str, address: str) -> Room | None:
    room = store.room_for(address, session, (SLUGS[0], ""), lambda: open_table(SLUGS[0]))
    if room is not None:
        store.enter(room, Socket())
    return room


async def test_hostile_76_twenty_addresses_leave_tables_to_others(settings) -> None:
    store = TableStore(None)
    for number in range(400):
        take(store, f"session-{number}", f"192.0.2.{number % 20}")
    # They have taken half of the tables, five each; from then on an address has three.
    assert len(store.rooms) == 100
    assert take(store, "newcomer", "203.0.113.1") is not None
    assert len(store.rooms) == 101
    await store.stop()
    settings.PRACTICE_PER_ADDRESS, alone = 2, TableStore(None)
    given = [take(alone, f"session-{number}", "192.0.2.1") for number in range(3)]
    assert [room is not None for room in given] == [True, True, False]
    assert take(alone, "newcomer", "203.0.113.1") is not None
    await alone.stop()


async def blocks() -> int:
    """Return how many blocks of memory are in use, without those of the bounded caches."""
    # A turn of the loop removes cancelled timers.
    await asyncio.sleep(0)
    for kept in gc.get_objects():
        if type(kept) in (IdentityCache, Growing):
            kept._kept.clear()
        elif type(kept) is LruCache and kept.cache_parameters()["maxsize"]:
            kept.cache_clear()
    gc.collect()
    return sys.getallocatedblocks()


def play_here(store: TableStore, plan: Plan, games: int) -> None:
    chance = Random(76)
    for number in range(games):
        room = take(store, f"session-{number}", "192.0.2.1")
        assert room is not None
        room.table = PracticeTable(plan, "Guest", NOON)
        room.table.start(NOON)
        play(room.table, chance)
        room.table = room.table.next(NOON)
        room.table.start(NOON)
        play(room.table, chance)
        store.end(room)


def plans() -> Iterator[tuple[str, Plan]]:
    for slug in SLUGS:
        plan = open_table(slug).plan
        yield slug, plan
        practice = practice_of(plan.game)
        if practice.lesson is not None:
            yield f"{slug} lesson", replace(plan, lesson=practice.lesson)


@pytest.mark.parametrize(("_name", "plan"), [*plans()])
async def test_hostile_76_games_in_a_row_leave_memory_as_it_was(_name: str, plan: Plan) -> None:
    store, games = TableStore(None), form(40, in_long=2_000)
    play_here(store, plan, games)
    # The caches are among the objects that were frozen.
    gc.unfreeze()
    before = await blocks()
    play_here(store, plan, games)
    left = await blocks() - before
    assert store.rooms == {}
    assert left < LEFT + LEFT_BY_EACH * games
    kept = [thing for thing in gc.get_objects() if type(thing) in (Room, PracticeTable)]
    assert kept == []
