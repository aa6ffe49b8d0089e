"""Sockets of Dynamite Town: the own team gets new views, others get no frame at all."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.mafia.dynamite.rules.teams import Team
from games.matches.models import WebProcess
from games.realtime import user_feed
from tests.games.mafia.common.listening import listening
from tests.games.mafia.dynamite.kit import BandKit
from tests.games.match_kit import new_user
from tests.games.socket_kit import log_in, look_often, running_site

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = "a canary of the rocks"


def at_night() -> tuple[BandKit, list[str], dict[Team, list[int]]]:
    """Return a town in its first night, in which rock has points; who may log in; the teams."""
    people = [new_user(f"s{no}x") for no in range(8)]
    kit = BandKit(*people, seats=8, phase_seconds=600, age=30)
    kit.start(purse=0)
    teams = {team: [p.no for p in kit.play.team(team)] for team in Team}
    rock, mate = teams[Team.ROCK]
    for no, user in enumerate(people):
        kit.act(user, kind="vote", choice=mate if no == rock else rock)
    for user in people:
        kit.act(user, kind="done")
    # Else the site would take what the kit's own process left for an outage.
    WebProcess.objects.all().delete()
    return kit, [log_in(user) for user in people], teams


async def test_dynamite_a_night_sends_nothing_to_whom_it_does_not_concern(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look_often(monkeypatch)
    # A look that began before an action would tell of what was: it comes when all is quiet.
    monkeypatch.setattr(user_feed, "COMPARE", 3600.0)
    kit, cookies, teams = await sync_to_async(at_night)()
    rock, mate = teams[Team.ROCK]
    paper, townie = teams[Team.PAPER][0], teams[Team.DYNAMITE][0]
    async with running_site() as site:
        listeners = await listening(f"/ws/match/{kit.match.public_id}/", cookies)
        everybody = listeners.at_match
        acts: list[tuple[int, dict[str, Any], list[int]]] = [
            (rock, {"kind": "confront", "target": paper}, [rock, mate]),
            (mate, {"kind": "confront", "target": townie}, [rock, mate]),
            (mate, {"kind": "withdraw"}, [rock, mate]),
            (rock, {"kind": "post", "room": "rock", "text": CANARY}, [rock, mate]),
            (paper, {"kind": "leave"}, [paper]),
            *((seat, {"kind": "done"}, [seat]) for seat in range(8) if seat != paper),
            (townie, {"kind": "undone"}, [townie]),
        ]
        for seat, action, entitled in acts:
            assert (await everybody[seat].act(**action))["type"] == "ack"
            await listeners.only_hear(*entitled)
        await site.user_feed._look(set(site.user_feed.watchers))
        await listeners.only_hear()
        typed = await everybody[rock].command("!withdraw")
        assert typed["type"] == "ack"
        await listeners.only_hear(rock, mate)
        refused = await everybody[townie].act(kind="post", room="rock", text="and I?")
        nowhere = await everybody[townie].act(kind="post", room="nowhere", text="and I?")
        assert {**refused, "id": ""} == {**nowhere, "id": ""}
        assert CANARY not in json.dumps([browser.texts for browser in everybody])
        spectator = everybody[8].view["game"]
        assert {seat["team"] for seat in spectator["seats"]} == {None}
        rest = json.dumps({**everybody[8].view, "game": {**spectator, "teams": []}, "log": []})
        assert not [team for team in Team if f'"{team}"' in rest.replace('"game": "dynamite"', "")]
        for browser in listeners.all:
            await browser.leave()
