import json
import random
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games import registry
from games.contract import Game
from games.matches import services as matches
from games.matches.models import Entry, Match
from tests.forms import form
from tests.games.extra_games import invite
from tests.games.jsonrpc.exchanges import Case, cases
from tests.games.jsonrpc.kit import (
    InsideLine,
    bearer,
    make_token,
    path_of,
    play_inside,
    player,
    table,
)
from tests.games.match_kit import new_user
from tests.games.socket_kit import running_site

pytestmark = pytest.mark.django_db(transaction=True)
HOME = "tests.games.odds"


@pytest.fixture(autouse=True)
def game(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Game:
    return invite(HOME, settings, monkeypatch)


@pytest.mark.both_databases
@pytest.mark.parametrize("case", cases(Path(__file__).parent / "cases"), ids=lambda case: case.id)
async def test_rpc(case: Case) -> None:
    await play_inside(case, "odds")


async def test_rpc_a_match_has_a_socket_at_its_own_game_alone() -> None:
    match, users = await sync_to_async(table)("odds")
    async with running_site():
        header = bearer(await sync_to_async(make_token)(users[0]))
        others = ["odd", *(slug for slug in registry.slugs() if slug != match.game)]
        for path in (*(f"{slug}/{match.public_id}" for slug in others), "odds/nothing"):
            assert not await InsideLine(f"/ws/rpc/{path}/", header).open()
        assert await InsideLine(path_of(match), header).open()


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
    match, users = await sync_to_async(table)("odds")
    chance = random.Random(form(5, in_all=6, in_long=7))
    async with running_site():
        ann = await player(match, users[0])
        for _ in range(form(150, in_all=300, in_long=400)):
            text, codes = malformed(chance)
            answer = await ann.ask(text)
            assert answer["error"]["code"] in codes, text
        assert ann.facts == []
    assert not await Entry.objects.filter(match=match).aexists()


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
