"""Sockets at tables of clients that ask for changed parts, beside those that get whole views."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import registry
from games.matches.models import WebProcess
from games.realtime.changes import changed_parts
from games.realtime.protocol import encode_view
from games.realtime.socket import QUESTIONS
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import town
from tests.games.socket_kit import (
    Browser,
    at_table,
    begin_soon,
    log_in,
    make_table,
    opened,
    running_site,
    started,
)
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db(transaction=True)


async def ask(browser: Browser, revision: int, parts: Any = True) -> list[dict[str, Any]]:
    """Ask for parts; return all that has come until the next heartbeat is answered."""
    await heard(browser)
    first = len(browser.frames)
    await browser.send(type="seen", revision=revision, parts=parts)
    await browser.until(lambda frame: frame["type"] in ("now", "error"))
    await heard(browser)
    return [frame for frame in browser.frames[first:] if frame["type"] != "now"]


async def heard(browser: Browser) -> int:
    """Return the number of frames when all that was sent so far has come."""
    await browser.send(type="seen", revision=0)
    await browser.until(lambda frame: frame["type"] == "now")
    return len(browser.frames)


async def with_parts(match: Any, cookie: str | None) -> Browser:
    browser = await opened(match, cookie)
    assert await ask(browser, 0) == []
    return browser


def kinds(browser: Browser, first: int = 0) -> list[str]:
    return [f["type"] for f in browser.frames[first:] if f["type"] in ("view", "parts")]


@pytest.mark.plain
async def test_board_with_parts_shows_what_a_board_with_whole_views_shows(monkeypatch) -> None:
    begin_soon(monkeypatch)
    match, _, cookies = await sync_to_async(make_table)(seats=2, target=3)
    async with running_site():
        guest = await opened(match, None)
        tabs = [await with_parts(match, cookie) for cookie in (*cookies, None)]
        people = await started(match, cookies)
        for _ in range(2):
            turn = people[people[0].view["game"]["turn"]]
            assert (await turn.act(kind="raise_by", amount=1))["type"] == "ack"
            for browser in people:
                await browser.until_view(lambda view, no=turn.view["phase"]: view["phase"] == no)
        for browser, tab in zip((*people, guest), tabs, strict=True):
            await heard(browser)
            await heard(tab)
            assert browser.view == tab.view
            assert set(kinds(browser)) == {"view"}
            assert kinds(tab)[0] == "view"
            assert kinds(tab).count("parts") >= 6


async def test_board_that_missed_a_number_gets_the_whole_view_and_others_go_on() -> None:
    async with at_table() as (match, _, cookies, ann, _bob):
        tab, page = await with_parts(match, cookies[0]), await with_parts(match, None)
        await ann.act(kind="sit", seat=0, purse=50)
        await tab.until_view(lambda view: view["you"]["seat"] == 0)
        assert await ask(tab, tab.revision) == []
        for wrong in (0, 2**53):
            (whole,) = await ask(tab, wrong)
            assert (whole["type"], whole["view"]) == ("view", tab.view)
        before = await heard(tab)
        await ann.act(kind="stand")
        await tab.until_view(lambda view: view["you"]["seat"] is None)
        assert kinds(tab, before) == ["parts"]
        # Who does not want them any more gets whole views, also for what was missed.
        assert await ask(tab, tab.revision, parts=False) == []
        await ann.act(kind="sit", seat=1, purse=50)
        await tab.until_view(lambda view: view["you"]["seat"] == 1)
        assert kinds(tab, before)[-1] == "view"
        await heard(page)
        assert kinds(page).count("view") == 1


async def test_board_gets_the_whole_view_again_a_few_times_only() -> None:
    async with at_table() as (match, _, cookies, ann, _bob):
        tab = await with_parts(match, cookies[0])
        for _ in range(QUESTIONS):
            assert [frame["type"] for frame in await ask(tab, 77)] == ["view"]
        (refusal,) = await ask(tab, 77)
        assert (refusal["code"], 0 < refusal["retry_ms"] <= 1_000) == ("rate_limited", True)
        await ann.act(kind="sit", seat=0, purse=50)
        await tab.until_view(lambda view: view["you"]["seat"] == 0)
        assert kinds(tab)[-1] == "parts"


@pytest.mark.parametrize("parts", [1, "true", None, [], {}])
async def test_board_refuses_a_wish_of_a_wrong_type_and_goes_on(parts: Any) -> None:
    async with at_table() as (match, _, cookies, ann, _bob):
        tab = await opened(match, cookies[0])
        (refusal,) = await ask(tab, 1, parts)
        assert (refusal["type"], refusal["code"], refusal["id"]) == ("error", "bad_field", None)
        await ann.act(kind="sit", seat=0, purse=50)
        await tab.until_view(lambda view: view["you"]["seat"] == 0)
        assert set(kinds(tab)) == {"view"}


def sizes(kit: Any, change: Callable[[], Any]) -> list[tuple[set[str], float]]:
    """Return what parts a change sends to the people and a guest, and their share of the view."""
    viewers = (*kit.people, None)
    before = [encode_view(kit.view(user)) for user in viewers]
    change()
    found = []
    for user, old in zip(viewers, before, strict=True):
        new = encode_view(kit.view(user))
        parts = changed_parts(old, new) if new != old else None
        if parts is not None:
            found.append((set(json.loads(parts)), len(parts) / len(new)))
    return found


def test_board_is_told_one_changed_part_in_at_most_half_of_the_bytes() -> None:
    kit = TableKit(*[new_user() for _ in range(4)], seats=4)
    kit.start()
    kit.call_all()
    ((keys, share),) = sizes(
        kit, lambda: kit.act(kit.people[0], kind="attack", weapon="rock", target=1)
    )
    assert (keys, share < 0.5) == ({"game"}, True)


def test_board_of_a_duel_is_told_its_throws_in_at_most_half_of_the_bytes() -> None:
    kit = DuelKit(new_user(), new_user(), best_of=15)
    kit.start()
    shares: list[float] = []
    for hands in (("rock", None), (None, "paper"), ("paper", None), (None, "paper")) * 4:
        shares += [share for _, share in sizes(kit, lambda throw=hands: kit.throw(*throw))]
    # The first to throw shows it to both and the guest.
    assert len(shares) == 3 * 16
    assert sum(shares) / len(shares) < 0.5


async def test_board_of_another_gets_no_part_of_what_one_seat_alone_sees(monkeypatch) -> None:
    """The weapon does not matter, nor whether it is chosen again."""
    begin_soon(monkeypatch)
    match, _, cookies = await sync_to_async(make_table)(seats=2, target=3)
    async with running_site():
        people = await started(match, cookies)
        own, other, guest = [await with_parts(match, each) for each in (*cookies, None)]
        while people[0].view["game"]["stage"] == "betting":
            phase = people[0].view["phase"]
            await people[people[0].view["game"]["turn"]].act(kind="call")
            for browser in (*people, own, other, guest):
                await browser.until_view(lambda view, no=phase: view["phase"] > no)
        before = [await heard(browser) for browser in (own, other, guest)]
        for weapon in ("rock", "paper"):
            ack = await people[0].act(kind="attack", weapon=weapon, target=1)
            assert ack["type"] == "ack"
            await own.until_view(lambda view, w=weapon: view["game"]["you"]["attacks"] == {"1": w})
        assert kinds(own, before[0]) == ["parts"] * 2
        for browser, first in ((other, before[1]), (guest, before[2])):
            await heard(browser)
            assert kinds(browser, first) == []


def town_in_its_night() -> tuple[Any, list[str]]:
    kit = town(5, phase_seconds=600, age=10)
    # Else the site would take what the kit's own process left for an outage.
    WebProcess.objects.all().delete()
    return kit.match, [log_in(user) for user in kit.people]


async def test_board_with_hidden_roles_sends_whole_views_to_who_asks_for_parts_too() -> None:
    match, cookies = await sync_to_async(town_in_its_night)()
    assert registry.table(match.game).hides_presence
    async with running_site():
        asking, plain = await with_parts(match, cookies[0]), await opened(match, cookies[0])
        other = await opened(match, cookies[1])
        for wrong in (0, 99, asking.revision):
            assert await ask(asking, wrong) == []
        for kind in ("done", "undone"):
            assert (await other.act(kind=kind))["type"] == "ack"
        assert (await plain.act(kind="done"))["type"] == "ack"
        for browser in (asking, plain):
            await browser.until_view(lambda view: view["game"]["you"]["is_done"])
            await heard(browser)
        assert set(kinds(asking)) == {"view"}
        assert kinds(asking) == kinds(plain)
        assert asking.view == plain.view
