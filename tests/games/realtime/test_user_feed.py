import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from games.notices.attention import Affairs
from games.realtime import feeds
from games.realtime.feeds import PORTION, REST, UserFeed
from tests.games.socket_kit import until_true


class Ledger:
    """Affairs of users, instead of the database; each shares one table with a neighbour."""

    def __init__(self) -> None:
        self.balance, self.seconds, self.asked, self.periods = 100, 0.0, [], []

    async def run(self, _selector: Any, user_ids: Iterable[int]) -> dict[int, Affairs]:
        begun, users = time.monotonic(), list(user_ids)
        self.asked.append(users)
        await asyncio.sleep(self.seconds)
        self.periods.append((begun, time.monotonic()))
        return {pk: Affairs(self.balance, {}, frozenset({pk // 2})) for pk in users}


class Watcher:
    def __init__(self, user_id: int) -> None:
        self.user_id, self.shown = user_id, []

    def show_affairs(self, affairs: Affairs) -> None:
        self.shown.append(affairs.balance)


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
async def feed(ledger: Ledger, jumping: Any) -> AsyncIterator[UserFeed]:
    made = UserFeed(ledger)  # type: ignore[arg-type]
    made.start()
    yield made
    await made.stop()


async def enter(feed: UserFeed, count: int) -> list[Watcher]:
    watchers = [Watcher(number) for number in range(count)]
    for number, watcher in enumerate(watchers):
        feed.enter(number, watcher)
    await until_true(lambda: all(watcher.shown for watcher in watchers))
    return watchers


async def test_user_feed_reads_and_compares_everybody_in_portions(feed, ledger) -> None:
    watchers = await enter(feed, 3 * PORTION)
    ledger.balance, ledger.asked = 200, []
    await until_true(lambda: all(watcher.shown[-1] == 200 for watcher in watchers))
    assert max(map(len, ledger.asked)) == PORTION


async def test_user_feed_rests_longer_than_a_comparison_takes(feed, ledger) -> None:
    await enter(feed, 2 * PORTION)
    ledger.seconds, ledger.periods = 1.0, []
    await until_true(lambda: len(ledger.periods) > 3)
    (_, ended), (begun, _) = ledger.periods[-2:]
    assert REST - 1e-6 < begun - ended <= REST + feeds.LEAST_PAUSE


async def test_user_feed_reads_for_a_changed_match_those_whom_it_concerns(feed, ledger) -> None:
    watchers = await enter(feed, 10)
    ledger.asked = []
    feed.match_changed(3)
    await until_true(lambda: ledger.asked)
    assert ledger.asked == [[6, 7]]
    feed.leave(6, watchers[6])
    feed.match_changed(3)
    await until_true(lambda: len(ledger.asked) > 1)
    assert ledger.asked[1:] == [[7]]
    feed.leave(7, watchers[7])
    feed.match_changed(3)
    assert not feed._dirty
    assert 3 not in feed._concerned
