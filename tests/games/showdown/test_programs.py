import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from economy.units import Unit
from games.jsonrpc.consumer import ProgramConsumer
from games.matches import services as matches
from games.matches.models import Match
from games.showdown.shopping import buy_weapon
from tests.games.jsonrpc.kit import leave, player
from tests.games.jsonrpc.program import Program
from tests.games.match_kit import new_user
from tests.games.socket_kit import begin_soon, running_site

pytestmark = pytest.mark.django_db(transaction=True)
#: Facts of one seat alone.
HIDDEN = {"attack_chosen", "attacks_reset", "weapons_combined", "weapon_added", "mine_planted"}


@pytest.fixture(autouse=True)
def _states_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProgramConsumer, "_limit_large", lambda self: None)
    begin_soon(monkeypatch)


def table(**options: Any) -> tuple[Match, list[Any]]:
    users = [new_user("ann"), new_user("bob")]
    for user in users:
        buy_weapon(user_id=user.pk, unit=Unit.LANDMINE, quantity=1, action_id="for-a-mine")
    given = {"seats": 2, "target": 3, **options}
    return matches.open_match(opened_by=users[0], options=given, game="showdown"), users


async def started(match: Match, users: list[Any]) -> tuple[Program, Program, Program]:
    players = [await player(match, user) for user in users]
    for seat, each in enumerate(players):
        assert await each.call("sit", seat, 50) == {"repeated": False, "seat": seat}
    for each in players:
        assert await each.call("ready") == {"repeated": False}
    guest = await player(match, None)
    for each in players:
        await each.until("turn_passed")
    return players[0], players[1], guest


async def test_hostile_39_what_is_hidden_is_in_no_byte_of_another_program() -> None:
    """Two tables that differ only in what seat 0 chose look the same to seat 1 and to guests."""
    seen = []
    async with running_site():
        for weapon in ("rock", "paper"):
            match, users = await sync_to_async(table)()
            ann, bob, guest = await started(match, users)
            while (await ann.look())["game"]["stage"] == "betting":
                for each in (ann, bob):
                    await each.call("call")
            for each in (ann, bob, guest):
                await each.until("round_started")
                each.texts.clear()
            attack = ("attack", {"weapon": weapon, "target": 1})
            mine = [("mine", {"target": 1})] if weapon == "rock" else []
            for kind, params in [attack, ("reset", {}), attack, *mine]:
                assert await ann.call(kind, **params) == {"repeated": False}
            await ann.until(
                lambda word, w=weapon: word[0] == "attack_chosen" and word[1]["weapon"] == w
            )
            for each in (bob, guest):
                # Nothing at all is sent: not even that something was done tells.
                assert (await each.call("server_time"))[:2] == "20"
                assert len(each.texts) == 1
                await each.look()
            late = await player(match, None)
            shown = [*bob.texts[1:], *guest.texts[1:], *late.texts]
            assert not [kind for kind in HIDDEN if kind in "".join(shown)]
            seen.append([without_chance(text, match, users) for text in shown])
            await leave(ann, bob, guest, late)
    assert seen[0] == seen[1]


def without_chance(text: str, match: Match, users: list[Any]) -> Any:
    """Take out what differs between any two tables: names, clocks, seeds and the weapons dealt."""
    for no, user in enumerate(users):
        text = text.replace(user.username, f"user-{no}")
    content = json.loads(text)
    if content.get("method") != "state":
        return {**content, "id": None}
    view = content["params"]
    for key in ("public_id", "title", "commitment"):
        view["match"][key] = ""
    view["due_at"] = view["game"]["due_at"] = ""
    # Who deals is drawn, and with it the order of the betting.
    view["log"] = view["game"]["dealer"] = None
    return view
