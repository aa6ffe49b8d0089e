"""The store of practice tables without sockets: who gets a table, and what games leave behind."""

import gc
import time
import tracemalloc
from random import Random

import pytest

from games.practice.table_store import Room, TableStore
from tests.forms import form
from tests.games.practice.kit import NOON, SLUGS, open_table, play

pytestmark = pytest.mark.skipif(not SLUGS, reason="no game of the registry can be practised")

#: Bytes that may be left by all games together: less than those of one finished table.
MOST_LEFT = 20_000


class Socket:
    """A socket that nobody reads."""

    def __init__(self) -> None:
        self.opened = time.monotonic()

    def show(self) -> None:
        pass

    def close(self, code: int) -> None:
        pass


def take(store: TableStore, session: str, address: str) -> Room | None:
    """Ask for a table as the socket does; return it with a socket."""
    if not store.may_open(session, address):
        return None
    room = Room(session, address, (SLUGS[0], ""), open_table(SLUGS[0]))
    store.open(room)
    store.enter(room, Socket())
    return room


async def test_hostile_74_twenty_addresses_leave_tables_to_others() -> None:
    store = TableStore(None)
    for number in range(400):
        take(store, f"session-{number}", f"192.0.2.{number % 20}")
    # They have taken half of the tables, five each; from then on an address has three.
    assert len(store.rooms) == 100
    assert take(store, "newcomer", "203.0.113.1") is not None
    assert len(store.rooms) == 101
    await store.stop()


def play_here(store: TableStore, chance: Random, slug: str, games: int) -> None:
    """Play games in a row, each at a table of its own, with what is left from the last one."""
    balances = None
    for number in range(games):
        room = take(store, f"session-{number}", "192.0.2.1")
        assert room is not None
        room.table = type(room.table)(open_table(slug).plan, "Guest", NOON, balances)
        room.table.start(NOON)
        play(room.table, chance)
        balances = room.table._store.balances
        store.end(room)
    gc.collect()


@pytest.mark.parametrize("slug", SLUGS)
async def test_hostile_74_games_in_a_row_leave_memory_as_it_was(slug: str) -> None:
    store, chance, games = TableStore(None), Random(74), form(60, in_all=300, in_long=3_000)
    tracemalloc.start()
    try:
        play_here(store, chance, slug, games)
        before, _ = tracemalloc.get_traced_memory()
        play_here(store, chance, slug, games)
        left = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert store.rooms == {}
    assert left < MOST_LEFT + 100 * games
