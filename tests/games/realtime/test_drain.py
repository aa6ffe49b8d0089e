from datetime import datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.matches.models import Match, WebProcess
from games.matches.processing.submissions import Answer, Busy
from games.realtime import runtime, socket_registry
from games.realtime.socket import Socket
from tests.games.socket_kit import (
    Browser,
    at_table,
    begin_soon,
    make_table,
    opened,
    running_site,
    started,
)

pytestmark = [pytest.mark.django_db(transaction=True)]
#: Seconds of clocks that pass soon, and of others.
SHORT, LONG = 8, 120
#: A stored clock is cut to milliseconds.
GRACE = timedelta(seconds=20, milliseconds=-1)


async def playing(clock: int) -> tuple[Match, list[Browser], list[str]]:
    match, _, cookies = await sync_to_async(make_table)(seats=2, betting_clock=clock)
    return match, await started(match, cookies), cookies


def clock_of(match: Match) -> tuple[datetime, int]:
    row = Match.objects.get(pk=match.pk)
    return row.due_at, row.entries.filter(action__contains='"postpone"').count()


@pytest.mark.both_databases
async def test_drain_gives_time_where_a_clock_passes_soon_and_closes_with_4412(monkeypatch):
    begin_soon(monkeypatch)
    monkeypatch.setattr(socket_registry, "PAUSE", 0.01)
    async with running_site() as running:
        soon, soon_browsers, cookies = await playing(SHORT)
        later, later_browsers, _ = await playing(LONG)
        began, before = timezone.now(), await sync_to_async(clock_of)(later)
        assert (await sync_to_async(clock_of)(soon))[0] < began + timedelta(seconds=15)
        await socket_registry.close_in_portions(running, 0.04)
        codes = [await browser.closed() for browser in (*soon_browsers, *later_browsers)]
        assert codes == [4412] * 4
        due_at, count = await sync_to_async(clock_of)(soon)
        assert (count, due_at >= began + GRACE) == (1, True)
        assert await sync_to_async(clock_of)(later) == before
        again = Browser(f"/ws/match/{soon.public_id}/", cookies[0])
        assert await again.open()
        assert await again.closed() == 4412


async def test_drain_closes_all_sockets_of_a_match_in_one_portion(monkeypatch):
    portions: list[list[int]] = []
    closed: list[tuple[int, int]] = []
    give_time, close = socket_registry.give_time, Socket.close

    async def give(running, match_ids):
        portions.append(list(match_ids))
        await give_time(running, match_ids)

    def note(socket, code):
        closed.append((len(portions), socket.match_id))
        close(socket, code)

    monkeypatch.setattr(socket_registry, "give_time", give)
    monkeypatch.setattr(socket_registry, "PAUSE", 0.01)
    monkeypatch.setattr(Socket, "close", note)
    made = [await sync_to_async(make_table)(seats=2) for _ in range(6)]
    async with running_site() as running:
        browsers = [await opened(match, cookie) for match, _, cookies in made for cookie in cookies]
        await socket_registry.close_in_portions(running, 3 * socket_registry.PAUSE)
        assert [len(portion) for portion in portions] == [2, 2, 2]
        expected = [(no, pk) for no, two in enumerate(portions, 1) for pk in two for _ in range(2)]
        assert closed == expected
        assert [await browser.closed() for browser in browsers] == [4412] * 12


async def test_stop_without_a_drain_gives_time_too(monkeypatch):
    begin_soon(monkeypatch)
    async with running_site():
        match, browsers, _ = await playing(SHORT)
        began = timezone.now()
        await runtime.stop()
        assert [await browser.closed() for browser in browsers] == [4412, 4412]
        due_at, count = await sync_to_async(clock_of)(match)
        assert (count, due_at >= began + GRACE) == (1, True)


async def test_stop_that_cannot_give_time_is_an_outage(monkeypatch):
    begin_soon(monkeypatch)
    monkeypatch.setattr(socket_registry, "REST", 0.01)
    async with running_site() as running:
        await playing(SHORT)
        busy = Answer(Busy("too much is going on, try again"))
        monkeypatch.setattr(running.writer, "submit", lambda item, done: done(busy))
        await runtime.stop()
        assert running.owes_time
    assert await WebProcess.objects.filter(closed_at=None).acount() == 1


@pytest.mark.parametrize(
    ("seconds", "others", "drains"), [(0, 1, False), (1, 0, False), (1, 1, True)]
)
async def test_drain_needs_seconds_and_another_living_process(settings, seconds, others, drains):
    settings.DRAIN_SECONDS = seconds
    async with at_table() as (*_, browser, _):
        running, now = runtime.current(), timezone.now()
        made = {"started_at": now, "closed_at": None}
        await WebProcess.objects.acreate(name="long gone", beat_at=now - timedelta(days=1), **made)
        for _ in range(others):
            await WebProcess.objects.acreate(name="another", beat_at=now, **made)
        await runtime.drain()
        assert running.hub.is_closing is drains
        if drains:
            assert await browser.closed() == 4412
