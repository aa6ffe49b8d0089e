import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.db import OperationalError

from accounts.models import User
from economy.selectors import stock_of
from economy.units import Unit
from games.matches.models import Entry, Match
from games.posts import chat
from games.realtime import consumers, runtime, socket_queries
from games.realtime.limits import ChatLimits
from games.realtime.write_queue import WriteQueue
from games.showdown import bot
from tests.games.socket_kit import (
    Browser,
    at_table,
    begin_soon,
    log_in,
    look_often,
    make_table,
    opened,
    running_site,
    see_nothing,
    started,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.both_databases
async def test_socket_view_comes_before_the_ack_and_to_everybody() -> None:
    async with at_table() as (match, _, cookies, ann, bob):
        guest, tab = await opened(match, None), await opened(match, cookies[0])
        ack = await ann.act(kind="sit", seat=0, purse=50)
        assert ack == {"type": "ack", "id": ack["id"], "repeated": False}
        assert ann.view["you"]["seat"] == 0
        for other in (bob, guest):
            view = await other.until_view(lambda view: view["seats"][0]["player"] is not None)
            assert view["you"]["seat"] is None
        # Two tabs of one user agree.
        await tab.until_view(lambda view: view["you"]["seat"] == 0)
        assert {**ann.view, "match": {}} == {**tab.view, "match": {}}
        assert (await guest.act(kind="sit", seat=1, purse=5))["code"] == "unauthenticated"
        assert (await guest.say("guest-says-1", "hello"))["code"] == "unauthenticated"


@pytest.mark.plain
async def test_socket_game_by_typed_commands(monkeypatch) -> None:
    begin_soon(monkeypatch)
    async with at_table(target=3) as (_, users, _, ann, bob):
        for browser in (ann, bob):
            assert (await browser.command("!sit 40"))["type"] == "ack"
        for browser in (ann, bob):
            await browser.until_view(lambda view: view["you"]["seat"] is not None)
            assert (await browser.command("!READY"))["type"] == "ack"
        for browser in (ann, bob):
            await browser.until_view(lambda view: view["match"]["status"] == "running")
        first = ann if ann.view["game"]["turn"] == 0 else bob
        second = bob if first is ann else ann
        assert (await first.command("!raise 5"))["type"] == "ack"
        await second.until_view(lambda view: view["game"]["turn"] == view["you"]["seat"])
        assert (await second.command("!call"))["type"] == "ack"
        for browser in (ann, bob):
            await browser.until_view(lambda view: view["game"]["stage"] == "round")
        name = users[1].username
        late = await ann.command(f"!atk p {name}", phase=ann.view["phase"] - 1)
        assert late["code"] == "stale", "it was typed for the betting"
        assert ann.view["game"]["you"]["attacks"] == {}
        now = ann.view["phase"]
        assert (await ann.command(f"!atk r {name[:-1]}", phase=now))["type"] == "ack"
        assert ann.view["game"]["you"]["attacks"] == {"1": "rock"}
        wrong = await ann.command("!atk r nobody-here")
        assert wrong["code"] == "command/unknown_player"
        status = await ann.command("!status")
        assert status["type"] == "reply"
        assert "Round 1" in status["text"]
        assert (await ann.command("!lock"))["type"] == "ack"
        await bob.until_view(lambda view: view["game"]["seats"][0]["locked"])
        assert (await bob.command(f"!scissors {users[0].username}"))["type"] == "ack"
        assert (await bob.command("!lock"))["type"] == "ack"
        view = await ann.until_view(lambda view: view["game"]["last_round"] is not None)
        assert view["game"]["last_round"]["battles"][0]["winner"] == 0


async def test_socket_spectators_leave_when_a_closed_game_begins(monkeypatch) -> None:
    begin_soon(monkeypatch)
    match, _, cookies = await sync_to_async(make_table)(people=3, seats=2, spectators=False)
    async with running_site():
        spectator = await opened(match, cookies[2])
        await started(match, cookies[:2])
        assert await spectator.closed() == 4403
        assert "running" not in {frame["view"]["match"]["status"] for frame in spectator.frames}


@pytest.mark.plain
async def test_socket_ended_session_can_neither_act_buy_nor_talk(monkeypatch) -> None:
    see_nothing(monkeypatch)
    async with at_table() as (match, users, cookies, one, _):
        two, three = [await opened(match, cookies[0]) for _ in range(2)]
        await Session.objects.all().adelete()
        assert (await one.command("!buy rock"))["code"] == "unauthenticated"
        assert await one.closed() == 4401
        assert (await two.say("after-the-end", "still here"))["code"] == "unauthenticated"
        assert (await three.act(kind="sit", seat=0, purse=5))["code"] == "unauthenticated"
        assert await three.closed() == 4401
    assert (await sync_to_async(stock_of)(users[0].pk))[Unit.ROCK] == 0
    assert await Entry.objects.filter(match=match).acount() == 0


async def test_socket_tells_when_to_come_again_and_answers_the_line_too(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a secret of ours")

    async with at_table() as (*_, browser, _):
        with monkeypatch.context() as patch:
            patch.setattr(WriteQueue, "offer", lambda waiting, job: 2.5)
            refused = await browser.act(kind="sit", seat=0, purse=5)
            assert (refused["code"], refused["retry_ms"]) == ("busy", 2500)
        assert (await browser.act(kind="sit", seat=0, purse=5))["type"] == "ack"
        monkeypatch.setattr(socket_queries, "say", fail)
        refused = await browser.say("chat-line-1", "hello")
        assert refused["code"] == "internal"
        assert "secret" not in json.dumps(refused)


def busy_once(work: Callable[..., Any]) -> Callable[..., Any]:
    tries = itertools.count()

    def tried(*given: Any, **named: Any) -> Any:
        if next(tries) == 0:
            raise OperationalError("database is locked")
        return work(*given, **named)

    return tried


@pytest.mark.plain
async def test_hostile_85_every_frame_is_answered_while_the_database_is_busy(monkeypatch) -> None:
    monkeypatch.setattr(consumers, "WRITE_RETRY_MS", 10)
    async with at_table() as (match, users, cookies, browser, _):
        for name in ("said_before", "say", "run_side_command"):
            monkeypatch.setattr(socket_queries, name, busy_once(getattr(socket_queries, name)))
        frames = [
            {"id": "chat-line-1", "type": "say", "room": "spectators", "text": "anybody?"},
            {"id": "typed-line-1", "type": "command", "text": "!buy rock"},
        ]
        for frame in frames:
            await browser.send(**frame)
            refused = await browser.answer(frame["id"])
            assert (refused["code"], refused["retry_ms"]) == ("busy", 10)
            await browser.send(**frame)
            acked = await browser.until(lambda got: got["type"] == "ack")
            assert acked["id"] == frame["id"]
        # The chat so far comes when the database can be read.
        assert (await (await opened(match, cookies[1])).heard())["text"] == "anybody?"
    assert (await sync_to_async(stock_of)(users[0].pk))[Unit.ROCK] == 1


@pytest.mark.plain
@pytest.mark.both_databases
async def test_socket_chat_reaches_the_table_and_spectators_stay_among_themselves() -> None:
    async with at_table(3) as (match, users, cookies, ann, bob, cleo):
        await ann.act(kind="sit", seat=0, purse=5)
        await cleo.until_view(lambda view: view["seats"][0]["player"] is not None)
        assert (await ann.say("chat-line-1", "good evening", "table"))["type"] == "ack"
        said = await cleo.heard()
        assert (said["name"], said["text"], said["seat"]) == (users[0].username, "good evening", 0)
        assert (await bob.say("chat-line-2", "psst"))["type"] == "ack"
        assert (await cleo.heard())["text"] == "psst"
        assert (await bob.say("chat-line-3", "hey", "table"))["code"] == "forbidden"
        late = await opened(match, cookies[0])
        heard = [frame for frame in late.frames if frame["type"] == "said"]
        assert (heard[0] if heard else await late.heard())["text"] == "good evening"
        assert "psst" not in [frame.get("text") for frame in ann.frames]


@pytest.mark.plain
async def test_hostile_63_chat_is_limited_by_user_and_not_by_socket() -> None:
    async with at_table() as (match, _, cookies, one, other):
        # A stopped clock: however slow a machine is, all is said at once.
        runtime.current().chat_limits = ChatLimits(lambda: 1_000.0)
        sockets = [one, *[await opened(match, cookies[0]) for _ in range(2)]]
        answers = [await sockets[no % 3].say(f"chat-line-{no}", "listen!") for no in range(30)]
        assert [answer["type"] for answer in answers] == ["ack"] * 5 + ["error"] * 25
        refusals = {(answer["code"], answer["retry_ms"]) for answer in answers[5:]}
        assert refusals == {("rate_limited", 5000)}
        assert (await other.say("chat-line-x", "hush!"))["type"] == "ack"


@pytest.mark.both_databases
@pytest.mark.parametrize("end", ["ban", "password", "session"])
async def test_hostile_06_a_log_in_that_another_process_ends_closes_its_sockets(monkeypatch, end):
    # Neither the regular look nor a hint, only what the database says.
    monkeypatch.setattr(runtime, "RECHECK", 3600.0)
    look_often(monkeypatch)
    async with at_table() as (match, users, cookies, ann, bob):
        tab = await opened(match, await sync_to_async(log_in)(users[0]))
        mine = User.objects.filter(pk=users[0].pk)
        if end == "session":
            await Session.objects.filter(session_key=cookies[0].split("=")[1]).adelete()
        else:
            await mine.aupdate(**{"ban": {"is_active": False}, "password": {"password": "x"}}[end])
        assert await ann.closed() == 4401
        if end == "session":
            assert (await tab.act(kind="sit", seat=1, purse=5))["type"] == "ack", "another log-in"
        else:
            assert await tab.closed() == 4401
        assert (await bob.act(kind="sit", seat=0, purse=5))["type"] == "ack"


@pytest.mark.plain
async def test_socket_chat_said_while_somebody_comes_in_is_heard(monkeypatch) -> None:
    look_often(monkeypatch)
    match, users, cookies = await sync_to_async(make_table)(people=3, seats=2)
    admitted = socket_queries.admitted

    def slowly(public_id: str, user_id: int | None) -> Match | None:
        found = admitted(public_id, user_id)
        if user_id == users[2].pk:
            said = {"room": "spectators", "text": "just now", "action_id": "chat-line-1"}
            chat.say(match_id=match.pk, user_id=users[1].pk, **said)
        return found

    monkeypatch.setattr(socket_queries, "admitted", slowly)
    async with running_site():
        ann = await opened(match, cookies[0])
        cleo = await opened(match, cookies[2])
        for browser in (cleo, ann):
            assert (await browser.heard())["text"] == "just now"


async def test_socket_bot_joins_and_plays_at_its_own_pace(monkeypatch) -> None:
    for name in ("LEAST_THINKING", "USUAL_THINKING", "MOST_THINKING"):
        monkeypatch.setattr(bot, name, 100)
    async with at_table(1) as (match, _, _, ann):
        await ann.act(kind="sit", seat=0, purse=20)
        assert (await ann.act(kind="add_bot"))["type"] == "ack"
        await ann.act(kind="ready", configuration=1)
        await ann.until_view(lambda view: view["match"]["status"] == "running")
        if ann.view["game"]["turn"] == 0:
            await ann.act(kind="call")
        await ann.until_view(lambda view: view["game"]["turn"] != 1)
        assert await Entry.objects.filter(match=match, actor__is_bot=True).aexists()


@pytest.mark.both_databases
async def test_lobby_shows_tables_as_they_change() -> None:
    async with at_table() as (_, users, _, ann, _):
        lobby = Browser("/ws/lobby/")
        assert await lobby.open()
        await ann.act(kind="sit", seat=0, purse=5)
        frame = await lobby.until(lambda frame: bool(frame["games"]["showdown"][0]["players"]))
        assert frame["games"]["showdown"][0]["players"][0]["name"] == users[0].username
