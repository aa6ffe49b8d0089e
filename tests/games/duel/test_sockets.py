import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.models import User
from games.duel import challenges, pairing
from games.engine.table import clock
from games.matches.models import Match
from games.matches.queries import selectors
from games.realtime import runtime
from games.realtime.runtime import tell
from tests.boot import PATIENCE
from tests.games.match_kit import new_user
from tests.games.socket_kit import Browser, log_in, look_often, opened, running_site

pytestmark = pytest.mark.django_db(transaction=True)


@sync_to_async
def pair_and_tell(user: User) -> Match:
    match = pairing.pair_quick(user=user)
    tell([match.pk])
    return match


@sync_to_async
def two() -> tuple[User, User, str]:
    ann, bob = new_user(), new_user()
    return ann, bob, log_in(ann)


@pytest.mark.both_databases
async def test_duel_paired_by_a_page_shows_at_once_and_begins_without_another_press(monkeypatch):
    # It has to be told: the comparison would find it too, only later.
    monkeypatch.setattr(runtime, "COMPARE", 3600.0)
    monkeypatch.setattr(clock, "QUICK_COUNTDOWN", 300)
    ann, bob, cookie = await two()
    async with running_site():
        match = await pair_and_tell(ann)
        waiting = await opened(match, cookie)
        assert waiting.view["match"]["status"] == "open"
        assert (await pair_and_tell(bob)).pk == match.pk
        await waiting.until_view(lambda view: view["seats"][1]["player"] is not None)
        await waiting.until_view(lambda view: view["match"]["status"] == "running")
        assert any(frame["view"]["start_at"] for frame in waiting.frames if frame["type"] == "view")
        await waiting.leave()


found_there = sync_to_async(selectors.there)


async def until_there(match: Match, *seats: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await found_there([match.pk], timezone.now())
            if found.get(match.pk, set()) == set(seats):
                return
            await asyncio.sleep(0.02)


@pytest.mark.plain
async def test_quick_duel_who_waits_is_there_while_the_page_says_that_it_is_visible(monkeypatch):
    look_often(monkeypatch)
    ann, _, cookie = await two()
    async with running_site():
        match = await pair_and_tell(ann)
        page, guest = await opened(match, cookie), await opened(match, None)
        await guest.send(type="seen", revision=guest.revision, visible=True)
        for frame, seats in (({}, ()), ({"visible": True}, (0,)), ({"visible": False}, ())):
            await page.send(type="seen", revision=page.revision, **frame)
            await page.until(lambda frame: frame["type"] == "now")
            await until_there(match, *seats)
        await page.send(type="seen", revision=page.revision, visible=True)
        await until_there(match, 0)
        await page.leave()
        await until_there(match)
        await guest.leave()


@pytest.mark.plain
async def test_duel_challenge_rings_the_bell_of_the_one_who_is_challenged() -> None:
    bob, ann, cookie = await two()

    async def until_it_rings(is_ringing: bool) -> list[dict[str, Any]]:
        frame = await bell.until(lambda f: f["type"] == "me" and bool(f["needs_you"]) is is_ringing)
        return list(frame["needs_you"])

    async with running_site():
        bell = Browser("/ws/me/", cookie)
        assert await bell.open()
        await until_it_rings(False)
        asked = {"challenger": ann, "name": bob.username, "options": {}}
        match = await sync_to_async(challenges.challenge)(**asked)
        await sync_to_async(tell)([match.pk])
        (need,) = await until_it_rings(True)
        assert need["what"] == f"{ann.username} challenges you to a duel"
        await sync_to_async(challenges.decline_challenge)(user=bob, match=match)
        await sync_to_async(tell)([match.pk])
        await until_it_rings(False)
        await bell.leave()
