import json
import random
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games import registry
from games.contract import Game
from games.engine.structs import kind_of
from games.matches import services as matches
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match
from tests.forms import form
from tests.games.extra_games import invite
from tests.games.jsonrpc.kit import InsideLine, bearer, make_token, player
from tests.games.match_kit import new_user
from tests.games.odds.rules import Name
from tests.games.socket_kit import running_site

pytestmark = pytest.mark.django_db(transaction=True)
HOME = "tests.games.odds"


@pytest.fixture(autouse=True)
def game(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Game:
    return invite(HOME, settings, monkeypatch)


def table(**options: Any) -> tuple[Match, list[Any]]:
    users = [new_user("ann"), new_user("bob")]
    return matches.open_match(opened_by=users[0], options=options, game="odds"), users


@pytest.mark.both_databases
async def test_rpc_a_game_without_names_is_played_to_its_end() -> None:
    match, users = await sync_to_async(table)()
    async with running_site():
        ann, bob = [await player(match, user) for user in users]
        eve = await player(match, None)
        assert ann.state["match"]["status"] == "open"
        assert ann.state["you"]["name"] is None
        assert await ann.call("sit") == {"repeated": False, "seat": 0}
        assert await ann.call("sit") == {"repeated": False, "seat": 0}
        assert await bob.call("sit", 0) == "action/seat_taken"
        assert await bob.call("join", 1) == "bad_type"
        assert await bob.call("sit", seat=1, action_id="bob-sits-down") == {
            "repeated": False, "seat": 1,
        }  # fmt: skip
        assert await bob.call("configure", stake=7) == {"repeated": False}
        assert await bob.call("configure", stake=101) == "action/bad_option"
        assert (await eve.until("configured"))["options"]["stake"] == 7
        await ann.call("send_state")
        assert await ann.call("ready") == {"repeated": False}
        assert await bob.call("ready", 1) == "stale"
        assert await bob.call("ready", configuration=2) == {"repeated": False}
        for each in (ann, bob, eve):
            await each.until("game_started")
        assert await eve.call("name", 1) == "unauthenticated"
        assert await ann.call("name", 3) == "bad_field"
        assert await ann.call("name", 1) == {"repeated": False}
        assert await ann.until("named") == {"seat": 0, "number": 1}
        assert await bob.until("number_named") == {"seat": 0}
        assert (await ann.look())["game"]["you"]["number"] == 1
        assert (await bob.look())["game"]["seats"][0]["number"] is None
        assert await bob.call("name", number=2) == {"repeated": False}
        for each in (ann, bob, eve):
            assert await each.until("game_ended") == {"numbers": [1, 2], "winners": [1]}
            assert await each.until("pot_awarded") == {"seat": 1, "amount": 14}
        assert [data for kind, data in bob.facts if kind == "named"] == [{"seat": 1, "number": 2}]
        assert "named" not in [kind for kind, _ in eve.facts]
        assert await ann.call("name", 1) == "action/not_in_phase"
        assert await bob.call("rematch") == {"repeated": False}
        public_id = (await ann.until("rematch_called"))["public_id"]
        assert await Match.objects.filter(public_id=public_id, predecessor=match).aexists()
        await bob.until("rematch_called")
        # Every fact that is for one has come once, in the order of the journal.
        stored = [
            (fact["kind"], audience)
            async for entry in Entry.objects.filter(match=match).order_by("no")
            for fact, audience in json.loads(entry.facts)
        ]
        for seat, each in enumerate((ann, bob)):
            await each.look()
            heard = [kind for kind, audience in stored if audience is None or seat in audience]
            assert [kind for kind, _ in each.facts] == heard
    assert (await sync_to_async(replay_match)(await Match.objects.aget(pk=match.pk))).is_same


async def test_rpc_a_repeated_call_is_done_once_and_a_batch_is_answered_in_order() -> None:
    match, users = await sync_to_async(table)()
    async with running_site():
        token = await sync_to_async(make_token)(users[0])
        others = ["odd", *(slug for slug in registry.slugs() if slug != match.game)]
        for path in (*(f"{slug}/{match.public_id}" for slug in others), "odds/nothing"):
            assert not await InsideLine(f"/ws/rpc/{path}/", bearer(token)).open()
        ann = await player(match, users[0])
        for is_repeated in (False, True):
            answer = await ann.call("sit", seat=1, action_id="sits-once")
            assert answer == {"repeated": is_repeated, "seat": 1}
        assert await ann.call("stand", action_id="sits-once") == "conflict"
        assert await Entry.objects.filter(match=match).acount() == 1
        calls = [
            {"jsonrpc": "2.0", "method": "sit", "id": 1},
            # Notifications are never answered.
            {"jsonrpc": "2.0", "method": "configure", "params": {"stake": 9}},
            {"jsonrpc": "2.0", "method": kind_of(Name), "params": [1], "id": 2},
            5,
        ]
        answers = await ann.ask(json.dumps(calls))
        assert [each["id"] for each in answers] == [1, 2, None]
        assert answers[1]["error"]["data"]["token"] == "action/not_in_phase"
        assert answers[2]["error"]["code"] == -32600
        assert (await ann.until("configured"))["changed"] == ["stake"]


def malformed(chance: random.Random) -> tuple[str, set[int]]:
    call = {"jsonrpc": "2.0", "method": chance.choice(["name", "sit", "ready"]), "id": 1}
    wrong = chance.choice([True, 1.0, "1", -1, 2**60, None, [], {}, "\x00"])
    text = json.dumps(call)
    changes: list[tuple[dict[str, Any], int]] = [
        ({"params": [wrong]}, -32602),
        ({"params": {"nothing": 1}}, -32602),
        ({"method": chance.choice(["", "__class__", "Name", "x"])}, -32601),
        ({chance.choice(["jsonrpc", "params", "more"]): 5}, -32600),
        ({"params": [1] * 9}, -32602),
    ]
    way = chance.randrange(6)
    if way == 5:
        return text[: chance.randrange(1, len(text) - 1)], {-32700, -32600}
    change, code = changes[way]
    return json.dumps({**call, **change}), {code}


async def test_rpc_malformed_messages_get_the_standards_errors_and_change_nothing(settings) -> None:
    settings.SOCKET_RATE = settings.SOCKET_BURST = settings.BAD_FRAMES = 10_000
    match, users = await sync_to_async(table)()
    chance = random.Random(form(5, in_all=6, in_long=7))
    async with running_site():
        ann = await player(match, users[0])
        for _ in range(form(150, in_all=300, in_long=400)):
            text, codes = malformed(chance)
            answer = await ann.ask(text)
            assert answer["error"]["code"] in codes, text
        assert ann.facts == []
    assert not await Entry.objects.filter(match=match).aexists()


def post(client: Client, token: str, method: str, **params: Any) -> Any:
    content = {"jsonrpc": "2.0", "method": method, "params": params, "id": 1}
    headers = {"Authorization": f"Bearer {token}"}
    answer = client.post("/rpc/odds/", content, "application/json", headers=headers).json()
    return answer["result"] if "error" not in answer else answer["error"]["data"]["token"]


def test_rpc_matches_are_opened_listed_joined_and_closed_over_http(client: Client) -> None:
    one, two = make_token(new_user()), make_token(new_user())
    opened = post(client, one, "open_match", stake=3)
    assert opened["socket"] == f"/ws/rpc/odds/{opened['public_id']}/"
    (row,) = post(client, two, "list_matches")
    assert (row["public_id"], row["stake"]) == (opened["public_id"], 3)
    given = {"public_id": opened["public_id"]}
    assert post(client, two, "close_match", **given) == "not_found"
    assert post(client, two, "join_match", **given, purse=3) == {"repeated": False, "seat": 0}
    assert post(client, two, "join_match", **given) == {"repeated": False, "seat": 0}
    (mine,) = post(client, two, "my_matches")
    assert mine["socket"] == opened["socket"]
    assert post(client, one, "close_match", **given) == "action/not_in_phase"
    assert post(client, one, "open_match", stake=101) == "action/bad_option"
    assert post(client, one, "open_match", clock=9) == "bad_field"
    assert post(client, one, "open_duel") == "bad_type"
    assert post(client, one, "close_match", public_id="nothing") == "not_found"


def test_rpc_a_batch_opens_no_more_tables_than_an_hour_allows(client, monkeypatch) -> None:
    monkeypatch.setattr(matches, "TABLES_AN_HOUR", 5)
    calls = [{"jsonrpc": "2.0", "method": "open_match", "id": no} for no in range(20)]
    headers = {"Authorization": f"Bearer {make_token(new_user())}"}
    answers = client.post("/rpc/odds/", calls, "application/json", headers=headers).json()
    refused = [each["error"]["data"]["token"] for each in answers if "error" in each]
    assert (refused, Match.objects.count()) == (["action/too_many_tables_opened"] * 15, 5)
    # A refused call does not close the table that waits.
    assert Match.objects.filter(status="open").count() == 1


def test_rpc_every_game_has_a_page_and_a_document(client: Client) -> None:
    assert client.get("/rpc/odds/openrpc.json").json()["info"]["title"] == "Odds and Evens"
    page = client.get("/play/odds/api/")
    assert page.status_code == 200
    for name in ("name", "configure", "join_match", "number_named"):
        assert f"<code>{name}</code>" in page.content.decode()
    others = [slug for slug in registry.slugs() if slug not in {g.slug for g in registry.tables()}]
    for path in ("/rpc/odd/openrpc.json", *(f"/play/{slug}/api/" for slug in ("odd", *others))):
        assert client.get(path).status_code == 404
    assert client.post("/rpc/odd/", {}, "application/json").status_code == 404
