import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from games.realtime.feeds import LOBBY_PORTION, LOBBY_REST, Lobby
from tests.games.socket_kit import until_true

EMPTY = '"games":{"duel":[]}'
ROW = {"public_id": "a", "title": "Rome"}
ONE = '"games":{"duel":[{"public_id":"a","title":"Rome"}]}'


class Lists:
    def __init__(self) -> None:
        self.rows, self.seconds, self.periods = [], 0.0, []

    async def run(self, _selector: Any) -> dict[str, list[dict[str, str]]]:
        begun = time.monotonic()
        await asyncio.sleep(self.seconds)
        self.periods.append((begun, time.monotonic()))
        return {"duel": list(self.rows)}


class Watcher:
    """A socket that keeps what it was shown; ``then`` runs after each."""

    def __init__(self) -> None:
        self.shown, self.rows, self.then = [], [], lambda: None

    def show_lobby(self, lists: str, rows: str | None = None) -> None:
        self.shown.append(lists)
        self.rows.append(rows)
        self.then()

    def close(self, code: int) -> None:
        raise AssertionError(code)


@pytest.fixture
def lists() -> Lists:
    return Lists()


@pytest.fixture
async def lobby(lists: Lists, jumping: Any) -> AsyncIterator[Lobby]:
    made = Lobby(lists)  # type: ignore[arg-type]
    made.start()
    yield made
    await made.stop()


async def shown_to(*watchers: Watcher, count: int) -> None:
    await until_true(lambda: all(len(watcher.shown) >= count for watcher in watchers))


async def loaded(lists: Lists, times: int) -> None:
    count = len(lists.periods) + times
    await until_true(lambda: len(lists.periods) >= count)


async def enter(lobby: Lobby, count: int) -> list[Watcher]:
    watchers = [Watcher() for _ in range(count)]
    for watcher in watchers:
        lobby.enter(watcher)
    await shown_to(*watchers, count=1)
    return watchers


async def test_lobby_lets_the_loop_turn_between_portions(lobby: Lobby, lists: Lists) -> None:
    watchers = await enter(lobby, 3 * LOBBY_PORTION)
    turns: list[int] = []

    def note_turn() -> None:
        turns.append(sum(len(watcher.shown) > 1 for watcher in watchers))

    for watcher in watchers:
        watcher.then = lambda: asyncio.get_running_loop().call_soon(note_turn)
    lists.rows.append(ROW)
    lobby.look_again()
    await shown_to(*watchers, count=2)
    assert {watcher.shown[-1] for watcher in watchers} == {ONE}
    assert {LOBBY_PORTION, 2 * LOBBY_PORTION} <= set(turns)


async def test_lobby_shows_nothing_to_a_socket_that_has_left_meanwhile(lobby, lists) -> None:
    watchers = await enter(lobby, 2 * LOBBY_PORTION)
    left: list[Watcher] = []

    def leave_all_others() -> None:
        if not left:
            left.extend(each for each in watchers if len(each.shown) == 1)
            for each in left:
                lobby.leave(each)

    for watcher in watchers:
        watcher.then = leave_all_others
    lists.rows.append(ROW)
    await loaded(lists, 2)
    assert (len(left), {len(each.shown) for each in left}) == (len(watchers) - 1, {1})


async def test_lobby_shows_a_socket_that_enters_meanwhile_the_new_lists_once(lobby, lists) -> None:
    watchers, late = await enter(lobby, 2 * LOBBY_PORTION), Watcher()

    def enter_late() -> None:
        if late not in lobby.watchers:
            lobby.enter(late)

    for watcher in watchers:
        watcher.then = enter_late
    lists.rows.append(ROW)
    lobby.look_again()
    await shown_to(*watchers, count=2)
    assert (late.shown, watchers[0].shown) == ([ONE], [EMPTY, ONE])


async def test_lobby_rests_several_times_as_long_as_the_lists_took(lobby, lists) -> None:
    await enter(lobby, 1)
    lists.seconds = 1.0
    await loaded(lists, 1)
    lobby.look_again()
    await loaded(lists, 1)
    (_, ended), (begun, _) = lists.periods[-2:]
    assert begun - ended == pytest.approx(LOBBY_REST * lists.seconds)


async def test_lobby_writes_changed_rows_once_for_all_and_none_that_are_longer_than_lists(
    lobby: Lobby, lists: Lists
) -> None:
    lists.rows += [{"public_id": f"match {no}", "title": "Rome"} for no in range(80)]
    watchers = await enter(lobby, 2)
    lists.rows[3] = {"public_id": "match 3", "title": "Paris"}
    lobby.look_again()
    await shown_to(*watchers, count=2)
    rows = [watcher.rows for watcher in watchers]
    assert rows[0][0] is rows[1][0] is None
    assert rows[0][1] is rows[1][1]
    assert rows[0][1] == (
        '"games":{"duel":{"gone":[],"rows":[[3,{"public_id":"match 3","title":"Paris"}]]}}'
    )
    lists.rows.clear()
    lobby.look_again()
    await shown_to(*watchers, count=3)
    assert [watcher.rows[2] for watcher in watchers] == [None, None]
