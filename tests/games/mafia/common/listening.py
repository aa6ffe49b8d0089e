"""Record the frames of a town's sockets: only entitled viewers get one."""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.games.socket_kit import Browser

#: Part of each text that not everybody may read.
CANARY = "a canary"


async def heard(browser: Browser) -> list[dict[str, Any]]:
    """Return what a socket was sent before the answer to a question that it asks now."""
    before = len(browser.frames)
    await browser.send(type="seen", revision=browser.revision)
    await browser.until(lambda frame: frame["type"] == "now")
    return browser.frames[before:-1]


class Listeners(NamedTuple):
    """The sockets at a town, in the order of seats and then spectators, and those of the seats."""

    at_match: list[Browser]
    at_home: list[Browser]

    @property
    def all(self) -> list[Browser]:
        return [*self.at_match, *self.at_home]

    async def only_hear(self, *entitled: int) -> None:
        """The seats that are entitled are sent what is theirs, all others not one frame."""
        told = await asyncio.gather(*(heard(browser) for browser in self.all))
        at_match, at_home = told[: len(self.at_match)], told[len(self.at_match) :]
        for sockets in (at_match, at_home):
            for seat, frames in enumerate(sockets):
                assert seat in entitled or not frames, f"seat {seat} hears {frames}"
        for seat in entitled:
            assert {frame["type"] for frame in at_match[seat]} <= {"view", "reply"}
            assert {frame["type"] for frame in at_home[seat]} <= {"me"}


async def listening(path: str, cookies: Sequence[str]) -> Listeners:
    """Return the browsers of those who play, and a spectator's; they were sent all there was."""
    listeners = Listeners(
        [Browser(path, cookie) for cookie in [*cookies, None]],
        [Browser("/ws/me/", cookie) for cookie in cookies],
    )
    for browser in listeners.at_match:
        assert await browser.open()
    for browser in listeners.at_match:
        await browser.until_view(lambda view: view["match"]["watching"] == 1)
    for browser in listeners.at_home:
        assert await browser.open()
        await browser.receive()
    await asyncio.gather(*(heard(browser) for browser in listeners.all))
    return listeners
