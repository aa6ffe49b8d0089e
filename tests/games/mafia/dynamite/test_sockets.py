"""Sockets of Dynamite Town: the own team gets new views, others get no frame at all."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.mafia.dynamite.rules.teams import Team
from games.matches.models import WebProcess
from tests.games.mafia.common.listening import CANARY, at_night
from tests.games.mafia.dynamite.kit import BandKit
from tests.games.match_kit import new_user
from tests.games.socket_kit import log_in

pytestmark = pytest.mark.django_db(transaction=True)


def begun() -> tuple[BandKit, list[str], dict[Team, list[int]]]:
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
    kit, cookies, teams = await sync_to_async(begun)()
    rock, mate = rocks = teams[Team.ROCK]
    paper, townie = teams[Team.PAPER][0], teams[Team.DYNAMITE][0]
    acts: list[tuple[int, Any, list[int]]] = [
        (rock, {"kind": "confront", "target": paper}, rocks),
        (mate, {"kind": "confront", "target": townie}, rocks),
        (mate, {"kind": "withdraw"}, rocks),
        (rock, {"kind": "post", "room": "rock", "text": CANARY}, rocks),
        (paper, {"kind": "leave"}, [paper]),
        *((seat, {"kind": "done"}, [seat]) for seat in range(8) if seat != paper),
        (townie, {"kind": "undone"}, [townie]),
        (rock, "!withdraw", rocks),
    ]
    async with at_night(monkeypatch, kit, cookies, acts, (townie, "rock")) as everybody:
        view = everybody[8].view
        shown = view["game"]
        assert {seat["team"] for seat in shown["seats"]} == {None}
        rest = json.dumps({**view, "game": {**shown, "teams": []}, "log": []})
        assert not [team for team in Team if f'"{team}"' in rest.replace('"game": "dynamite"', "")]
