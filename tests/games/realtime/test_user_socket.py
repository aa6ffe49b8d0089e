import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from accounts.models import User
from economy.ledger import wallet
from economy.units import Unit
from games.matches import services as matches
from games.matches.models import Match
from games.notices.attention import affairs_of
from games.realtime import feeds, runtime
from games.realtime.executors import Executor
from games.realtime.feeds import Lobby
from games.showdown.shopping import buy_weapon
from tests.boot import PATIENCE
from tests.economy.kit import give
from tests.games.socket_kit import Browser, begin_soon, log_in, opened, running_site, until_true
from tests.games.table_kit import new_user

pytestmark = pytest.mark.django_db(transaction=True)


@asynccontextmanager
async def own_lines(count: int = 1) -> AsyncIterator[list[Any]]:
    """Give users, their cookies, and then the socket of each one's affairs, which are told."""
    users = await sync_to_async(lambda: [new_user() for _ in range(count)])()
    cookies = [await sync_to_async(log_in)(user) for user in users]
    async with running_site():
        lines = [await own_line(cookie) for cookie in cookies]
        yield [users, cookies, *lines]


async def own_line(cookie: str) -> Browser:
    line = Browser("/ws/me/", cookie)
    assert await line.open()
    await until_told(line)
    return line


async def until_told(line: Browser, wanted: Callable[[dict[str, Any]], bool] = bool) -> Any:
    return await line.until(lambda frame: frame["type"] == "me" and wanted(frame))


def needs(*what: str) -> Callable[[dict[str, Any]], bool]:
    return lambda frame: [need["what"] for need in frame["needs_you"]] == list(what)


def table_of(opener: User) -> Match:
    return matches.open_match(opened_by=opener, options={"seats": 2}, game="showdown")


def buy_on_the_page(user: User) -> int:
    client = Client()
    client.force_login(user)
    order = {"unit": "LANDMINE", "quantity": 1, "expected_price": 12, "key": "a-key-of-the-page"}
    return client.post(reverse("shop_buy"), order).status_code


@pytest.fixture
def no_comparison(monkeypatch) -> None:
    monkeypatch.setattr(feeds, "COMPARE", 3600.0)


@pytest.mark.both_databases
async def test_own_socket_tells_balance_at_once_and_after_a_purchase_on_the_page(no_comparison):
    async with own_lines(2) as (users, _, ann, bob):
        first = ann.frames[-1]
        assert (first["revision"], first["balance"], first["needs_you"]) == (1, 100, [])
        assert first["now"].endswith("Z")
        assert await sync_to_async(buy_on_the_page)(users[0]) == 302
        told = await until_told(ann)
        assert (told["revision"], told["balance"]) == (2, 88)
        # Bob is sent what he has got himself, and of nothing before.
        await sync_to_async(give)(wallet(users[1].pk), 7)
        runtime.tell(users=[users[1].pk])
        told = await bob.receive()
        assert (told["type"], told["revision"], told["balance"]) == ("me", 2, 107)


async def test_own_socket_finds_by_itself_what_nobody_told(monkeypatch) -> None:
    monkeypatch.setattr(feeds, "COMPARE", 0.1)
    async with own_lines() as (users, _, ann):
        await sync_to_async(give)(wallet(users[0].pk), 7)
        assert (await ann.receive())["balance"] == 107
        looks: list[object] = []
        look = lambda ids: looks.append(ids) or affairs_of(ids)  # noqa: E731
        monkeypatch.setattr(feeds, "affairs_of", look)
        await until_true(lambda: len(looks) > 3)
        # The same is not told twice.
        await ann.send(type="seen", revision=2)
        assert (await ann.receive())["type"] == "now"


@pytest.mark.plain
async def test_own_socket_hears_of_purchases_at_a_table_and_of_hints(no_comparison) -> None:
    async with own_lines() as (users, cookies, ann):
        table = await opened(await sync_to_async(table_of)(users[0]), cookies[0])
        assert (await table.command("!buy rock 2"))["type"] == "ack"
        assert (await until_told(ann))["balance"] == 90
        bought = {"unit": Unit.PAPER, "quantity": 1, "action_id": "elsewhere-1"}
        await sync_to_async(buy_weapon)(user_id=users[0].pk, **bought)
        runtime.current()._hinted([("u", users[0].pk, 1)])
        assert (await until_told(ann))["balance"] == 85


@pytest.mark.plain
@pytest.mark.both_databases
async def test_own_socket_tells_which_tables_wait_and_what_for(monkeypatch) -> None:
    begin_soon(monkeypatch)
    async with own_lines(2) as (users, cookies, ann, _):
        match = await sync_to_async(table_of)(users[0])
        tables = [await opened(match, cookie) for cookie in cookies]
        for seat, table in enumerate(tables):
            assert (await table.act(kind="sit", seat=seat, purse=30))["type"] == "ack"
        told = await until_told(ann, lambda frame: frame["needs_you"])
        url = f"/tables/{match.public_id}/"
        assert told["needs_you"] == [{"title": match.title, "url": url, "what": "Get ready"}]
        assert told["balance"] == 100
        for table in tables:
            assert (await table.act(kind="ready", configuration=1))["type"] == "ack"
        for table in tables:
            await table.until_view(lambda view: view["game"] is not None)
        is_on_turn = tables[0].view["game"]["turn"] == 0
        waits = needs(*["Your turn to bet"] * is_on_turn)
        # What waits is read before the balance: a look while the game begins may find it as it was.
        await until_told(ann, lambda frame: frame["balance"] == 70 and waits(frame))
        first, second = tables if is_on_turn else tables[::-1]
        assert (await first.act(kind="call"))["type"] == "ack"
        await second.until_view(lambda view: "call" in view["game"]["you"]["may"])
        assert (await second.act(kind="call"))["type"] == "ack"
        await until_told(ann, needs("Choose your weapons"))
        await tables[0].until_view(lambda view: view["game"]["stage"] == "round")
        assert (await tables[0].act(kind="lock"))["type"] == "ack"
        await until_told(ann, needs())


@pytest.mark.plain
async def test_own_socket_is_not_for_guests_takes_no_orders_and_leaves_nothing() -> None:
    async with own_lines() as (users, cookies, ann):
        assert not await Browser("/ws/me/").open()
        assert not await Browser("/ws/me/", cookies[0], origin="http://evil.example").open()
        await ann.send(type="seen", revision=1)
        assert (await ann.receive())["type"] == "now"
        await ann.send(id="an-order-01", type="command", text="!buy rock 1")
        answer = await ann.receive()
        assert (answer["type"], answer["code"]) == ("error", "bad_type")
        feed = runtime.current().user_feed
        assert set(feed.watchers) == {users[0].pk}
        await ann.leave()
        await until_true(lambda: not feed.watchers)
        assert feed._known == {}


async def test_own_sockets_do_not_count_towards_the_tables(settings) -> None:
    async with own_lines() as (_, cookies, first):
        others = [await own_line(cookies[0]) for _ in range(settings.SOCKETS_PER_USER - 1)]
        lobby = Browser("/ws/lobby/", cookies[0])
        assert await lobby.open()
        await own_line(cookies[0])
        assert await first.closed() == 4409
        assert all(not other.line.future.done() for other in others)
        await lobby.send(type="seen", revision=0)
        assert (await lobby.until(lambda frame: frame["type"] == "now"))["type"] == "now"


@pytest.mark.parametrize("kind", [Lobby, feeds.UserFeed])
@pytest.mark.parametrize("turns", range(4))
async def test_looking_ends_even_if_something_is_told_at_that_moment(kind, turns) -> None:
    executor = Executor("test", 1)
    looker = kind(executor)
    looker.start()
    for _ in range(3):
        await asyncio.sleep(0)
    looker._wanted.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        await looker.stop()
    assert looker._task.done()
    executor.close()


def test_nobody_is_told_where_nothing_is_live() -> None:
    assert runtime.current() is None
    runtime.tell(users=[1])
