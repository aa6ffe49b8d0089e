"""The user feed of a process with many users."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from games.matches.queries.attention import Affairs
from games.realtime import user_feed
from games.realtime.user_feed import PORTION, REST, UserFeed


class Ledger:
    """Affairs of users, instead of the database; each shares one table with a neighbour."""

    def __init__(self) -> None:
        self.balance = 100
        self.seconds = 0.0
        self.asked: list[list[int]] = []
        self.periods: list[tuple[float, float]] = []

    async def run(self, _selector: Any, user_ids: Iterable[int]) -> dict[int, Affairs]:
        begun, users = time.monotonic(), list(user_ids)
        self.asked.append(users)
        await asyncio.sleep(self.seconds)
        self.periods.append((begun, time.monotonic()))
        return {pk: Affairs(self.balance, {}, frozenset({pk // 2})) for pk in users}


class Watcher:
    """A socket that keeps the balances that it was shown."""

    def __init__(self, user_id: int) -> None:
        self.user_id: int | None = user_id
        self.shown: list[int] = []

    def show_affairs(self, affairs: Affairs) -> None:
        self.shown.append(affairs.balance)


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
async def feed(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[UserFeed]:
    """A running feed that does not compare yet."""
    monkeypatch.setattr(user_feed, "LEAST_PAUSE", 0.0)
    monkeypatch.setattr(user_feed, "COMPARE", 3600.0)
    made = UserFeed(ledger)  # type: ignore[arg-type]
    made.start()
    await asyncio.sleep(0)
    yield made
    await made.stop()


async def until(is_so: Any) -> None:
    """Wait for a fact."""
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0)


async def enter(feed: UserFeed, count: int) -> list[Watcher]:
    """Open sockets and wait until each has been shown something."""
    watchers = [Watcher(number) for number in range(count)]
    for number, watcher in enumerate(watchers):
        feed.enter(number, watcher)
    await until(lambda: all(watcher.shown for watcher in watchers))
    return watchers


async def test_user_feed_reads_and_compares_everybody_in_portions(
    feed: UserFeed, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    watchers = await enter(feed, 3 * PORTION)
    ledger.balance, ledger.asked = 200, []
    monkeypatch.setattr(user_feed, "COMPARE", 0.0)
    feed._compare_at = 0.0
    feed.look_again([0])
    await until(lambda: all(watcher.shown[-1] == 200 for watcher in watchers))
    assert max(map(len, ledger.asked)) == PORTION


async def test_user_feed_rests_longer_than_a_comparison_takes(
    feed: UserFeed, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    await enter(feed, 2 * PORTION)
    monkeypatch.setattr(user_feed, "COMPARE", 0.0)
    ledger.seconds, ledger.periods, feed._compare_at = 0.02, [], 0.0
    feed.look_again([0])
    await until(lambda: len(ledger.periods) > 3)
    (_, ended), (begun, _) = ledger.periods[-2:]
    # The loop's clock may be a little early.
    assert begun - ended > 0.9 * REST * ledger.seconds


async def test_user_feed_reads_for_a_changed_match_those_whom_it_concerns(
    feed: UserFeed, ledger: Ledger
) -> None:
    watchers = await enter(feed, 10)
    ledger.asked = []
    feed.match_changed(3)
    await until(lambda: ledger.asked)
    assert ledger.asked == [[6, 7]]
    feed.leave(6, watchers[6])
    feed.match_changed(3)
    await until(lambda: len(ledger.asked) > 1)
    assert ledger.asked[1:] == [[7]]
    feed.leave(7, watchers[7])
    feed.match_changed(3)
    assert not feed._dirty
    assert 3 not in feed._concerned
