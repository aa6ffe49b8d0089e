"""Plays Coin on the whole site; test_tutorial.py runs this where the tutorial was carried out."""

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from economy.audit import find_violations
from economy.selectors import balance_of
from games import registry
from games.matches.journal.replay import replay_match
from games.matches.models import Match
from tests.games.match_kit import MatchKit, new_user
from tests.games.socket_kit import Browser, log_in, running_site


class CoinKit(MatchKit):
    game = "coin"


@pytest.mark.django_db
def test_coin_is_opened_and_shown_by_the_common_pages() -> None:
    client = Client()
    client.force_login(new_user())
    assert b"5 to 86400" in client.get("/play/coin/rules/").content
    opened = client.post("/play/coin/new/", {"stake": 7, "clock": 30, "listed": "on"})
    match = Match.objects.get()
    assert opened["Location"] == reverse("match", args=[match.public_id])
    board = client.get(opened["Location"])
    assert board.templates[0].name == "games/simple.html"
    assert b"js/simple/app.js" in board.content
    assert match.public_id in client.get("/play/coin/").content.decode()


@pytest.mark.django_db(transaction=True)
async def test_coin_is_played_by_buttons_typed_lines_and_a_spectator_sees_no_call() -> None:
    def opened() -> tuple[CoinKit, list[str]]:
        kit = CoinKit(new_user("ann"), new_user("bob"))
        return kit, [log_in(user) for user in kit.people]

    kit, cookies = await sync_to_async(opened)()
    path = f"/ws/match/{kit.match.public_id}/"
    async with running_site():
        ann, bob, guest = Browser(path, cookies[0]), Browser(path, cookies[1]), Browser(path)
        for each in (ann, bob, guest):
            assert await each.open()
            await each.until_view(lambda _: True)
        for seat, each in enumerate((ann, bob)):
            assert (await each.act(kind="sit", seat=seat))["type"] == "ack"
        for each in (ann, bob):
            await each.until_view(lambda view: view["seats"][1]["player"] is not None)
            assert (await each.command("!ready"))["type"] == "ack"
        for each in (ann, bob, guest):
            await each.until_view(lambda view: view["match"]["status"] == "running")
        move = ann.view["game"]["you"]["moves"][0]["action"]
        assert (await ann.act(**move))["type"] == "ack"
        seen = await guest.until_view(lambda view: view["game"]["seats"][0]["note"] != "")
        assert seen["game"]["seats"][0]["note"] == "has called"
        assert "heads" not in str(seen["game"]["seats"])
        assert (await bob.command("!call edge"))["code"] == "command/usage"
        assert (await bob.command("!call tails"))["type"] == "ack"
        over = await guest.until_view(lambda view: view["match"]["status"] == "over")
        assert over["game"]["note"].startswith("The coin shows")
        for each in (ann, bob, guest):
            await each.leave()
    await sync_to_async(check_books)(kit)


def check_books(kit: CoinKit) -> None:
    assert sorted(balance_of(user.pk) for user in kit.people) == [95, 105]
    assert replay_match(kit.row).is_same
    assert find_violations() == []


@pytest.mark.django_db
def test_coin_is_played_by_a_bot_and_ended_by_the_clock() -> None:
    ann = new_user()
    kit = CoinKit(ann)
    kit.act(ann, kind="sit", seat=0)
    kit.act(ann, kind="add_bot")
    kit.act(ann, kind="ready", configuration=1)
    kit.pass_time(2)
    assert kit.view(ann)["game"]["seats"][1]["note"] == "has called"
    kit.pass_time(30)
    assert (kit.row.status, find_violations()) == (Match.Status.OVER, [])
    assert registry.table("coin").title == "Coin"
