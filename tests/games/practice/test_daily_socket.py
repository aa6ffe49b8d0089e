import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from games.matches.models import DailyPlay
from games.practice import daily
from games.practice.table_store import STORE
from games.realtime import runtime
from games.realtime.limits import Bucket
from tests.games.match_kit import new_user
from tests.games.socket_kit import Browser, log_in, running_site

GAME = daily.daily_game()
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(GAME is None, reason="no game offers a daily table"),
]
PATH = "/ws/daily/"


def stored(user: User) -> DailyPlay:
    return DailyPlay.objects.select_related("table").get(user=user)


async def test_daily_socket_is_for_users_who_have_begun() -> None:
    user = await sync_to_async(new_user)()
    async with running_site():
        assert not await Browser(PATH, None).open()
        assert not await Browser(PATH, await sync_to_async(log_in)(user)).open()
        assert not await sync_to_async(DailyPlay.objects.exists)()


async def test_daily_action_is_stored_when_it_is_acknowledged_and_survives_a_restart(
    monkeypatch,
) -> None:
    user = await sync_to_async(new_user)()
    play = await sync_to_async(daily.begin)(user, GAME)
    async with running_site():
        browser = Browser(PATH, await sync_to_async(log_in)(user))
        assert await browser.open()
        await browser.until_view(lambda view: view["game"].get("turn") == view["you"]["seat"])
        with monkeypatch.context() as patch:
            running = runtime.current()
            patch.setattr(running.runners[STORE], "work", Bucket(0, 0))
            assert (await browser.act(kind="call"))["code"] == "busy"
        answer = await browser.act(kind="call")
        assert answer["type"] == "ack"
        assert (await sync_to_async(stored)(user)).action_count == 1
        assert play.table.seed not in repr(browser.view)
        name = browser.view["match"]["public_id"]
        refused = await browser.act(kind="rematch")
        assert refused["type"] == "error"
        await browser.leave()
    async with running_site():
        again = Browser(PATH, await sync_to_async(log_in)(user))
        assert await again.open()
        await again.until_view(lambda view: view["match"]["status"] == "running")
        assert again.view["match"]["public_id"] == name
        assert (await sync_to_async(stored)(user)).action_count == 1
        await again.leave()
