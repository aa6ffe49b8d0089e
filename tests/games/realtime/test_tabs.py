import pytest
from asgiref.sync import sync_to_async

from games.realtime import runtime
from games.realtime import socket as sockets
from games.realtime.protocol import Close
from rpsite.processes.limits import PING_INTERVAL, PING_TIMEOUT
from tests.games.socket_kit import (
    Browser,
    at_table,
    begin_soon,
    make_table,
    opened,
    running_site,
    started,
)

pytestmark = pytest.mark.django_db(transaction=True)


async def in_the_lobby(cookie: str) -> Browser:
    browser = Browser("/ws/lobby/", cookie)
    assert await browser.open()
    return browser


async def answers(browser: Browser) -> bool:
    await browser.send(type="seen", revision=browser.revision)
    return bool(await browser.until(lambda frame: frame["type"] == "now"))


async def test_new_tabs_never_shut_the_running_game(settings, monkeypatch) -> None:
    settings.SOCKETS_PER_USER = 3
    begin_soon(monkeypatch)
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        game, other = await started(match, cookies)
        lists = [await in_the_lobby(cookies[0]) for _ in range(6)]
        for put_aside in lists[:4]:
            assert await put_aside.closed() == Close.TOO_MANY_SOCKETS
        for browser in (game, other, *lists[4:]):
            assert await answers(browser)


@pytest.mark.plain
async def test_an_idle_list_goes_before_a_seat_at_an_open_table(settings) -> None:
    settings.SOCKETS_PER_USER = 2
    async with at_table() as (_, _, cookies, table, _):
        assert (await table.act(kind="sit", seat=0, purse=50))["type"] == "ack"
        lists = [await in_the_lobby(cookies[0]) for _ in range(2)]
        assert await lists[0].closed() == Close.TOO_MANY_SOCKETS
        assert await answers(table)


@pytest.mark.plain
async def test_where_a_game_runs_in_each_tab_the_new_one_is_put_aside(settings, monkeypatch):
    settings.SOCKETS_PER_USER = 2
    begin_soon(monkeypatch)
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        game, _ = await started(match, cookies)
        again = await opened(match, cookies[0])
        late = Browser("/ws/lobby/", cookies[0])
        assert await late.open(), "the page must see the code"
        assert await late.closed() == Close.TOO_MANY_SOCKETS
        assert await answers(game)
        await again.leave()
        late = await in_the_lobby(cookies[0])
        assert await answers(late)


@pytest.mark.plain
async def test_a_hidden_page_that_speaks_once_a_minute_keeps_its_line() -> None:
    async with at_table() as (_, _, cookies, table, bob):
        feed = Browser("/ws/me/", cookies[0])
        lobby = await in_the_lobby(cookies[0])
        assert await feed.open()
        for seconds, is_over in ((65.0, False), (sockets.IDLE_LIMIT + 1, True)):
            for line in runtime.current().sockets:
                line._heard -= seconds  # type: ignore[attr-defined]
                line.check_liveness()
            if not is_over:
                for browser in (table, bob, feed, lobby):
                    assert await answers(browser)
        for browser in (table, feed, lobby):
            assert await browser.closed() == Close.SLOW_OR_IDLE


def test_a_line_without_a_browser_fails_the_pings_before_it_is_silent_for_too_long() -> None:
    assert PING_INTERVAL + PING_TIMEOUT < sockets.IDLE_LIMIT
