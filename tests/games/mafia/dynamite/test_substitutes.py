"""Seats of Dynamite Town that somebody takes over: what is offered, what who comes gets to see."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.mafia.common.rules.actions import Leave
from games.mafia.dynamite.rules.actions import Vote
from games.mafia.dynamite.rules.teams import Team
from games.matches.journal.replay import replay_match
from games.matches.processing import repair
from games.matches.queries import attention, selectors
from tests.accounts.kit import browser
from tests.games.mafia.common.secrecy import everything
from tests.games.mafia.dynamite.kit import BandKit, band
from tests.games.mafia.dynamite.rules.kit import RULES, Band
from tests.games.match_kit import new_user

ROOMS = ("town", "rock", "paper", "scissors", "dead", "nowhere")


def offered(team: Team) -> tuple[BandKit, Any]:
    """Return a town in its first night in which somebody of a team was banned, and who."""
    kit = band(8, substitutes=True, phase_seconds=600)
    kit.vote_for_rock()
    gone = kit.of(team)[-1]
    User.objects.filter(pk=gone.pk).update(is_active=False)
    for _ in range(2):
        repair.tidy(kit.now)
    return kit, gone


@pytest.mark.django_db
@pytest.mark.parametrize("team", list(Team))
def test_dynamite_who_takes_over_gets_the_card_whatever_the_team(team: Team) -> None:
    kit, gone = offered(team)
    seat, new = kit.seat(gone), new_user("new")
    assert [chair["no"] for chair in kit.view()["seats"] if chair["is_open"]] == [seat]
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
    assert everything(gone, kit.match, ROOMS) == before
    assert kit.view(gone) == kit.view()
    assert kit.answer(gone, kind="take_over", seat=seat).error is not None


@pytest.mark.django_db
def test_dynamite_who_does_nothing_is_warned_of_no_offer_but_killed_by_the_stapler() -> None:
    kit = band(8, substitutes=True, phase_seconds=600)
    kit.vote_round()
    kit.run_out()
    kit.run_out()
    lazy = kit.people[0]
    assert [need["what"] for need in attention.needs_of(lazy.pk)] == ["Vote"]
    kit.vote_round(lazy)
    kit.run_out()
    assert lazy not in kit.alive
    assert not any(chair["is_open"] for chair in kit.view()["seats"])


def test_dynamite_who_takes_over_stays_where_the_one_before_was_leaving() -> None:
    town = Band(8, substitutes=True)
    seat = town.are(Team.DYNAMITE)[0]
    town.act(seat, Vote(town.are(Team.ROCK)[0]))
    town.act(seat, Leave())
    assert town.player(seat).is_leaving
    step = RULES.take_over(town.state, town.player(seat).no, town.at)
    assert (step.events, step.state.member(seat).may_act) == ((), True)
    town.state = step.state
    town.day()
    assert town.player(seat).is_alive
