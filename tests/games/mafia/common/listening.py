"""Record the frames of a town's sockets: only entitled viewers get one."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import pytest
from asgiref.sync import sync_to_async

from games.matches.services import open_match
from games.realtime import feeds
from tests.games.match_kit import MatchKit
from tests.games.socket_kit import Browser, look_often, running_site

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


@asynccontextmanager
async def at_night(
    monkeypatch: pytest.MonkeyPatch,
    kit: MatchKit,
    cookies: Sequence[str],
    acts: Sequence[tuple[int, Any, list[int]]],
    stranger: tuple[int, str],
) -> AsyncIterator[list[Browser]]:
    """Do or type these things, each heard by the named seats alone; yield the match's browsers.

    The ``stranger`` may not post in a room, which is refused like one that is nowhere.
    """
    look_often(monkeypatch)
    # A look that began before an action would tell of what was: it comes when all is quiet.
    monkeypatch.setattr(feeds, "COMPARE", 3600.0)
    async with running_site() as site:
        listeners = await listening(f"/ws/match/{kit.match.public_id}/", cookies)
        lobby, everybody = Browser("/ws/lobby/"), listeners.at_match
        assert await lobby.open()
        await lobby.receive()
        for seat, action, entitled in acts:
            browser = everybody[seat]
            is_typed = isinstance(action, str)
            told = await (browser.command(action) if is_typed else browser.act(**action))
            assert told["type"] == "ack"
            await listeners.only_hear(*entitled)
        await site.user_feed._look(set(site.user_feed.watchers))
        await listeners.only_hear()
        seat, room = stranger
        posts = [{"kind": "post", "room": each, "text": "and I?"} for each in (room, "nowhere")]
        refused, nowhere = [await everybody[seat].act(**post) for post in posts]
        assert refused["code"] == "action/room_closed"
        assert {**refused, "id": ""} == {**nowhere, "id": ""}
        assert CANARY not in json.dumps([browser.texts for browser in everybody])
        # The lobby looks a moment later: once it tells of another town it has looked at this one.
        await sync_to_async(open_match)(opened_by=kit.people[0], options={}, game=kit.game)
        await lobby.until(lambda frame: len(frame["games"][kit.game]) == 2)
        rows = [row for frame in lobby.frames for row in frame["games"][kit.game]]
        own = [row for row in rows if row["public_id"] == kit.match.public_id]
        # The number of spectators is public, and is counted every two seconds.
        assert all({**row, "watching": 0} == {**own[0], "watching": 0} for row in own)
        yield everybody
        for browser in (*listeners.all, lobby):
            await browser.leave()
