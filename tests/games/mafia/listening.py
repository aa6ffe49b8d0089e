"""What the sockets of a town are sent: only the entitled hear of something."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tests.games.socket_kit import Browser


async def heard(browser: Browser) -> list[dict[str, Any]]:
    """Return what a socket was sent before the answer to a question that it asks now."""
    before = len(browser.frames)
    await browser.send(type="seen", revision=browser.revision)
    await browser.until(lambda frame: frame["type"] == "now")
    return browser.frames[before:-1]


async def listening(path: str, cookies: Sequence[str | None]) -> list[Browser]:
    """Return browsers that look at a town, and have been sent all that there was."""
    everybody = [Browser(path, cookie) for cookie in cookies]
    for browser in everybody:
        assert await browser.open()
    for browser in everybody:
        await browser.until_view(lambda view: view["match"]["watching"] == 1)
    for browser in everybody:
        await heard(browser)
    return everybody


async def only_hear(everybody: Sequence[Browser], entitled: Collection[int]) -> None:
    """The seats that are entitled are sent views and replies, all others not one frame."""
    for seat, browser in enumerate(everybody):
        if seat not in entitled:
            assert await heard(browser) == []
    for seat in entitled:
        assert {frame["type"] for frame in await heard(everybody[seat])} <= {"view", "reply"}
