from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.practice import table_store
from games.realtime import runtime
from games.realtime.protocol import Close
from tests.games.practice.kit import SLUGS
from tests.games.socket_kit import Browser, log_in, running_site, until_true
from tests.games.table_kit import new_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("duel" not in SLUGS, reason="practised with the duel"),
]

PATH = "/ws/practice/duel/"


def new_guest() -> str:
    page = Client().get(reverse("home"))
    return f"{settings.PRACTICE_COOKIE_NAME}={page.cookies[settings.PRACTICE_COOKIE_NAME].value}"


def count_rows() -> dict[str, int]:
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model._meta.label not in ("games.Component", "games.WebProcess")
    }


async def sit_down(cookie: str | None, path: str = PATH) -> Browser:
    browser = Browser(path, cookie)
    assert await browser.open()
    await browser.until_view(lambda view: view["match"]["status"] == "running")
    return browser


async def all_leave(*browsers: Browser) -> None:
    for browser in browsers:
        await browser.leave()


def the_store() -> table_store.TableStore:
    running = runtime.current()
    assert running is not None
    found: table_store.TableStore = running.runners[table_store.STORE]
    return found


def may_throw(view: dict[str, Any]) -> bool:
    return "throw" in view["game"]["you"]["legal"]


async def test_practice_a_whole_duel_writes_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.duel import bot as duel_bot

    for name in ("LEAST_THINKING", "USUAL_THINKING", "MOST_THINKING"):
        monkeypatch.setattr(duel_bot, name, 10)
    # A duel of many ties has more throws than a guest may send at once.
    monkeypatch.setattr(table_store, "PACE", (1_000, 1_000))
    cookie = await sync_to_async(new_guest)()
    async with running_site():
        before = await sync_to_async(count_rows)()
        guest = await sit_down(cookie)
        while not guest.view["game"]["result"]:
            await guest.until_view(lambda view: may_throw(view) or view["game"]["result"])
            if may_throw(guest.view):
                # The bot's throw may be shown before the ack.
                thrown = guest.view["game"]["throw"]
                answer = await guest.act(kind="throw", hand="paper")
                assert answer["type"] == "ack", answer
                await guest.until_view(
                    lambda view, was=thrown: view["game"]["throw"] != was or view["game"]["result"]
                )
        answer = await guest.act(kind="rematch")
        assert answer["type"] == "ack", answer
        await guest.until_view(lambda view: not view["game"]["result"])
        assert (await guest.command("!status"))["type"] == "reply"
        phase = guest.view["phase"]
        assert (await guest.command("!rock", phase=phase + 1))["code"] == "stale"
        assert (await guest.command("!rock", phase=phase))["type"] == "ack"
        await guest.leave()
        assert await sync_to_async(count_rows)() == before


async def test_practice_one_comes_back_to_the_same_table_and_nobody_with_a_forged_cookie() -> None:
    cookie = await sync_to_async(new_guest)()
    async with running_site():
        guest = await sit_down(cookie)
        table = guest.view["match"]["public_id"]
        await guest.leave()
        await until_true(lambda: not next(iter(the_store().rooms.values())).table_sockets)
        again = await sit_down(cookie)
        assert again.view["match"]["public_id"] == table
        forged = f"{cookie.partition(':')[0]}:forged"
        others = [await sit_down(each) for each in (await sync_to_async(new_guest)(), forged)]
        assert all(other.view["match"]["public_id"] != table for other in others)
        await all_leave(again, *others)


@pytest.mark.skipif("showdown" not in SLUGS, reason="takes two games")
async def test_practice_is_one_table_a_session() -> None:
    cookie = await sync_to_async(new_guest)()
    async with running_site():
        first = await sit_down(cookie)
        second = await sit_down(cookie, "/ws/practice/showdown/")
        assert await first.closed() == Close.PRACTICE_OVER
        assert len(the_store().rooms) == 1
        await second.leave()


async def test_practice_has_room_for_so_many_and_empty_tables_make_way(settings: Any) -> None:
    settings.PRACTICE_TABLES = 1
    async with running_site():
        first = await sit_down(None)
        refused = Browser(PATH)
        assert await refused.open()
        assert await refused.closed() == Close.PRACTICE_FULL
        await first.leave()
        await until_true(lambda: not any(room.table_sockets for room in the_store().rooms.values()))
        second = await sit_down(None)
        assert len(the_store().rooms) == 1
        await second.leave()


async def test_hostile_76_a_table_without_actions_gives_way_when_all_are_taken(settings) -> None:
    settings.PRACTICE_TABLES = 3
    async with running_site():
        browsers = [await sit_down(None) for _ in range(3)]
        idle, longest, acting = rooms = list(the_store().rooms.values())
        for room, seconds in zip(rooms, (61, 70, 59), strict=True):
            room.acted -= seconds
            room.address = f"192.0.2.{seconds}"
        newcomer = await sit_down(None)
        assert await browsers[1].closed() == Close.PRACTICE_OVER
        assert longest not in the_store().rooms.values()
        assert {idle, acting} < set(the_store().rooms.values())
        await all_leave(browsers[0], browsers[2], newcomer)


async def test_practice_a_table_has_so_many_sockets_and_keeps_the_tab_in_which_one_plays() -> None:
    cookie = await sync_to_async(new_guest)()
    async with running_site():
        played = await sit_down(cookie)
        assert (await played.command("!help"))["type"] == "reply"
        idle, *others = [await sit_down(cookie) for _ in range(table_store.SOCKETS)]
        assert await idle.closed() == Close.TOO_MANY_SOCKETS
        assert len(the_store().rooms) == 1
        await played.send(type="seen", revision=played.revision)
        assert await played.until(lambda frame: frame["type"] == "now")
        await all_leave(played, *others)


async def test_practice_ends_for_whoever_does_nothing_or_is_gone(monkeypatch) -> None:
    async with running_site() as site:
        guest = await sit_down(None)
        with monkeypatch.context() as patch:
            patch.setattr(table_store, "IDLE", -1.0)
            for socket in site.sockets:
                socket.check_liveness()
        assert await guest.closed() == Close.PRACTICE_OVER
        assert the_store().rooms == {}
        monkeypatch.setattr(table_store, "GRACE", 0.01)
        guest = await sit_down(None)
        await guest.leave()
        await until_true(lambda: not the_store().rooms)


async def test_practice_has_neither_chat_nor_other_games_nor_pages_of_other_sites_nor_haste(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cookie = await sync_to_async(new_guest)()
    async with running_site():
        for path in ("/ws/practice/chess/", "/ws/practice/arena/", "/ws/practice/duel/exam/"):
            assert not await Browser(path).open()
        for known in (None, cookie):
            assert not await Browser(PATH, known, origin="http://elsewhere.example").open()
        guest = await sit_down(None)
        await guest.send(id="said-to-bots", type="say", room="table", text="hello")
        assert (await guest.answer("said-to-bots"))["code"] == "forbidden"
        # All practice together has a limit, and so has each guest.
        with monkeypatch.context() as patch:
            work = the_store().work
            patch.setattr(work, "level", 0)
            patch.setattr(work, "rate", 0)
            assert (await guest.act(kind="throw", hand="rock"))["code"] == "busy"
        await guest.leave()
        monkeypatch.setattr(table_store, "PACE", (0.001, 2))
        guest = await sit_down(None)
        codes = [(await guest.act(kind="nonsense"))["code"] for _ in range(3)]
        assert codes[-1] == "rate_limited"
        assert "rate_limited" not in codes[:2]
        await guest.leave()


@pytest.mark.both_databases
async def test_practice_of_a_user_moves_no_points() -> None:
    user = await sync_to_async(new_user)()
    cookie = await sync_to_async(log_in)(user)
    async with running_site():
        before = await sync_to_async(count_rows)()
        player = await sit_down(cookie)
        assert player.view["you"]["name"] == user.username
        await player.act(kind="throw", hand="paper")
        await player.leave()
        assert await sync_to_async(count_rows)() == before
