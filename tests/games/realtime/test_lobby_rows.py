"""Sockets at the lobby of clients that ask for changed rows, beside those that get all lists."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.matches import services as matches
from games.realtime import runtime
from games.realtime.socket import QUESTIONS
from tests.games.match_kit import new_user
from tests.games.realtime.test_changes import applied
from tests.games.socket_kit import Browser, running_site

pytestmark = pytest.mark.django_db(transaction=True)


class Page:
    """A page at the lobby that asks for changed rows and keeps the lists as the protocol says."""

    def __init__(self) -> None:
        self.line, self.lists, self.revision, self.sizes = Browser("/ws/lobby/"), {}, 0, []

    async def open(self, *, asks: bool = True) -> "Page":
        assert await self.line.open()
        if asks:
            await self.ask(0)
        await self.hear()
        return self

    async def ask(self, since: Any) -> None:
        await self.line.send(type="seen", revision=0, since=since)

    async def hear(self) -> str:
        """Take the next frame of the lists, and return its type."""
        frame = await self.line.until(lambda frame: frame["type"] in ("lobby", "rows"))
        assert frame["revision"] == self.revision + 1
        self.revision, games = frame["revision"], frame["games"]
        self.sizes.append(len(self.line.texts[-1]))
        self.lists = games if frame["type"] == "lobby" else applied(self.lists, games)
        return str(frame["type"])


@pytest.fixture
async def site() -> AsyncIterator[runtime.Runtime]:
    async with running_site() as running:
        yield running


async def open_tables(site: runtime.Runtime, count: int = 1) -> None:
    """Open tables and let the lobby look."""

    def make() -> None:
        for _ in range(count):
            matches.open_match(opened_by=new_user(), options={}, game="showdown")

    await sync_to_async(make)()
    site.lobby.look_again()


@pytest.mark.plain
async def test_lobby_sends_changed_rows_to_those_who_ask_and_lists_to_others(site) -> None:
    page, other = await Page().open(), await Page().open(asks=False)
    # More than the changes of a list of none are long.
    await open_tables(site, 3)
    await page.hear()
    await other.hear()
    for _ in range(3):
        await open_tables(site)
        assert (await page.hear(), await other.hear()) == ("rows", "lobby")
        assert page.lists == other.lists
    assert {frame["type"] for frame in other.line.frames} == {"lobby"}


async def test_lobby_answers_a_missing_number_with_the_lists(site) -> None:
    """Whether it is behind, of another process or of the future."""
    await open_tables(site, 3)
    page, others = await Page().open(), [await Page().open(asks=False) for _ in range(2)]
    await open_tables(site)
    assert await page.hear() == "rows"
    await page.ask(page.revision)
    for since in (1, 2**53):
        await page.ask(since)
        assert await page.hear() == "lobby"
    # It comes from another process, whose lists had other numbers.
    await others[0].hear()
    await others[0].ask(77)
    assert await others[0].hear() == "lobby"
    await others[1].hear()
    await others[1].ask(others[1].revision)
    await open_tables(site)
    for each in (page, *others):
        assert await each.hear() == "rows"
    assert page.lists == others[0].lists == others[1].lists


@pytest.mark.parametrize("since", ["1", -1, 1.5, True, None, [1], 2**53 + 1])
async def test_lobby_refuses_a_number_that_is_none_and_goes_on(site, since: Any) -> None:
    await open_tables(site, 3)
    page = await Page().open(asks=False)
    await page.ask(since)
    error = await page.line.receive()
    assert (error["type"], error["code"], error["id"]) == ("error", "bad_field", None)
    await open_tables(site)
    assert await page.hear() == "lobby"


async def test_lobby_sends_the_lists_again_a_few_times_only(site) -> None:
    await open_tables(site, 3)
    page = await Page().open()
    for _ in range(QUESTIONS):
        await page.ask(99)
        assert await page.hear() == "lobby"
    await page.ask(99)
    refusal = await page.line.until(lambda frame: frame["type"] == "error")
    assert (refusal["code"], 0 < refusal["retry_ms"] <= 1_000) == ("rate_limited", True)
    await open_tables(site)
    assert await page.hear() == "rows"


async def test_lobby_of_eighty_tables_tells_a_change_in_a_fortieth_of_the_lists(site) -> None:
    await open_tables(site, 80)
    page = await Page().open()
    await open_tables(site)
    assert await page.hear() == "rows"
    whole, change = page.sizes[-2:]
    assert 20_000 < whole < 60_000
    assert change <= whole / 40
