"""Duels for the tests of faults: how they begin, and people who play them like browsers."""

import asyncio
import random
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from tests.faults.client import Client

HANDS = ("rock", "paper", "scissors")
#: What a page waits before it connects again.
COMES_BACK = (0.2, 0.7)


def start_duels(pairs: list[list[int]], **options: Any) -> list[dict[str, Any]]:
    """Open a duel for each pair and start it; return their ids and public ids."""
    from accounts.models import User
    from games.engine.table import COUNTDOWN
    from games.matches.processing import writing
    from games.matches.processing.submissions import Submission
    from games.matches.services import matches

    made = []
    sat_at = timezone.now() - timedelta(milliseconds=COUNTDOWN)
    for pair in pairs:
        opener = User.objects.get(pk=pair[0])
        match = matches.open_match(opened_by=opener, options=options, at=sat_at, game="duel")
        for kind, at in (("sit", sat_at), ("ready", timezone.now())):
            for seat, user in enumerate(pair):
                action = {
                    "kind": kind,
                    **({"seat": seat} if kind == "sit" else {"configuration": 1}),
                }
                frame_id = f"duels-{match.pk}-{kind}-{seat}"
                writing.submit(Submission(match.pk, action, frame_id, user, None), at)
        made.append({"pk": match.pk, "public_id": match.public_id})
    return made


def is_over(view: dict[str, Any]) -> bool:
    return view["game"] is not None and view["game"]["stage"] == "over"


def may_throw(view: dict[str, Any]) -> bool:
    you = view["game"] and view["game"]["you"]
    return bool(you) and "throw" in you["legal"] and you["hand"] is None


class Player:
    """Plays one seat of a duel to its end, and connects again like a page.

    Args:
        thinks: returns the seconds before a throw, from the seconds that the clock has left.
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
