import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from games.realtime import page_queue
from games.realtime.page_queue import MOST_AT_ONCE, MOST_OF_ADDRESS, PageQueue

ANN, BOB = "192.0.2.1", "192.0.2.2"
LAST = {"type": "http.request", "body": b"", "more_body": False}


class Site:
    def __init__(self) -> None:
        self.queue = PageQueue()
        self.begun: list[str] = []
        self.refused: list[str] = []
        self._answers: list[asyncio.Event] = []
        self.tasks: list[asyncio.Task[None]] = []
        self._serve = self.queue.limited(self._page, self._refuse)

    async def _page(self, scope, receive, send) -> None:
        assert await receive() == LAST
        self.begun.append(scope["path"])
        answer = asyncio.Event()
        self._answers.append(answer)
        await answer.wait()
        await send({"type": "http.response.start"})
        await send({"type": "http.response.body"})

    async def _refuse(self, scope, receive, send) -> None:
        self.refused.append(scope["path"])

    async def fill(self, more: int = 0) -> None:
        for number in range(MOST_OF_ADDRESS + more):
            await self.ask(f"/{number}/")

    async def ask(
        self, path: str, address: str = ANN, *, body: Any = None, is_slow: bool = False
    ) -> Callable[[], None]:
        gone, read = asyncio.Event(), asyncio.Event()
        told = iter([LAST])

        async def receive() -> dict[str, object]:
            if message := next(told, None):
                if body is not None:
                    await body.wait()
                return message
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, object]) -> None:
            if is_slow:
                await read.wait()

        scope = {"path": path, "client": (address, 1)}
        self.tasks.append(asyncio.create_task(self._serve(scope, receive, send)))
        await settle()
        return gone.set

    async def answer(self, number: int) -> None:
        self._answers[number].set()
        await settle()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_few_requests_of_an_address_run_at_once_and_the_others_follow_in_order():
    site = Site()
    await site.fill(8 - MOST_OF_ADDRESS)
    first = [f"/{number}/" for number in range(MOST_OF_ADDRESS)]
    assert (site.begun, site.queue.running, site.queue.waiting) == (first, 4, 4)
    await site.answer(2)
    await site.answer(0)
    assert site.begun == [*first, "/4/", "/5/"]
    for number in (1, 3, 4, 5, 6, 7):
        await site.answer(number)
    assert (len(site.begun), site.queue.running, site.queue.waiting) == (8, 0, 0)


async def test_addresses_wait_in_turns_so_that_a_flood_holds_up_only_its_own():
    site = Site()
    for number in range(50):
        await site.ask(f"/flood/{number}/", f"2001:db8::{number:x}")  # one network of IPv6
    await site.ask("/bob/", BOB)
    assert site.begun[-1] == "/bob/"
    for number in range(10):
        await site.ask(f"/other/{number}/", f"198.51.100.{number}")
    assert site.queue.running == MOST_AT_ONCE
    for number in range(4):
        await site.answer(number)
    assert site.begun[-4:] == ["/flood/4/", "/other/1/", "/other/2/", "/other/3/"]


@pytest.mark.parametrize("limit", ["MOST_WAITING", "MOST_WAITING_OF_ADDRESS"])
async def test_too_many_waiting_requests_are_refused_and_the_others_served(monkeypatch, limit):
    monkeypatch.setattr(page_queue, limit, 2)
    site = Site()
    await site.fill(3)
    assert (site.refused, site.queue.refused) == (["/6/"], 1)
    await site.answer(0)
    assert site.begun[-1] == "/4/"


async def test_a_request_that_waits_too_long_is_refused_and_its_place_is_free(monkeypatch):
    site = Site()
    await site.fill()
    monkeypatch.setattr(page_queue, "PATIENCE", 0.0)
    await site.ask("/late/")
    await asyncio.wait(site.tasks, return_when=asyncio.FIRST_COMPLETED)
    assert (site.refused, site.queue.waiting) == (["/late/"], 0)
    await site.answer(0)
    assert site.queue.running == MOST_OF_ADDRESS - 1


async def test_a_client_that_has_gone_takes_no_turn():
    site = Site()
    await site.fill()
    leave = await site.ask("/gone/")
    await site.ask("/next/")
    leave()
    await settle()
    await site.answer(0)
    assert (site.begun[-1], site.refused, site.queue.waiting) == ("/next/", [], 0)


async def test_neither_who_sends_slowly_nor_who_reads_slowly_keeps_a_turn():
    site, body = Site(), asyncio.Event()
    for number in range(MOST_OF_ADDRESS):
        await site.ask(f"/sends/{number}/", body=body)
        await site.ask(f"/reads/{number}/", is_slow=True)
    assert site.queue.running == MOST_OF_ADDRESS
    for number in range(MOST_OF_ADDRESS):
        await site.answer(number)
    assert site.queue.running == 0
    body.set()
    await settle()
    assert site.queue.running == MOST_OF_ADDRESS


async def test_a_cancelled_request_gives_its_turn_and_its_place_back():
    site = Site()
    await site.fill(2)
    site.tasks[4].cancel()
    site.tasks[0].cancel()
    await settle()
    assert (site.begun[-1], site.queue.running, site.queue.waiting) == ("/5/", MOST_OF_ADDRESS, 0)
    await site.ask("/healthz")
    assert site.begun[-1] == "/healthz", "it needs no turn"
