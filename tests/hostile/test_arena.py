from typing import Any, NoReturn

import pytest
from asgiref.sync import sync_to_async
from django.urls import reverse

from games.arena import hub
from games.arena.models import Choice, Player
from games.matches.models import Flag
from games.moderation import reports
from games.realtime import sessions
from games.realtime.protocol import Close
from tests.accounts.kit import browser
from tests.games.arena.kit import allow, new_people
from tests.games.arena.test_sockets import LONG, Visitor, prepared, visitor
from tests.games.match_kit import new_user
from tests.games.socket_kit import log_in, running_site

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def _never(scope: dict[str, Any]) -> NoReturn:
    raise AssertionError("the log-in was read")


@pytest.mark.plain
async def test_hostile_73_a_user_has_one_allowance_and_who_goes_on_is_closed_and_waits(monkeypatch):
    ann, bob = await sync_to_async(prepared)(2, LONG)
    await sync_to_async(allow)(actions_a_minute=1, actions_at_once=3)
    session = await sync_to_async(log_in)(ann)
    async with running_site():
        one, two, other = await visitor(ann), Visitor(session), await visitor(bob)
        assert await two.open()
        await two.until_arena(lambda view: True)
        await one.join()
        for each in (one, two):
            assert (await each.act(kind="prefer", option="count", value="on"))["type"] == "ack"
        before = await Player.objects.aget(user=ann)
        for each in (one, two):
            refused = await each.act(kind="leave")
            assert refused["code"] == "rate_limited"
            assert 0 < refused["retry_ms"] <= 60_000
        assert (await Player.objects.aget(user=ann)).leaves is before.leaves is False
        for move in ("rock", "paper", "rock", "scissors"):
            assert (await two.act(kind="choose", move=move))["type"] == "ack"
        assert (await Choice.objects.aget(user=ann)).move == "scissors"
        await other.join()
        for number in range(30):
            action = {"kind": "join"}
            await two.send(id=f"flood-{number:04d}", type="act", phase=0, action=action)
        assert await two.closed() == Close.FLOOD
        assert not await Visitor(await sync_to_async(log_in)(ann)).open()
        with monkeypatch.context() as patch:
            # The log-in of the flood is not even read.
            patch.setattr(sessions, "read_stamp", _never)
            assert not await Visitor(session).open()
        monkeypatch.setattr(hub, "FLOOD_REST", 0.0)
        for each in (await visitor(ann), one, other):
            await each.leave()


async def test_hostile_25_a_used_id_in_the_arena() -> None:
    (ann,) = await sync_to_async(prepared)(1, LONG)
    async with running_site():
        one, two = await visitor(ann), await visitor(ann)
        await one.join()
        phase = one.view["arena"]["round"]
        first = {"id": "used-in-the-arena", "type": "act", "phase": phase}
        rock, paper = (
            {**first, "action": {"kind": "choose", "move": m}} for m in ("rock", "paper")
        )
        await one.send(**rock)
        assert (await one.answer(first["id"]))["repeated"] is False
        await one.act(kind="choose", move="scissors")
        for sent, answer in ((rock, "ack"), (paper, "conflict"), (rock, "ack")):
            await two.send(**sent)
            heard = await two.answer(first["id"])
            assert heard.get("code", heard["type"]) == answer
            assert heard.get("repeated", True) is True
        await two.send(**{**first, "action": {"kind": "leave"}})
        assert (await two.answer(first["id"]))["code"] == "conflict"
        assert (await Choice.objects.aget(user=ann)).move == "scissors"
        assert not (await Player.objects.aget(user=ann)).leaves
        for each in (one, two):
            await each.leave()


def test_hostile_74_names_have_the_daily_limit_of_reports() -> None:
    client, people = browser(new_user()), new_people(reports.MOST_A_DAY + 2)
    answers = [
        client.post(reverse("arena_report"), {"name": user.username, "reason": "a rude name"})
        for user in people
    ]
    assert [answer.status_code for answer in answers] == [200] * reports.MOST_A_DAY + [409] * 2
    assert Flag.objects.count() == reports.MOST_A_DAY
    client.force_login(new_user())
    again = client.post(reverse("arena_report"), {"name": people[0].username, "reason": "so it is"})
    assert again.status_code == 200
