import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.urls import reverse

from games.mafia.agora.rules.roles import Role
from games.matches.models import WebProcess
from games.realtime.limits import ChatLimits
from tests.accounts.kit import browser as pages_of
from tests.games.mafia.agora.kit import TownKit, town
from tests.games.socket_kit import Browser, log_in, running_site

pytestmark = pytest.mark.django_db(transaction=True)


def begun() -> tuple[TownKit, list[str], dict[Role, list[int]]]:
    """Return a town in its first night, who may log in, and the seats of each role."""
    kit = town(9, phase_seconds=600, age=10, last_wills=True)
    seats: dict[Role, list[int]] = {}
    for citizen in kit.play.citizens:
        seats.setdefault(citizen.role, []).append(citizen.no)
    # Else the site would take what the kit's own process left for an outage.
    WebProcess.objects.all().delete()
    return kit, [log_in(user) for user in kit.people], seats


def assert_names_no_role(view: dict[str, Any]) -> None:
    game = view["game"]
    own = game["you"]
    assert {seat["role"] for seat in game["seats"]} == {None}
    hidden = ("citizen", None, None)
    assert own is None or (own["role"], own["mafia"], own["target"]) == hidden
    # Roles are named once, in the list of how many there are of each.
    rest = json.dumps({**view, "game": {**game, "roles": [], "you": None}, "log": []})
    assert not [role for role in Role if f'"{role.value}"' in rest]


@pytest.mark.both_databases
async def test_hostile_63_posts_are_limited_like_chat_by_whatever_way_they_come() -> None:
    kit, cookies, seats = await sync_to_async(begun)()
    seat = seats[Role.MAFIOSO][0]
    posts = reverse("mafia_posts", args=[kit.match.public_id, "mafia"])

    def write(number: int) -> Any:
        body = {"id": f"by-the-page-{number}", "phase": 1, "text": "a long post"}
        return pages_of(kit.people[seat]).post(posts, body, content_type="application/json")

    async with running_site() as site:
        # A stopped clock: however slow a machine is, all is said at once.
        site.chat_limits = ChatLimits(lambda: 1_000.0)
        browser = Browser(f"/ws/match/{kit.match.public_id}/", cookies[seat])
        assert await browser.open()
        answers = []
        for number in range(7):
            post = {"kind": "post", "room": "mafia", "text": f"line {number}"}
            await browser.send(id=f"a-post-{number}", type="act", phase=1, action=post)
            answers.append(await browser.answer(f"a-post-{number}"))
        assert [answer.get("code") for answer in answers] == [None] * 5 + ["rate_limited"] * 2
        assert answers[-1]["retry_ms"] == 5_000
        refused = await sync_to_async(write)(1)
        error = refused.json()["error"]
        assert (refused.status_code, error["code"]) == (429, "rate_limited")
        assert error["retry_ms"] == 5_000
        # A muted player can still play.
        await browser.send(id="a-check-in", type="act", phase=1, action={"kind": "done"})
        assert (await browser.answer("a-check-in"))["type"] == "ack"
        site.chat_limits = ChatLimits(lambda: 1_000.0)
        assert (await sync_to_async(write)(1)).status_code == 200
        # It stands in the journal, and who reads there is told at once.
        await browser.until_view(lambda view: view["game"]["you"]["rooms"][1]["lines"] == 6)
