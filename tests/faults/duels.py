"""People who play duels like browsers."""

import asyncio
import random
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.faults.client import Client

HANDS = ("rock", "paper", "scissors")
#: What a page waits before it connects again.
COMES_BACK = (0.2, 0.7)


def is_over(view: dict[str, Any]) -> bool:
    return view["game"] is not None and view["game"]["stage"] == "over"


def may_throw(view: dict[str, Any]) -> bool:
    you = view["game"] and view["game"]["you"]
    return bool(you) and "throw" in you["legal"] and you["hand"] is None


class Player:
    """Plays one seat of a duel to its end, and connects again like a page.

    ``thinks`` gives the seconds before a throw, from the seconds that the clock has left.
    """

    def __init__(self, client: Client, chance: random.Random, thinks: Callable[[float], float]):
        self.client, self._chance, self._thinks = client, chance, thinks
        self.codes: list[int] = []

    async def play(self) -> None:
        client = self.client
        while not is_over(client.view):
            try:
                view = await client.until_view(lambda view: may_throw(view) or is_over(view), 120)
                if is_over(view):
                    return
                await asyncio.sleep(self._thinks(_seconds_left(view)))
                await client.answer(await client.send(kind="throw", hand=self._hand(view)))
            except (AssertionError, ConnectionClosed):
                # A socket that is open means that an answer did not come.
                assert client.code is not None or client.line.close_code is not None
                await self._come_back()

    async def _come_back(self) -> None:
        self.codes.append(await self.client.until_closed())
        await asyncio.sleep(self._chance.uniform(*COMES_BACK))
        await self.client.come_back()
        for frame_id in await self.client.send_again():
            if self.client.code is None:
                await self.client.answer(frame_id)

    def _hand(self, view: dict[str, Any]) -> str:
        return self._chance.choice(HANDS)


def _seconds_left(view: dict[str, Any]) -> float:
    due_at = view["game"]["due_at"]
    return datetime.fromisoformat(due_at).timestamp() - time.time() if due_at else 0.0
