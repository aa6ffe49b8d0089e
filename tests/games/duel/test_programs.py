from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from post_office.models import Email

from accounts.adapters import AccountAdapter
from accounts.devices import company_of
from accounts.models import User
from accounts.services import freeze, take_stipend, unfreeze
from accounts.tokens import find_token, make_token
from games.duel import challenges, pairing
from games.jsonrpc import programs
from games.jsonrpc.programs import COUNTED, make_program
from games.matches.models import Entry, Match, Rating, RatingChange
from games.matches.processing.bots import ensure_bots
from games.matches.processing.seating import NoPrograms
from games.moderation.fair_play import SameDevice
from games.own_data import deletion
from games.own_data.deletion import StillNeeded, delete_account, reason_against
from games.standings import boards
from tests.accounts.kit import PASSWORD, confirm, confirm_password, make_user
from tests.at_once import all_at_once
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.match_kit import new_user
from tests.games.table_kit import TableKit
from tests.hostile.kit import browser
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def program(name: str) -> User:
    return make_program(owner_id=new_user(name).pk, name=f"{name}_bot")


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
    assert "A program of <a" in Client().get("/@turing_bot/").content.decode()


@pytest.mark.parametrize(
    "name", ["turing", "turingbot", "x_bot_1", "_bot", "admin_bot2", "t\0_bot", "Ada-bot"]
)
def test_program_has_a_name_of_its_own_that_says_so(name: str) -> None:
    program("ada")
    user = new_user("ann")
    with pytest.raises(ValidationError):
        make_program(owner_id=user.pk, name=name)
    assert not user.programs.exists()


def test_nobody_else_has_a_name_like_a_program() -> None:
    for name in ("ann_bot", "Ann-B0T", "ann_bot_"):
        with pytest.raises(ValidationError):
            AccountAdapter().clean_username(name)
    assert AccountAdapter().clean_username("abbot") == "abbot"


def test_an_owner_has_five_programs_of_which_a_deleted_one_counts_for_a_month(clock: Any) -> None:
    ann = new_user("ann")
    five = [make_program(owner_id=ann.pk, name=f"ann{no}_bot") for no in range(5)]
    delete_account(user_id=five[0].pk)
    for _ in range(2):
        with pytest.raises(ValidationError) as refusal:
            make_program(owner_id=ann.pk, name="ann6_bot")
        assert refusal.value.code == "too_many_programs"
    User.objects.filter(pk=five[0].pk).update(deleted_at=timezone.now() - COUNTED)
    assert make_program(owner_id=ann.pk, name="ann6_bot").owner == ann
    User.objects.filter(pk=ann.pk).update(is_frozen=True)
    for owner in (ann, five[1]):
        with pytest.raises(ValidationError) as refusal:
            make_program(owner_id=owner.pk, name="ann7_bot")
        assert refusal.value.code == "program_refused"


@pytest.mark.plain
def test_settings_page_gives_leave_and_makes_and_deletes_programs() -> None:
    ann = make_user("ann")
    address, client = reverse("program_settings"), browser(ann)
    for form, gives_leave in (({"rates_programs": "on"}, True), ({}, False)):
        client.post(address, form)
        assert User.objects.get(pk=ann.pk).rates_programs is gives_leave
    confirm_password(client)
    for name, words in (("ann", b"ends with _bot"), ("", b"3 to 20 letters")):
        refused = client.post(address, {"name": name})
        assert (refused.status_code, words in refused.content) == (422, True)
    first = client.post(address, {"name": "ann_bot"}).context["secret"]
    machine = User.objects.get(username="ann_bot")
    assert (machine.is_program, machine.owner, machine.has_usable_password()) == (True, ann, False)
    assert find_token(first).user == machine
    assert client.post(address, {"name": "Ann-B0T"}).status_code == 422
    second = client.post(address, {"token": "ann_bot"}).context["secret"]
    assert (find_token(first), find_token(second).user) == (None, machine)
    assert "A program of" in Client().get("/@ann_bot/").content.decode()
    stranger = browser(make_user("bob"))
    confirm_password(stranger)
    for field in ("token", "delete"):
        assert stranger.post(address, {field: "ann_bot"}).status_code == 302
    assert find_token(second).user == machine
    client.post(address, {"delete": "ann_bot"})
    assert (find_token(second), client.get(address).context["programs"].count()) == (None, 0)


@pytest.mark.parametrize("event", ["password", "ban", "deletion"])
def test_what_ends_an_account_ends_the_tokens_of_its_programs(event: str) -> None:
    ann = make_user("ann")
    machine = make_program(owner_id=ann.pk, name="ann_bot")
    _, secret = make_token(user=machine, name="a test")
    if event == "deletion":
        delete_account(user_id=ann.pk)
        assert User.objects.get(pk=machine.pk).deleted_at is not None
    elif event == "ban":
        ann.is_active = False
        ann.save()
    else:
        ann.set_password("another long password")
        ann.save()
    assert find_token(secret) is None


def test_an_account_is_not_deleted_while_it_makes_a_program(monkeypatch: Any) -> None:
    ann = new_user("ann")

    def naming(_: str) -> list[int]:
        make_program(owner_id=ann.pk, name="ann_bot")
        return []

    monkeypatch.setattr(deletion, "naming", naming)
    with pytest.raises(StillNeeded):
        delete_account(user_id=ann.pk)
    assert ann.programs.get().deleted_at is None


def test_an_account_is_not_deleted_while_its_program_sits_in_a_game() -> None:
    ann = new_user("ann")
    machine = make_program(owner_id=ann.pk, name="ann_bot")
    kit = DuelKit(new_user("bob"), machine)
    kit.start()
    with pytest.raises(StillNeeded, match="ann_bot: You sit in a game"):
        delete_account(user_id=ann.pk)
    assert User.objects.get(pk=machine.pk).deleted_at is None


def test_a_program_has_the_devices_of_its_owner() -> None:
    ann = make_user("ann")
    client = browser(ann)
    client.get("/")
    client.get("/")
    confirm_password(client)
    client.post(reverse("program_settings"), {"name": "ann_bot"})
    machine = User.objects.get(username="ann_bot")
    assert company_of(machine.pk, [ann.pk]).by_device == {ann.pk}


@pytest.mark.both_databases
def test_a_program_never_plays_with_its_owner_or_their_other_programs() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    one, two = (make_program(owner_id=ann.pk, name=f"ann{no}_bot") for no in range(2))
    assert company_of(ann.pk, [one.pk, bob.pk]).by_device == {one.pk}
    assert company_of(one.pk, [two.pk, bob.pk]).by_device == {two.pk}
    assert company_of(bob.pk, [ann.pk, one.pk, two.pk]).by_device == set()
    for first, second in ((ann, one), (one, ann), (one, two)):
        kit = TableKit(first, second)
        kit.act(first, kind="sit", seat=0)
        assert isinstance(kit.answer(second, kind="sit", seat=1).error, SameDevice)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_thirty_requests_at_once_make_five_programs_and_one_token() -> None:
    ann = make_user("ann")
    client = browser(ann)
    confirm_password(client)

    def post(form: dict[str, str]) -> int:
        one = Client(raise_request_exception=False)
        one.cookies = client.cookies
        return one.post(reverse("program_settings"), form).status_code

    def posted(forms: list[dict[str, str]]) -> list[int]:
        return sorted(all_at_once(partial(post, form) for form in forms))

    assert posted([{"name": f"ann{no}_bot"} for no in range(30)]) == [200] * 5 + [422] * 25
    machine = ann.programs.first()
    assert posted([{"token": machine.username}] * 30) == [200] * 30
    assert machine.api_tokens.filter(revoked_at=None).count() == 1


def test_a_frozen_owners_programs_are_frozen_too() -> None:
    ann = new_user("ann")
    machine = make_program(owner_id=ann.pk, name="ann_bot")
    freeze(user_id=ann.pk, reason="points that moved")
    kit = TableKit(new_user("bob"), machine)
    with refuses("forbidden"):
        kit.act(machine, kind="sit", seat=0)
    assert reason_against(User.objects.get(pk=machine.pk))
    unfreeze(user_id=ann.pk)
    kit.act(machine, kind="sit", seat=0)


@pytest.mark.both_databases
def test_an_owner_who_is_banned_meanwhile_makes_neither_a_program_nor_a_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann = make_user("ann")
    machine = make_program(owner_id=ann.pk, name="ann_bot")
    client = browser(ann)
    confirm_password(client)
    found = programs._programs_of

    def banned_meanwhile(user: User) -> Any:
        there = list(found(user))
        User.objects.filter(pk=ann.pk).update(is_active=False)
        return there

    monkeypatch.setattr(programs, "_programs_of", banned_meanwhile)
    assert client.post(reverse("program_settings"), {"token": "ann_bot"}).status_code == 404
    assert not machine.api_tokens.filter(revoked_at=None).exists()
    with pytest.raises(ValidationError, match="makes no programs"):
        make_program(owner_id=ann.pk, name="ann2_bot")


@pytest.mark.both_databases
def test_hostile_80_a_borrowed_session_makes_no_program(settings: Any) -> None:
    settings.EMAIL_BACKEND = "post_office.EmailBackend"
    ann = make_user("ann")
    confirm(ann)
    address, client = reverse("program_settings"), browser(ann)
    asked = client.post(address, {"name": "ann_bot"})
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    confirm_password(client, "not the password")
    assert not ann.programs.exists()
    assert not Email.objects.filter(message__contains="program").exists()
    client.post(asked["Location"], {"password": PASSWORD, "next": address})
    assert [each.username for each in ann.programs.all()] == ["ann_bot"]
    told = Email.objects.get(message__contains="your program ann_bot")
    assert told.to == ["ann@example.org"]
