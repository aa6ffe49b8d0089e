from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from post_office.models import Email

from accounts.adapters import AccountAdapter
from accounts.models import User
from accounts.services import take_stipend
from games.duel import challenges, pairing
from games.jsonrpc.programs import become_program
from games.matches.models import Entry, Match, Rating, RatingChange
from games.matches.processing.bots import ensure_bots
from games.matches.processing.seating import NoPrograms
from games.standings import boards
from tests.accounts.kit import PASSWORD, confirm, confirm_password, make_user
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db


def program(name: str) -> User:
    return become_program(user_id=new_user(name).pk, name=f"{name}_bot")


def allow(*people: User) -> None:
    User.objects.filter(pk__in=[user.pk for user in people]).update(rates_programs=True)


def sitters(match: Match) -> list[int]:
    return [seat.user_id for seat in match.seats.order_by("no")]


def get_ready(kit: DuelKit, user: User) -> None:
    kit.act(user, kind="ready", configuration=kit.row_revision)


def why_not(kit: DuelKit | TableKit, user: User, **sit: int) -> str:
    refusal = kit.answer(user, kind="sit", **sit).error
    assert isinstance(refusal, NoPrograms)
    assert refusal.code == "action/no_programs"
    return refusal.message


@pytest.mark.both_databases
def test_program_is_refused_a_rated_seat_as_long_as_a_person_there_gives_no_leave() -> None:
    ann, machine = new_user("ann"), program("turing")
    kit = DuelKit(ann, machine, rated=True)
    kit.act(ann, kind="sit", seat=0)
    for _ in range(3):
        words = "somebody here plays no rated games with programs"
        assert why_not(kit, machine, seat=1) == words
    assert (sitters(kit.row), facts_of(kit.match, "stood")) == ([ann.pk], [])
    allow(ann)
    kit.act(machine, kind="sit", seat=1)
    assert kit.answer(machine, kind="sit", seat=1).error.code == "action/already_seated"
    for user in kit.people:
        get_ready(kit, user)
    kit.pass_time(5.0)
    kit.win(machine)
    assert {change.user_id for change in RatingChange.objects.all()} == {ann.pk, machine.pk}


@pytest.mark.both_databases
def test_programs_stand_up_when_a_person_without_leave_sits_down() -> None:
    machine, ann = program("turing"), new_user("ann")
    kit = DuelKit(machine, ann, rated=True)
    kit.act(machine, kind="sit", seat=0)
    get_ready(kit, machine)
    kit.act(ann, kind="sit", seat=1)
    assert sitters(kit.row) == [ann.pk]
    (stood,) = facts_of(kit.match, "stood")
    assert (stood.data["seat"], stood.data["reason"]) == (0, "program")
    told = Client().get(f"/tables/{kit.match.public_id}/log.json").json()["events"][-1]["text"]
    assert told == "turing_bot leaves: not everybody here plays rated games with programs."
    assert why_not(kit, machine, seat=0)
    kit.act(ann, kind="configure", rated=False)
    kit.act(machine, kind="sit", seat=0)
    assert sitters(kit.row) == [machine.pk, ann.pk]
    kit.act(ann, kind="configure", rated=True)
    assert sitters(kit.row) == [ann.pk]


@pytest.mark.plain
def test_program_leaves_when_the_leave_is_withdrawn_before_the_start() -> None:
    ann, machine = new_user("ann"), program("turing")
    allow(ann)
    kit = DuelKit(ann, machine, rated=True)
    kit.seat_everybody()
    get_ready(kit, machine)
    User.objects.filter(pk=ann.pk).update(rates_programs=False)
    get_ready(kit, ann)
    assert (kit.row.status, sitters(kit.row)) == (Match.Status.OPEN, [ann.pk])
    assert facts_of(kit.match, "stood")[-1].data["reason"] == "program"


def test_programs_leave_a_table_of_many_and_play_there_beside_a_bot() -> None:
    ann, bob, machines = new_user("ann"), new_user("bob"), [program("ada"), program("grace")]
    allow(ann)
    kit = TableKit(ann, *machines, bob, seats=4)
    ensure_bots()
    kit.seat_everybody()
    assert sitters(kit.row) == [ann.pk, bob.pk]
    assert [fact.data["seat"] for fact in facts_of(kit.match, "stood")] == [1, 2]
    assert why_not(kit, machines[0], purse=50)
    kit.act(ann, kind="add_bot")
    kit.act(machines[0], kind="sit", purse=50)
    assert kit.row.seats.count() == 4


def test_program_is_not_paired_with_a_person_without_leave() -> None:
    ann, bob, machine, other = new_user("ann"), new_user("bob"), program("turing"), program("ada")
    of_person, of_program = pairing.pair_quick(user=ann), pairing.pair_quick(user=machine)
    assert of_program != of_person
    assert pairing.pair_quick(user=bob) == of_person
    assert (sitters(of_person), sitters(of_program)) == ([ann.pk, bob.pk], [machine.pk])
    allow(cyd := new_user("cyd"), willing := new_user("dan"))
    assert pairing.pair_quick(user=User.objects.get(pk=cyd.pk)) == of_program
    waiting = pairing.pair_quick(user=willing)
    assert pairing.pair_quick(user=other) == waiting
    assert not Entry.objects.filter(facts__contains='"stood"').exists()


@pytest.mark.plain
def test_challenge_between_a_program_and_a_person_without_leave_is_unrated() -> None:
    ann, machine = new_user("ann"), program("turing")
    own = "allow no rated games with programs: play unrated"
    for one, other, why in (
        (machine, ann, f"no rated games with programs for {ann.username}: play unrated"),
        (ann, machine, f"you {own}, or change your settings"),
    ):
        asked = {"challenger": one, "name": other.username}
        with pytest.raises(NoPrograms) as refusal:
            challenges.challenge(**asked, options={"rated": True})
        assert refusal.value.message == why
        assert challenges.challenge(**asked, options={"rated": False}).invited_id == other.pk
    assert Match.objects.count() == 2
    form = {"best_of": 5, "clock_seconds": 30, "stake": 0, "rated": "on"}
    form["opponent"] = "turing_bot"
    page = browser(ann).post(reverse("duel_challenge"), form, follow=True)
    assert f"You {own}" in page.content.decode()
    allow(ann)
    rated = challenges.challenge(challenger=machine, name=ann.username, options={"rated": True})
    assert rated.invited_id == ann.pk


def test_program_plays_unrated_with_anybody_and_rated_with_programs_and_gets_no_stipend() -> None:
    kit = DuelKit(new_user("ann"), program("turing"), rated=False)
    kit.start()
    kit.win(kit.ann)
    assert kit.row.status == Match.Status.OVER
    assert not Rating.objects.exists()
    assert take_stipend(user=User.objects.get(pk=kit.bob.pk)) == 0
    kit = DuelKit(program("ada"), program("grace"), rated=True)
    kit.start()
    kit.win(kit.ann)
    assert Rating.objects.filter(user__in=kit.people).count() == 2


@pytest.mark.plain
def test_program_stands_on_the_list_of_programs_alone() -> None:
    ann, machine = new_user("ann"), program("turing")
    row = {"game": "duel", "mu": 30, "sigma": 2, "games": 20, "updated": ann.date_joined}
    for user in (ann, machine):
        Rating.objects.create(user=user, **row)
    assert [row.name for row in boards.leaders("duel")] == [ann.username]
    assert [row.name for row in boards.leaders("duel", programs=True)] == ["turing_bot"]
    page = Client().get(reverse("leaderboard"), {"rating": "duel", "of": "programs"})
    assert "turing_bot" in page.content.decode()
    assert "A program, here since" in Client().get("/@turing_bot/").content.decode()


@pytest.mark.parametrize(
    "name", ["turing", "turingbot", "x_bot_1", "_bot", "admin_bot2", "t\0_bot", "Ada-bot"]
)
def test_program_has_a_name_of_its_own_that_says_so(name: str) -> None:
    program("ada")
    user = new_user("ann")
    with pytest.raises(ValidationError):
        become_program(user_id=user.pk, name=name)
    assert not User.objects.get(pk=user.pk).is_program


def test_nobody_else_has_a_name_like_a_program_nor_is_made_one_after_a_game_or_as_staff() -> None:
    for name in ("ann_bot", "Ann-B0T", "ann_bot_"):
        with pytest.raises(ValidationError):
            AccountAdapter().clean_username(name)
    assert AccountAdapter().clean_username("abbot") == "abbot"
    kit = DuelKit(new_user("ann"), new_user("bob"))
    kit.start()
    for user in (kit.ann, User.objects.create_user("boss", is_staff=True)):
        with pytest.raises(ValidationError) as refusal:
            become_program(user_id=user.pk, name=f"{user.username}_bot")
        assert refusal.value.code == "program_refused"


@pytest.mark.plain
def test_settings_page_gives_leave_and_makes_a_program_for_good() -> None:
    ann = make_user("ann")
    address, client = reverse("program_settings"), browser(ann)
    for form, gives_leave in (({"rates_programs": "on"}, True), ({}, False)):
        client.post(address, form)
        assert User.objects.get(pk=ann.pk).rates_programs is gives_leave
    confirm_password(client)
    refused = client.post(address, {"name": "ann"})
    assert (refused.status_code, b"ends with _bot" in refused.content) == (422, True)
    client.post(address, {"name": "ann_bot"})
    assert User.objects.get(pk=ann.pk).username == "ann_bot"
    assert client.post(address, {"name": "other_bot"}).status_code == 422
    assert User.objects.get(pk=ann.pk).username == "ann_bot"


@pytest.mark.both_databases
def test_hostile_80_a_borrowed_session_makes_no_program(settings: Any) -> None:
    settings.EMAIL_BACKEND = "post_office.EmailBackend"
    ann = make_user("ann")
    confirm(ann)
    address, client = reverse("program_settings"), browser(ann)
    asked = client.post(address, {"name": "ann_bot"})
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    confirm_password(client, "not the password")
    assert not User.objects.get(pk=ann.pk).is_program
    assert not Email.objects.filter(message__contains="program").exists()
    client.post(asked["Location"], {"password": PASSWORD, "next": address})
    program = User.objects.get(pk=ann.pk)
    assert (program.is_program, program.username) == (True, "ann_bot")
    told = Email.objects.get(message__contains="Its name is ann_bot")
    assert told.to == ["ann@example.org"]
