from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from economy.selectors import balance_of
from economy.units import Unit
from games.contests.rules.errors import OutOfLimits
from games.mafia.dynamite.rules.teams import Team
from games.matches.journal.replay import replay_match
from games.matches.models import Match
from games.matches.processing import repair
from games.matches.queries import selectors
from games.people.profiles import reliability_of
from tests.accounts.kit import browser
from tests.games.contests.kit import ContestKit
from tests.games.journal_kit import facts_of
from tests.games.mafia.common.kit import wanted
from tests.games.mafia.common.secrecy import everything
from tests.games.mafia.dynamite.kit import BandKit, band
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


@pytest.mark.plain
@pytest.mark.both_databases
def test_dynamite_a_game_is_played_by_people_to_its_end_and_replays_the_same() -> None:
    kit = band(4, phase_seconds=60)
    rock, paper, scissors, townie = (kit.of(team)[0] for team in Team)
    for user, choice in ((scissors, rock), (paper, rock), (rock, scissors), (townie, scissors)):
        kit.act(user, kind="vote", choice=kit.seat(choice))
        kit.act(user, kind="done")
    assert kit.view(rock)["game"]["stage"] == "night"
    assert kit.view(rock)["game"]["you"]["points"] == 2
    (day,) = browser().get(reverse("mafia_votes", args=[kit.match.public_id])).json()["days"]
    assert (day["round"], len(day["cast"])) == (1, 4)
    assert {cast["needed"] for cast in day["cast"]} == {None}
    kit.act(rock, kind="confront", target=kit.seat(scissors))
    kit.act(scissors, kind="confront", target=kit.seat(townie))
    kit.run_out()
    row = kit.row
    assert row.status == Match.Status.OVER
    (died,) = (fact.data for fact in facts_of(row, "player_died"))
    assert (died["seat"], died["causes"]) == (kit.seat(scissors), ["confronted", "townie"])
    results = {seat.user_id: seat.result for seat in row.seats.all()}
    assert results == {rock.pk: "won", townie.pk: "won", paper.pk: "lost", scissors.pk: "lost"}
    earned = [(fact.data["seat"], fact.data["y_points"]) for fact in facts_of(row, "award_earned")]
    assert earned == [(seat, 0) for seat in sorted(map(kit.seat, (rock, townie)))]
    assert replay_match(row).is_same
    assert {balance_of(user.pk) for user in kit.people} == {100}


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
    assert {fate["look"] for fate in story.context["fates"]} == {team.value for team in Team}
    assert "alone &lt;i&gt;again&lt;/i&gt;" in story.content.decode()
    assert "rampaging stapler" in story.content.decode()
    assert "Rock Mafia" in story.context["headline"]
    assert (40, 10, 10) in browser().get(reverse("rules_dynamite")).context["sizes"]
    casts = browser(new_user()).get(reverse("mafia_new"), {"setup": "dynamite"}).context["casts"]
    assert list(casts) == list(range(4, 41))
    each = [f"2 {name} Mafiosi" for name in ("Rock", "Paper", "Scissors")]
    assert casts[8] == f"{', '.join(each)} and 2 Dynamite Townies"


def test_dynamite_a_rated_game_pays_five_points_to_each_winner_and_no_y() -> None:
    kit = band(8, phase_seconds=600)
    # No scissors vote on the first day: the stapler kills them.
    kit.vote_round(*kit.of(Team.SCISSORS))
    kit.run_out()
    assert kit.row.status == Match.Status.OVER
    assert kit.row.is_rated
    shown = kit.view()["game"]
    winners = set(shown["result"]["winners"])
    teams = [seat["team"] for seat in shown["seats"]]
    assert winners == {no for no, team in enumerate(teams) if team in ("rock", "dynamite")}
    (paid,) = facts_of(kit.row, "awards_paid")
    assert dict(paid.data)["awards"] == [[no, 5, 0, 0, 0] for no in sorted(winners)]
    story = browser().get(reverse("mafia_story", args=[kit.match.public_id]))
    told = {fate["name"]: (fate["earned"], fate["paid"]) for fate in story.context["fates"]}
    for no, user in enumerate(kit.people):
        points = 5 * (no in winners)
        assert (balance_of(user.pk), balance_of(user.pk, Unit.Y_POINT)) == (100 + points, 0)
        assert told[user.username] == (("5", "5") if points else ("", ""))
    assert {reliability_of(user).finished for user in kit.people} == {1}
    first, *others = kit.people
    User.objects.filter(pk__in=[user.pk for user in others]).update(is_bot=True)
    assert reliability_of(first).started == 0, "of games without another person nothing is said"
    User.objects.filter(pk__in=[user.pk for user in others]).update(is_bot=False)


@pytest.mark.plain
def test_dynamite_contest_has_a_game_that_pays_x_alone_and_amends_the_phase() -> None:
    kit = ContestKit(5, game="dynamite", wanted=5, phase_seconds=600)
    kit.ready()
    assert kit.game.row.game == "dynamite"
    options = kit.game.snapshot.state.options
    assert (options.contest, options.phase_seconds, len(kit.game.people)) == (True, 600, 5)
    for changes in ({"award": 60}, {"wanted": 41}):
        with pytest.raises(OutOfLimits):
            kit.do("propose", kit.people[0], changes=changes)
    kit.do("propose", kit.people[0], changes={"phase_seconds": 900, "wanted": 40})
    kit.play_over()
    kit.pass_time(days=4)
    kit.do("make_ready", kit.people[1])
    assert (kit.state.settings["phase_seconds"], kit.state.settings["wanted"]) == (900, 40)
    address, visitor = reverse("contest", args=[kit.row.public_id]), browser(new_user())
    assert [visitor.get(address, {"by": axis}).status_code for axis in "xy"] == [200, 404]
    assert "i each" not in visitor.get(address).content.decode()


def offered(team: Team) -> tuple[BandKit, Any]:
    """Return a town in its first night in which somebody of a team was banned, and who."""
    kit = band(8, substitutes=True, phase_seconds=600)
    rock, mate = kit.of(Team.ROCK)
    for user in kit.people:
        kit.act(user, kind="vote", choice=kit.seat(mate if user == rock else rock))
    kit.run_out()
    gone = kit.of(team)[-1]
    User.objects.filter(pk=gone.pk).update(is_active=False)
    for _ in range(2):
        repair.tidy(kit.now)
    return kit, gone


@pytest.mark.parametrize("team", list(Team))
def test_dynamite_who_takes_over_gets_the_card_whatever_the_team(team: Team) -> None:
    kit, gone = offered(team)
    seat, new = kit.seat(gone), new_user("new")
    assert kit.open_seats == [seat]
    (row,) = selectors.lobby()["dynamite"]
    assert row["open_seats"] == 1
    own, public = kit.view(gone)["game"]["you"], kit.view()
    assert kit.view(new)["you"]["seat"] is None
    kit.act(new, kind="take_over", seat=seat)
    view = kit.view(new)
    hidden = {name: view["game"]["you"][name] for name in ("fill", "idle_phases")}
    assert view["game"]["you"] == {**own, **hidden}
    assert view["seats"][seat]["replaced"] == [gone.username]
    assert kit.view()["game"] == public["game"]
    assert kit.view(gone) == kit.view(), "who was replaced sees what everybody sees"
    assert replay_match(kit.row).is_same
    if team != Team.ROCK:
        return
    # What the mafia says and does later changes not one byte for who was of it.
    User.objects.filter(pk=gone.pk).update(is_active=True)
    before = everything(gone, kit.match, ROOMS)
    room = reverse("mafia_posts", args=[kit.match.public_id, "rock"])
    assert (before[room][0], browser(new).get(room).status_code) == (404, 200)
    kit.act(new, kind="post", room="rock", text="I am new here")
    kit.act(kit.of(Team.ROCK)[0], kind="confront", target=kit.seat(kit.of(Team.SCISSORS)[0]))
    kit.act(new, kind="done")
    assert (everything(gone, kit.match, ROOMS), kit.view(gone)) == (before, kit.view())
    assert kit.answer(gone, kind="take_over", seat=seat).error is not None


def test_dynamite_who_does_nothing_is_warned_of_no_offer_but_killed_by_the_stapler() -> None:
    kit = band(8, substitutes=True, phase_seconds=600)
    kit.vote_round()
    kit.run_out()
    kit.run_out()
    lazy = kit.people[0]
    assert wanted(lazy) == ["Vote"]
    kit.vote_round(lazy)
    kit.run_out()
    assert lazy not in kit.alive
    assert kit.open_seats == []
