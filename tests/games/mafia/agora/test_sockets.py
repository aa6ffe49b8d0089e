"""Sockets of a town: entitled viewers get new views, others get no frame at all."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games.mafia.agora.rules.roles import Role
from games.matches.models import WebProcess
from games.matches.services.matches import open_match
from games.realtime import user_feed
from games.realtime.chat_limits import ChatLimits
from tests.games.mafia.agora.kit import TownKit
from tests.games.mafia.common.listening import heard, listening
from tests.games.match_kit import new_user
from tests.games.socket_kit import Browser, log_in, look_often, running_site

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = "a canary of the mafia"


def begun() -> tuple[TownKit, list[str], dict[Role, list[int]]]:
    """Return a town in its first night, who may log in, and the seats of each role."""
    people = [new_user(f"s{no}x") for no in range(9)]
    kit = TownKit(*people, seats=9, phase_seconds=600, age=10, last_wills=True)
    kit.start(purse=0)
    seats: dict[Role, list[int]] = {}
    for citizen in kit.play.citizens:
        seats.setdefault(citizen.role, []).append(citizen.no)
    # Else the site would take what the kit's own process left for an outage.
    WebProcess.objects.all().delete()
    return kit, [log_in(user) for user in people], seats


async def test_agora_a_night_sends_nothing_to_whom_it_does_not_concern(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look_often(monkeypatch)
    # A look that began before an action would tell of what was: it comes when all is quiet.
    monkeypatch.setattr(user_feed, "COMPARE", 3600.0)
    kit, cookies, seats = await sync_to_async(begun)()
    path = f"/ws/match/{kit.match.public_id}/"
    async with running_site() as site:
        listeners = await listening(path, cookies)
        everybody = listeners.at_match
        (agent,), mafiosi = seats[Role.AGENT], seats[Role.MAFIOSO]
        (doctor,), first = seats[Role.DOCTOR], seats[Role.CITIZEN][0]
        lobby = Browser("/ws/lobby/")
        assert await lobby.open()
        await lobby.receive()

        acts: list[tuple[int, dict[str, Any], list[int]]] = [
            (doctor, {"kind": "choose", "target": first}, [doctor]),
            (doctor, {"kind": "choose", "target": "none"}, [doctor]),
            (agent, {"kind": "choose", "target": mafiosi[0]}, [agent]),
            (mafiosi[1], {"kind": "choose", "target": first}, mafiosi),
            (mafiosi[0], {"kind": "post", "room": "mafia", "text": CANARY}, [*mafiosi, agent]),
            (doctor, {"kind": "write_will", "text": CANARY}, [doctor]),
            *((seat, {"kind": "done"}, [seat]) for seat in range(9)),
            (first, {"kind": "undone"}, [first]),
            (first, {"kind": "undone"}, [first]),
        ]
        for seat, action, entitled in acts:
            assert (await everybody[seat].act(**action))["type"] == "ack"
            await listeners.only_hear(*entitled)
        await site.user_feed._look(set(site.user_feed.watchers))
        await listeners.only_hear()
        typed = await everybody[doctor].command("!target none")
        assert typed["type"] == "ack"
        await listeners.only_hear(doctor)
        refused = await everybody[first].act(kind="post", room="mafia", text="and I?")
        assert refused["code"] == "action/room_closed"
        nowhere = await everybody[first].act(kind="post", room="nowhere", text="and I?")
        assert {**refused, "id": ""} == {**nowhere, "id": ""}
        assert CANARY not in json.dumps([browser.texts for browser in everybody])
        assert everybody[agent].view["game"]["you"]["rooms"][1] == {
            "room": "mafia", "lines": 1, "may_post": True,
        }  # fmt: skip
        # The lobby looks a moment later: once it tells of another town it has looked at this one.
        await sync_to_async(open_match)(opened_by=kit.people[0], options={}, game="agora")
        await lobby.until(lambda frame: len(frame["games"]["agora"]) == 2)
        rows = [row for frame in lobby.frames for row in frame["games"]["agora"]]
        own = [row for row in rows if row["public_id"] == kit.match.public_id]
        # The number of spectators is public, and is counted every two seconds.
        assert all({**row, "watching": 0} == {**own[0], "watching": 0} for row in own)
        for browser in (*listeners.all, lobby):
            await browser.leave()


async def test_agora_no_role_and_no_choice_is_in_what_another_is_sent() -> None:
    kit, cookies, seats = await sync_to_async(begun)()
    path = f"/ws/match/{kit.match.public_id}/"
    async with running_site():
        spectator, citizen = Browser(path), Browser(path, cookies[seats[Role.CITIZEN][0]])
        mafioso = Browser(path, cookies[seats[Role.MAFIOSO][0]])
        for browser in (spectator, citizen, mafioso):
            assert await browser.open()
            await browser.until_view(lambda view: view["game"] is not None)
        target = seats[Role.CITIZEN][1]
        assert (await mafioso.act(kind="choose", target=target))["type"] == "ack"
        for browser in (spectator, citizen):
            await heard(browser)
            shown = browser.view["game"]
            assert {seat["role"] for seat in shown["seats"]} == {None}
            own = shown.pop("you")
            assert own is None or (own["role"], own["mafia"], own["target"]) == (
                "citizen", None, None,
            )  # fmt: skip
            # Roles are named once, in the list of how many there are of each.
            rest = json.dumps({**browser.view, "game": {**shown, "roles": []}, "log": []})
            assert not [role for role in Role if f'"{role}"' in rest]
        for browser in (spectator, citizen, mafioso):
            await browser.leave()


@pytest.mark.both_databases
async def test_hostile_63_posts_are_limited_like_chat_by_whatever_way_they_come() -> None:
    kit, cookies, seats = await sync_to_async(begun)()
    seat = seats[Role.MAFIOSO][0]
    posts = reverse("mafia_posts", args=[kit.match.public_id, "mafia"])

    def write(number: int) -> Any:
        client = Client()
        client.force_login(kit.people[seat])
        body = {"id": f"by-the-page-{number}", "phase": 1, "text": "a long post"}
        return client.post(posts, body, content_type="application/json")

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
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
        assert refused.json()["error"]["retry_ms"] == 5_000
        # A muted player can still play.
        await browser.send(id="a-check-in", type="act", phase=1, action={"kind": "done"})
        assert (await browser.answer("a-check-in"))["type"] == "ack"
        site.chat_limits = ChatLimits(lambda: 1_000.0)
        assert (await sync_to_async(write)(1)).status_code == 200
        # It stands in the journal, and who reads there is told at once.
        await browser.until_view(lambda view: view["game"]["you"]["rooms"][1]["lines"] == 6)
