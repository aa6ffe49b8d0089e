"""Accounts of programs: marked for good, rated with leave alone, on a list of their own."""

from collections.abc import Iterable

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.adapters import AccountAdapter
from accounts.models import User
from accounts.services import take_stipend
from games.matches.models import Match, Rating, RatingChange
from games.matches.queries import ratings
from games.matches.services.programs import become_program
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.match_kit import new_user
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db


def program(name: str) -> User:
    """Return a new program's account."""
    return become_program(user_id=new_user(name).pk, name=f"{name}_bot")


def duel(*people: User, rated: bool) -> DuelKit:
    """Return a duel in which both have sat down and said that they are ready."""
    kit = DuelKit(*people, rated=rated)
    kit.start()
    return kit


def allow(people: Iterable[User]) -> None:
    User.objects.filter(pk__in=[user.pk for user in people]).update(rates_programs=True)


def test_program_leaves_a_rated_table_unless_all_people_want_it() -> None:
    ann, machine = new_user("ann"), program("turing")
    kit = DuelKit(ann, machine, rated=True)
    kit.seat_everybody()
    for user in kit.people:
        kit.act(user, kind="ready", configuration=kit.row_revision)
    kit.pass_time(5.0)
    assert kit.row.status == Match.Status.OPEN
    assert [seat.user_id for seat in kit.row.seats.all()] == [ann.pk]
    assert facts_of(kit.match, "stood")[-1].data["reason"] == "program"
    allow([ann])
    kit = duel(ann, machine, rated=True)
    kit.win(machine)
    assert {change.user_id for change in RatingChange.objects.all()} == {ann.pk, machine.pk}


def test_program_plays_unrated_with_anybody_and_rated_with_programs() -> None:
    kit = duel(new_user("ann"), program("turing"), rated=False)
    kit.win(kit.ann)
    assert kit.row.status == Match.Status.OVER
    assert not Rating.objects.exists()
    machines = [program("ada"), program("grace")]
    duel(*machines, rated=True).win(machines[0])
    assert Rating.objects.filter(user__in=machines).count() == 2


def test_program_stands_on_the_list_of_programs_alone() -> None:
    ann, machine = new_user("ann"), program("turing")
    for user in (ann, machine):
        Rating.objects.create(
            user=user, game="duel", mu=30, sigma=2, games=20, updated=user.date_joined
        )
    assert [row.name for row in ratings.leaders("duel")] == [ann.username]
    assert [row.name for row in ratings.leaders("duel", programs=True)] == ["turing_bot"]
    page = (
        Client().get(reverse("leaderboard"), {"rating": "duel", "of": "programs"}).content.decode()
    )
    assert "turing_bot" in page
    assert "A program, here since" in Client().get("/@turing_bot/").content.decode()


def test_program_gets_no_stipend() -> None:
    machine = program("turing")
    assert take_stipend(user=User.objects.get(pk=machine.pk)) == 0


@pytest.mark.parametrize(
    "name", ["turing", "turingbot", "x_bot_1", "_bot", "admin_bot2", "t\0_bot"]
)
def test_program_has_a_name_that_says_so(name: str) -> None:
    user = new_user("ann")
    with pytest.raises(ValidationError):
        become_program(user_id=user.pk, name=name)
    assert not User.objects.get(pk=user.pk).is_program


def test_nobody_else_has_a_name_like_a_program() -> None:
    for name in ("ann_bot", "Ann-B0T", "ann_bot_"):
        with pytest.raises(ValidationError):
            AccountAdapter().clean_username(name)
    assert AccountAdapter().clean_username("abbot") == "abbot"
    program("turing")
    with pytest.raises(ValidationError):
        become_program(user_id=new_user("ann").pk, name="Turing-bot")


def test_account_that_has_played_and_staff_are_made_no_programs() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    duel(ann, bob, rated=False)
    boss = User.objects.create_user("boss", is_staff=True)
    for user in (ann, boss):
        with pytest.raises(ValidationError) as refusal:
            become_program(user_id=user.pk, name=f"{user.username}_bot")
        assert refusal.value.code == "program_refused"


def test_settings_page_gives_leave_and_makes_a_program_for_good() -> None:
    ann = new_user("ann")
    address, client = reverse("program_settings"), browser(ann)
    client.post(address, {"rates_programs": "on"})
    assert User.objects.get(pk=ann.pk).rates_programs
    client.post(address, {})
    assert not User.objects.get(pk=ann.pk).rates_programs
    refused = client.post(address, {"name": "ann"})
    assert (refused.status_code, b"ends with _bot" in refused.content) == (422, True)
    client.post(address, {"name": "ann_bot"})
    assert User.objects.get(pk=ann.pk).username == "ann_bot"
    again = client.post(address, {"name": "other_bot"})
    assert again.status_code == 422
    assert User.objects.get(pk=ann.pk).username == "ann_bot"
