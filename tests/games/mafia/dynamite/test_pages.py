"""The pages of Dynamite Town: set-ups apart, and no byte that tells who else is what."""

import pytest
from django.urls import reverse

from games.engine.facts import SeatNo, Viewer
from games.mafia.dynamite.rules.teams import Team
from games.mafia.dynamite.testing import other_worlds
from games.matches.models import Entry, Match
from games.matches.processing.roster import ensure_bots
from games.matches.queries import selectors
from games.realtime import protocol
from tests.forms import form
from tests.games.mafia.common.secrecy import everything, in_another_world
from tests.games.mafia.dynamite.kit import BandKit, band
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser

pytestmark = pytest.mark.django_db

ROOMS = ("town", "rock", "paper", "scissors", "dynamite", "dead", "table", "nowhere")


def at_night(kit: BandKit) -> BandKit:
    kit.vote_round()
    kit.run_out()
    return kit


def finished() -> BandKit:
    """Return a game in which nobody voted: everybody is dead, and all mafias have won."""
    kit = band(4, phase_seconds=60)
    kit.act(kit.of(Team.ROCK)[0], kind="post", room="rock", text="alone <i>again</i>")
    kit.run_out()
    assert kit.row.status == Match.Status.OVER
    return kit


def test_dynamite_lobby_filters_by_set_up() -> None:
    kit = band(8)
    page = browser().get(reverse("mafia"), {"setup": "dynamite"})
    assert [game.slug for game, _ in page.context["shown"]] == ["dynamite"]
    assert kit.match.public_id in page.content.decode()
    everywhere = browser().get(reverse("mafia"))
    assert {game.slug for game, _ in everywhere.context["shown"]} >= {"dynamite"}
    assert browser().get(reverse("mafia"), {"setup": "nowhere"}).status_code == 404


def test_dynamite_quick_game_with_bots_begins_at_once() -> None:
    ensure_bots()
    user = new_user("quick")
    response = browser(user).post(reverse("mafia_quick"), {"setup": "dynamite"})
    match = Match.objects.get(opened_by=user)
    assert response["Location"] == reverse("mafia_game", args=[match.public_id])
    assert (match.game, match.seats.filter(user__is_bot=True).count()) == ("dynamite", 7)


@pytest.mark.both_databases
def test_dynamite_form_opens_a_game_within_its_bounds() -> None:
    user = new_user("opener")
    path = f"{reverse('mafia_new')}?setup=dynamite"
    wanted = {"setup": "dynamite", "seats": 40, "length": 1, "unit": "86400", "listed": "on"}
    assert browser(user).post(path, {**wanted, "seats": 41}).context["form"].errors["seats"]
    assert browser(user).post(path, {**wanted, "length": 8}).context["form"].errors["length"]
    browser(user).post(path, wanted)
    match = Match.objects.get(opened_by=user)
    options = selectors.match_view(selectors.snapshot_of(match), None)["match"]["options"]
    assert match.game == "dynamite"
    assert (options["seats"], options["phase_seconds"], options["listed"]) == (40, 86_400, True)


@pytest.mark.both_databases
def test_dynamite_board_story_votes_and_rules() -> None:
    kit = finished()
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


def test_dynamite_votes_are_read_by_day_a_day_being_first() -> None:
    kit = at_night(band(4))
    days = browser().get(reverse("mafia_votes", args=[kit.match.public_id])).json()["days"]
    assert [day["round"] for day in days] == [1]
    assert len(days[0]["cast"]) == 4
    assert {cast["needed"] for cast in days[0]["cast"]} == {None}


def test_dynamite_there_is_no_story_of_a_running_game() -> None:
    kit = band(4)
    assert browser().get(reverse("mafia_story", args=[kit.match.public_id])).status_code == 404


def test_dynamite_view_of_a_long_day_of_forty_is_small() -> None:
    kit = band(40)
    for no in range(10):
        kit.act(kit.people[no], kind="post", room="town", text="語" * 2_000)
    kit.vote_round()
    for user in (None, kit.of(Team.ROCK)[0], kit.of(Team.DYNAMITE)[0]):
        assert len(protocol.encode_view(kit.view(user))) < 32 * 1024


@pytest.mark.parametrize("stage", ["day", "night"])
def test_dynamite_no_byte_of_any_page_tells_who_else_is_what(stage: str) -> None:
    kit = band(8)
    kit.act(kit.of(Team.ROCK)[0], kind="post", room="rock", text="hush")
    if stage == "night":
        at_night(kit)
    state = kit.snapshot.state
    table, _ = kit.snapshot.table.encode(state)
    Match.objects.filter(pk=kit.match.pk).update(table=table)
    for user in (None, kit.of(Team.DYNAMITE)[0], kit.of(Team.PAPER)[0]):
        seat = None if user is None else kit.seat(user)
        in_another_world(kit, state.play)
        seen = everything(user, kit.match, ROOMS)
        worlds = list(other_worlds(state.play, Viewer(None if seat is None else SeatNo(seat))))
        assert len(worlds) >= 3
        for play in worlds[: form(2, in_all=4)]:
            in_another_world(kit, play)
            assert everything(user, kit.match, ROOMS) == seen
    in_another_world(kit, state.play)


def test_dynamite_what_others_do_in_secret_changes_no_byte_of_ones_pages() -> None:
    kit = band(8)
    rock = kit.of(Team.ROCK)[0]
    for user in kit.people:
        kit.act(user, kind="vote", choice=kit.seat(kit.of(Team.ROCK)[1] if user == rock else rock))
    kit.run_out()
    watchers = (None, kit.of(Team.DYNAMITE)[0], kit.of(Team.SCISSORS)[0])
    before = [everything(user, kit.match, ROOMS) for user in watchers]
    kit.act(rock, kind="post", room="rock", text="who goes?")
    kit.act(rock, kind="confront", target=kit.seat(kit.of(Team.SCISSORS)[0]))
    kit.act(kit.of(Team.PAPER)[0], kind="done")
    kit.act(kit.of(Team.PAPER)[1], kind="leave")
    assert Entry.objects.filter(match=kit.match, action__startswith='{"kind":"post"').exists()
    assert [everything(user, kit.match, ROOMS) for user in watchers] == before
