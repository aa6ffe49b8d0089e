import asyncio
import logging
import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db.models import Sum
from django.test import Client

from accounts import oversight
from economy.models import Account
from economy.records import Actor
from economy.selectors import balance_of
from economy.units import AccountKind, Unit
from games.matches.models import Entry, Match, WebProcess
from games.matches.processing import repair
from games.matches.queries import selectors
from tests.accounts.kit import NEW
from tests.games.socket_kit import Browser, log_in, look_often, make_table, opened, running_site
from tests.games.table_kit import TableKit, new_user, running_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "origin",
    ["https://evil.test", "http://localhost.evil.test", "http://localhost:3000",
     "https://localhost", "null", ""],
    ids=["01", "01-alike", "02-port", "02-scheme", "03-null", "03-none"],
)  # fmt: skip
async def test_hostile_01_02_03_a_cookie_counts_from_this_site_alone(origin, caplog) -> None:
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site() as running:
        with caplog.at_level(logging.WARNING):
            assert not await Browser(f"/ws/match/{match.public_id}/", cookies[0], origin).open()
        assert "ws.origin" in caplog.text
        assert cookies[0].partition("=")[2] not in caplog.text
        assert list(running.sockets) == []


async def test_hostile_04_a_guest_has_the_public_lobby_and_no_private_table() -> None:
    match, _, _ = await sync_to_async(make_table)(seats=2, listed=False)
    async with running_site():
        for path in (f"/ws/match/{match.public_id}/", "/ws/me/"):
            assert not await Browser(path, None, "http://localhost").open()
        lobby = Browser("/ws/lobby/")
        assert await lobby.open()
        for frame in (
            {"type": "say", "room": "table", "text": "hi"},
            {"type": "act", "phase": 0, "action": {"kind": "sit", "seat": 0, "purse": 5}},
            {"type": "command", "text": "!buy rock"},
        ):
            await lobby.send(id="lobby-acts-1", **frame)
            error = await lobby.until(lambda sent: sent["type"] == "error")
            assert error["code"] == "unauthenticated"
        await lobby.leave()


def a_browser(cookie: str) -> Client:
    client = Client()
    name, _, key = cookie.partition("=")
    client.cookies[name] = key
    return client


async def test_hostile_05_who_logs_out_in_one_tab_acts_in_no_other() -> None:
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        tabs = [await opened(match, cookies[0]) for _ in range(2)]
        other = await opened(match, cookies[1])
        page = a_browser(cookies[0])
        answer = await sync_to_async(page.post)("/accounts/logout/")
        assert answer.status_code == 302
        # One of them sends before it has heard: the frame races with the end of its socket.
        sit = {"kind": "sit", "seat": 0, "purse": 5}
        await tabs[0].send(id="racing-frame", type="act", phase=0, action=sit)
        assert [await tab.closed() for tab in tabs] == [4401, 4401]
        assert (await other.act(kind="sit", seat=0, purse=5))["type"] == "ack"
        await other.leave()
    assert not await Entry.objects.filter(match=match, action_id="racing-frame").aexists()


async def test_hostile_06_another_password_ends_all_other_sessions_and_a_ban_all() -> None:
    match, users, cookies = await sync_to_async(make_table)(seats=2)
    elsewhere = await sync_to_async(log_in)(users[0])
    form = {"oldpassword": "a long password", **NEW}
    async with running_site():
        thief = await opened(match, elsewhere)
        page = a_browser(cookies[0])
        changed = await sync_to_async(page.post)("/accounts/password/change/", form)
        assert changed.status_code == 302
        assert await thief.closed() == 4401
        gone = await sync_to_async(a_browser(elsewhere).get)("/wallet/")
        assert (gone.status_code, "/accounts/login/" in gone["Location"]) == (302, True)
        assert (await sync_to_async(page.get)("/wallet/")).status_code == 200
        cookie = f"sessionid={page.cookies['sessionid'].value}"
        sockets = [await opened(match, cookie) for _ in range(2)]
        chief = Actor("user:0", "chief")
        await sync_to_async(oversight.ban_user)(chief, users[0].pk, "he knows very well why")
        assert {await socket.closed() for socket in sockets} <= {4401, 4403}
        assert (await sync_to_async(page.get)("/wallet/")).status_code == 302
        # As a guest, who may look at a table that is listed.
        again = await opened(match, cookie)
        assert (await again.act(kind="sit", seat=0, purse=5))["code"] == "unauthenticated"
        await again.leave()


async def test_hostile_09_a_private_game_is_as_if_it_were_not() -> None:
    match, _, cookies = await sync_to_async(make_table)(seats=2, listed=False, spectators=False)
    stranger = await sync_to_async(new_user)()
    cookie = await sync_to_async(log_in)(stranger)
    async with running_site():
        for name in (match.public_id, "A" * len(match.public_id)):
            browser = Browser(f"/ws/match/{name}/", None)
            assert not await browser.open()
        known = Browser(f"/ws/match/{match.public_id}/", cookies[0])
        assert await known.open()
        await known.leave()
    kit = await sync_to_async(running_table)(seats=2, listed=False, spectators=False)
    told = []
    for name in (kit.match.public_id, "A" * len(kit.match.public_id)):
        for path in (f"/tables/{name}/", f"/tables/{name}/log.json", f"/matches/{name}/"):
            page = await sync_to_async(a_browser(cookie).get)(path)
            body = page.content.decode().replace(name, "NAME")
            # Without the parts that differ in each answer.
            body = re.sub(r'(nonce|value)="[^"]{20,}"', "", body)
            told.append((page.status_code, body, page["Content-Type"]))
    assert (told[:3], {status for status, _, _ in told}) == (told[3:], {404})


@pytest.mark.plain
async def test_hostile_18_ten_bad_frames_in_ten_seconds_are_a_flood() -> None:
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        browser = await opened(match, cookies[0])
        for text, code in (
            ("not json", "bad_json"),
            ("[1]", "bad_envelope"),
            ('{"type":"__class__","id":"12345678"}', "bad_type"),
            ('{"type":"act","id":"12345678","phase":0,"action":{"kind":"sit"},"x":1}', "bad_field"),
        ):
            await browser.line.send_to(text_data=text)
            assert (await browser.receive())["code"] == code
        assert (await browser.act(kind="sit", seat=0, purse=5))["type"] == "ack"
        for _ in range(10):
            await browser.line.send_to(text_data="{")
        assert await browser.closed() == 4429


async def test_hostile_34_an_old_frame_after_reconnecting() -> None:
    match, users, cookies = await sync_to_async(make_table)(seats=2)
    sit = {"kind": "sit", "seat": 0, "purse": 30}
    frame = {"id": "resent-frame-1", "type": "act", "phase": 0, "action": sit}
    async with running_site():
        one = await opened(match, cookies[0])
        await one.send(**frame)
        assert (await one.answer("resent-frame-1"))["repeated"] is False
        await one.leave()
    # Another process, which has never seen the first one.
    async with running_site():
        again = await opened(match, cookies[0])
        await again.send(**frame)
        assert (await again.answer("resent-frame-1"))["repeated"] is True
        await again.send(**{**frame, "action": {**sit, "seat": 1}})
        assert (await again.answer("resent-frame-1"))["code"] == "conflict"
        # A new id is judged by what holds now: one sits there already.
        await again.send(**{**frame, "id": "resent-frame-2"})
        assert (await again.answer("resent-frame-2"))["code"].startswith("action/")
        await again.leave()
    assert await Entry.objects.filter(match=match, actor=users[0]).acount() == 1


async def test_hostile_62_who_goes_away_with_a_forced_bet_loses_it_by_the_clock(monkeypatch):
    look_often(monkeypatch)
    kit, cookies = await sync_to_async(running_game)()
    async with running_site():
        browsers = [await opened(kit.match, cookie) for cookie in cookies]
        turn = browsers[0].view["game"]["turn"]
        gone, other = browsers[turn], browsers[1 - turn]
        pot = other.view["game"]["pot"]
        await gone.leave()
        await other.until_view(lambda view: not view["seats"][turn]["present"])
        assert (other.view["match"]["status"], other.view["game"]["pot"]) == ("running", pot)
        # The clock fires when the turn is over, with a live web process.
        later = (await Match.objects.aget(pk=kit.match.pk)).due_at + timedelta(seconds=1)
        await WebProcess.objects.filter(closed_at=None).aupdate(beat_at=later)
        await sync_to_async(lambda: repair.fire_due(selectors.due_matches(later), later))()
        view = await other.until_view(lambda view: view["match"]["status"] == "over")
        assert view["game"]["seats"][turn]["status"] == "folded"
        await other.leave()
    loser, winner = kit.people[turn], kit.people[1 - turn]
    assert await sync_to_async(balance_of)(loser.pk) == 100 - pot // 2
    assert await sync_to_async(balance_of)(winner.pk) > 100
    escrows = Account.objects.filter(kind=AccountKind.ESCROW, unit=Unit.POINT)
    assert (await escrows.aaggregate(held=Sum("balance")))["held"] == 0


def running_game() -> tuple[TableKit, list[str]]:
    kit = running_table(seats=2)
    # Else the site would take what the kit's own process left for an outage.
    WebProcess.objects.all().delete()
    return kit, [log_in(user) for user in kit.people]


async def test_hostile_64_of_an_address_a_socket_more_is_refused_and_of_a_user_closes_one(settings):
    match, _, cookies = await sync_to_async(make_table)(seats=2)
    async with running_site():
        guests = [Browser(f"/ws/match/{match.public_id}/") for _ in range(61)]
        assert [await guest.open() for guest in guests] == [True] * 60 + [False]
        await guests[0].leave()
        again = Browser(f"/ws/match/{match.public_id}/")
        assert await again.open(), "there is room again"
        await asyncio.gather(*(guest.leave() for guest in (again, *guests[1:60])))
        browsers = [await opened(match, cookies[0]) for _ in range(settings.SOCKETS_PER_USER + 1)]
        assert await browsers[0].closed() == 4409
        await asyncio.gather(*(browser.leave() for browser in browsers[1:]))


async def test_hostile_40_a_secret_choice_sends_others_nothing() -> None:
    kit, cookies = await sync_to_async(running_game)()
    await sync_to_async(kit.call_all)()
    async with running_site():
        ann, bob, guest = [await opened(kit.match, cookie) for cookie in (*cookies, None)]
        # Who came last is told by a view of its own: after it nothing is under way.
        for browser in (ann, bob):
            await browser.until_view(lambda view: view["match"]["watching"] == 1)
        assert (await ann.act(kind="attack", weapon="paper", target=1))["type"] == "ack"
        assert (await ann.act(kind="combine", first="rock", second="scissors"))["type"] == "ack"
        # What everybody receives afterwards is the next that they receive.
        known = [len(browser.frames) for browser in (bob, guest)]
        assert (await ann.act(kind="lock"))["type"] == "ack"
        for browser, before in zip((bob, guest), known, strict=True):
            await browser.until_view(lambda view: view["game"]["seats"][0]["locked"])
            assert len(browser.frames) == before + 1
        for browser in (ann, bob, guest):
            await browser.leave()
