"""The pages of Dynamite Town: set-ups apart, and no byte that tells who else is what."""

from typing import Any

import pytest
from django.urls import reverse

from games.mafia.dynamite.rules.teams import Team
from games.matches.models import Entry, Match
from games.matches.queries import selectors
from tests.accounts.kit import browser
from tests.games.mafia.common.secrecy import everything
from tests.games.mafia.dynamite.kit import band
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

TEAMS_OF_8 = "2 Rock Mafiosi, 2 Paper Mafiosi, 2 Scissors Mafiosi and 2 Dynamite Townies"
ROOMS = ("town", "rock", "paper", "scissors", "dynamite", "dead", "table", "nowhere")


@pytest.mark.plain
@pytest.mark.both_databases
def test_dynamite_board_story_votes_and_rules() -> None:
    kit = band(4, phase_seconds=60)
    kit.act(kit.of(Team.ROCK)[0], kind="post", room="rock", text="alone <i>again</i>")
    # Nobody votes: everybody dies, and all mafias win.
    kit.run_out()
    assert kit.row.status == Match.Status.OVER
    board = browser().get(reverse("mafia_game", args=[kit.match.public_id]))
    assert board.templates[0].name == "games/dynamite/town.html"
    story = browser().get(reverse("mafia_story", args=[kit.match.public_id]))
    assert story["Cache-Control"] == "no-store, private"
    assert [chapter.title for chapter in story.context["chapters"]] == ["The deal", "Day 1"]
    assert {fate.look for fate in story.context["fates"]} == {team.value for team in Team}
    assert "alone &lt;i&gt;again&lt;/i&gt;" in story.content.decode()
    assert "rampaging stapler" in story.content.decode()
    assert "Rock Mafia" in story.context["headline"]
    rules = browser().get(reverse("rules_dynamite"))
    assert (40, 10, 10) in rules.context["sizes"]


def test_dynamite_form_tells_the_teams_for_each_number_of_players() -> None:
    casts = browser(new_user()).get(reverse("mafia_new"), {"setup": "dynamite"}).context["casts"]
    assert list(casts) == list(range(4, 41))
    assert casts[8] == TEAMS_OF_8


@pytest.mark.plain
def test_dynamite_votes_are_read_by_day_a_day_being_first() -> None:
    kit = band(4)
    kit.vote_round()
    kit.run_out()
    days = browser().get(reverse("mafia_votes", args=[kit.match.public_id])).json()["days"]
    assert [day["round"] for day in days] == [1]
    assert len(days[0]["cast"]) == 4
    assert {cast["needed"] for cast in days[0]["cast"]} == {None}


def test_dynamite_what_others_do_in_secret_changes_no_byte_of_ones_pages() -> None:
    kit = band(8)
    kit.vote_for_rock()
    (rock, mate), papers = kit.of(Team.ROCK), kit.of(Team.PAPER)
    townie, scissors = kit.of(Team.DYNAMITE)[0], kit.of(Team.SCISSORS)[0]

    def shown() -> list[Any]:
        own = [everything(user, kit.match, ROOMS) for user in (None, townie, scissors)]
        return [*own, selectors.lobby()]

    before = shown()
    kit.act(rock, kind="post", room="rock", text="a canary of the rocks")
    kit.act(rock, kind="confront", target=kit.seat(scissors))
    kit.act(mate, kind="confront", target=kit.seat(townie))
    kit.act(mate, kind="withdraw")
    kit.act(papers[0], kind="done")
    kit.act(papers[1], kind="leave")
    assert kit.view(mate)["game"]["you"]["confrontations"]
    assert Entry.objects.filter(match=kit.match, action__contains="canary").count() == 1
    assert kit.answer(papers[0], kind="post", room="rock", text="x").error.code == (
        "action/room_closed"
    )
    assert shown() == before
