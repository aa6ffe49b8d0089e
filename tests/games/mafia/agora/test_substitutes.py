"""Seats that somebody takes over in a town: who may, what they get, and what the replaced keep."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin import site
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import devices
from accounts.models import User
from accounts.services import freeze, unfreeze
from economy.audit import find_violations
from games.engine.errors import IllegalAction
from games.engine.structs import canonical
from games.mafia.agora.rules.roles import Role
from games.matches.journal import loading
from games.matches.journal.match_cache import match_cache
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match, Replaced, Seat
from games.matches.processing import repair
from games.matches.processing.bots import ensure_bots
from games.matches.queries import selectors
from games.moderation import peeking
from games.moderation.match_admin import MatchAdmin
from games.notices import attention
from games.people.profiles import reliability_of
from games.posts import chat
from tests.games.journal_kit import facts_of, kinds_of
from tests.games.mafia.agora.kit import TownKit, everybody_else_acts, town
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db


def idle_town(role: Role = Role.CITIZEN, seats: int = 7, **options: Any) -> tuple[TownKit, int]:
    """Return a town on its second night in which all but one of a role have acted; its seat."""
    kit = town(seats, substitutes=True, phase_seconds=600, **options)
    seat = kit.people.index(kit.user_of(role))
    everybody_else_acts(kit, seat)
    return kit, seat


def code_of(kit: TownKit, user: Any, seat: int) -> str:
    """Return the code with which a take-over is refused."""
    error = kit.answer(user, kind="take_over", seat=seat).error
    return "" if error is None else error.code


def shown(kit: TownKit, user: Any = None) -> str:
    """Return a viewer's view as text."""
    return canonical(kit.view(user))


# What is offered, and when -------------------------------------------------------------------


@pytest.mark.parametrize("role", list(Role))
def test_agora_a_seat_is_open_after_two_idle_phases_whatever_its_role(role: Role) -> None:
    kit, seat = idle_town(role)
    assert [chair["no"] for chair in kit.view()["seats"] if chair["is_open"]] == [seat]
    assert kit.view()["you"]["may"] == ["take_over"]
    assert kit.view(kit.people[seat])["you"]["may"] == []


def test_agora_offers_change_with_the_phase_alone() -> None:
    kit, seat = idle_town()
    before = shown(kit)
    kit.act(kit.people[seat], kind="done")
    assert shown(kit) == before, "nobody is shown who is done"
    kit.run_out()
    assert not any(chair["is_open"] for chair in kit.view()["seats"])


def test_agora_who_is_idle_is_warned_and_nobody_else() -> None:
    kit = town(7, substitutes=True, phase_seconds=600)
    user = kit.people[0]

    def wanted(who: Any) -> list[str]:
        return [need["what"] for need in attention.needs_of(who.pk)]

    assert wanted(user) == ["Check in for the night"]
    for other in kit.people[1:]:
        kit.act(other, kind="done")
    kit.run_out()
    assert wanted(user) == ["Vote, or your seat is offered to others"]
    assert wanted(kit.people[1]) == ["Vote"]
    kit.run_out()
    assert wanted(user) == ["Check in for the night: your seat is open to others"]
    assert wanted(kit.people[1])[0].endswith("or your seat is offered to others")
    kit.act(user, kind="done")
    assert wanted(user) == []


def test_agora_without_the_option_no_seat_is_open() -> None:
    kit = town(5, phase_seconds=600)
    for _ in range(3):
        kit.run_out()
    assert kit.view()["you"]["may"] == []
    assert code_of(kit, new_user(), 0) == "action/seat_not_open"


@pytest.mark.both_databases
def test_agora_an_open_seat_stands_in_the_lists() -> None:
    idle_town()
    (row,) = selectors.lobby()["agora"]
    assert row["open_seats"] == 1


# What who takes over gets --------------------------------------------------------------------


def test_agora_who_takes_over_sees_what_the_seat_sees_and_the_replaced_what_all_see() -> None:
    kit = town(9, substitutes=True, phase_seconds=600)
    seat = kit.people.index(kit.user_of(Role.AGENT))
    mafioso, old, new = kit.user_of(Role.MAFIOSO), kit.people[seat], new_user("new")
    kit.act(mafioso, kind="post", room="mafia", text="a canary of the mafia")
    everybody_else_acts(kit, seat)
    own, public = kit.view(old)["game"]["you"], kit.view()
    assert own["mafia"]
    kit.act(new, kind="take_over", seat=seat)
    view = kit.view(new)
    assert view["you"]["seat"] == seat
    assert view["seats"][seat]["player"]["name"] == new.username
    assert view["seats"][seat]["replaced"] == [old.username]
    assert own["idle_phases"] == 2
    assert view["game"]["you"] == {**own, "idle_phases": 0}
    assert shown(kit, old) == shown(kit)
    assert kit.view()["log"][-1]["text"] == (
        f"{new.username} took over seat {seat + 1} from {old.username}."
    )
    assert kit.view()["game"] == public["game"]
    assert rooms_read(kit, new) == {"town": 200, "mafia": 200, "dead": 404}
    assert rooms_read(kit, old) == {"town": 200, "mafia": 404, "dead": 404}
    assert "canary" in read(kit, new, "mafia").content.decode()


def read(kit: TownKit, user: Any, room: str) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(reverse("mafia_posts", args=[kit.match.public_id, room]))


def rooms_read(kit: TownKit, user: Any) -> dict[str, int]:
    """Return what a user gets of each room."""
    return {room: read(kit, user, room).status_code for room in ("town", "mafia", "dead")}


def test_agora_nothing_that_happens_later_differs_for_the_replaced() -> None:
    """Two worlds: what the mafia says and does changes not one byte for the replaced."""
    told = []
    for text, role in (("we kill tonight", Role.MAFIOSO), ("we wait", Role.DOCTOR)):
        kit = town(9, substitutes=True, phase_seconds=600)
        seat = kit.people.index(kit.user_of(Role.AGENT))
        old, new = kit.people[seat], new_user("new")
        everybody_else_acts(kit, seat)
        kit.act(new, kind="take_over", seat=seat)
        before = everything(kit, old)
        kit.act(kit.user_of(Role.MAFIOSO), kind="post", room="mafia", text=text)
        kit.act(new, kind="post", room="mafia", text=text)
        kit.act(kit.user_of(role), kind="choose", target=seat)
        kit.act(new, kind="choose", target=0)
        kit.act(new, kind="done")
        assert everything(kit, old) == before == everything(kit, new_user("spectator"))
        told.append(before)
    assert len(told) == 2


def everything(kit: TownKit, user: Any) -> list[str]:
    """Return everything a user is sent about a match: view, log, rooms, votes, bell."""
    client = Client()
    client.force_login(user)
    name = kit.match.public_id
    pages = [
        client.get(reverse("match_log", args=[name])),
        *(client.get(reverse("mafia_posts", args=[name, room])) for room in ("town", "mafia")),
        client.get(reverse("mafia_votes", args=[name])),
        client.get(reverse("mafia_story", args=[name])),
    ]
    texts = [f"{page.status_code} {json_or_nothing(page)}" for page in pages]
    return [
        shown(kit, user),
        *texts,
        str(attention.needs_of(user.pk)),
        str(selectors.matches_of(user)),
    ]


def json_or_nothing(page: Any) -> str:
    return page.content.decode() if page.headers["Content-Type"] == "application/json" else ""


def test_agora_the_replaced_says_nothing_to_spectators_before_the_end() -> None:
    kit, seat = idle_town()
    old, new = kit.people[seat], new_user("new")
    kit.act(new, kind="take_over", seat=seat)

    def say(user: Any, action_id: str) -> chat.Line:
        return chat.say(
            match_id=kit.match.pk,
            user_id=user.pk,
            room="spectators",
            text="hello",
            action_id=action_id,
        )

    with pytest.raises(chat.RoomForbidden):
        say(old, "say-00001")
    assert say(new_user(), "say-00002").no == 1
    with pytest.raises(IllegalAction) as refused:
        kit.act(old, kind="done")
    assert refused.value.code == "action/not_seated"


def test_agora_who_holds_the_seat_at_the_end_has_won_or_lost_with_it() -> None:
    kit, seat = idle_town(Role.CITIZEN, seats=5)
    old, new = kit.people[seat], new_user("new")
    kit.act(new, kind="take_over", seat=seat)
    kit.people[seat] = new
    mafioso = kit.people.index(kit.user_of(Role.MAFIOSO))
    kit.run_out()
    for user in [user for no, user in enumerate(kit.people) if no != mafioso][:3]:
        kit.act(user, kind="vote", choice=mafioso)
    row = kit.row
    assert row.status == Match.Status.OVER
    results = dict(row.seats.values_list("user__username", "result"))
    assert results[new.username] == "won"
    assert old.username not in results
    assert Replaced.objects.get().user == old
    story = Client().get(reverse("mafia_story", args=[row.public_id])).content.decode()
    assert f"took over seat {seat + 1} from {old.username}" in story
    assert replay_match(row).is_same
    assert find_violations() == []


# Who may ------------------------------------------------------------------------------------


def test_agora_who_plays_or_was_replaced_takes_over_nothing() -> None:
    kit = town(7, substitutes=True, phase_seconds=600)
    everybody_else_acts(kit, 0, 1)
    assert code_of(kit, kit.people[2], 0) == "action/already_seated"
    assert code_of(kit, kit.people[1], 0) == "action/already_seated"
    assert code_of(kit, new_user(), 2) == "action/seat_not_open"
    assert code_of(kit, new_user(), 16) == "action/seat_not_open"
    kit.act(new_user(), kind="take_over", seat=0)
    assert code_of(kit, kit.people[0], 1) == "action/was_replaced"
    assert code_of(kit, new_user(), 0) == "action/seat_not_open"


def test_agora_who_may_not_sit_down_here_may_not_take_over() -> None:
    kit, seat = idle_town()
    frozen, twin, looker, banned = (new_user(name) for name in ("cold", "twin", "staff", "out"))
    freeze(user_id=frozen.pk, reason="a test")
    share_browser(kit.people[seat], twin)
    User.objects.filter(pk=looker.pk).update(is_staff=True, is_superuser=True)
    peeking.look_at(looker, kit.match.pk, "a test")
    User.objects.filter(pk=banned.pk).update(is_active=False)
    busy = busy_user(kit)
    codes = [code_of(kit, user, seat) for user in (frozen, twin, looker, banned)]
    assert codes == ["forbidden"] * 4
    assert code_of(kit, busy, seat) == "action/too_many_tables"
    assert code_of(kit, new_user(), seat) == ""


def share_browser(*users: User) -> None:
    for user in users:
        devices.note(user_id=user.pk, token="t" * 43, address="198.51.100.7", at=timezone.now())


def busy_user(kit: TownKit) -> User:
    """Return somebody who sits at as many tables as one may."""
    user = new_user("busy")
    for _ in range(3):
        other = TownKit(new_user(), seats=5)
        other.act(user, kind="sit", seat=0)
    return user


def test_agora_bots_take_over_nothing_and_their_seats_are_not_open(settings: Any) -> None:
    settings.HOUSE_BOTS = 12
    ensure_bots()
    kit, seat = idle_town()
    bot = User.objects.filter(is_bot=True).first()
    assert code_of(kit, bot, seat) == "forbidden"


def test_hostile_38_a_second_account_of_who_was_replaced_takes_over_nothing() -> None:
    """The account that was replaced is asked about too: it knows what the seat knew."""
    kit, seat = idle_town()
    kit.act(new_user(), kind="take_over", seat=seat)
    for _ in range(2):
        kit.run_out()
    twin = new_user("twin")
    share_browser(kit.people[seat], twin)
    assert code_of(kit, twin, seat) == "forbidden"


def test_agora_a_town_without_spectators_offers_its_seat_on_a_page_beside_the_board() -> None:
    kit, seat = idle_town(spectators=False)
    new, client = new_user("new"), Client()
    board, page = (
        reverse(name, args=[kit.match.public_id]) for name in ("mafia_game", "mafia_seat")
    )
    assert client.get(page).status_code == 302, "log in first"
    client.force_login(new)
    assert client.get(board).status_code == 404
    assert f"Take over seat {seat + 1}" in client.get(page).content.decode()
    assert client.post(page, {"seat": str((seat + 1) % 7)}).status_code == 200
    assert not Replaced.objects.exists()
    freeze(user_id=new.pk, reason="a test")
    assert "frozen" in client.post(page, {"seat": str(seat)}).content.decode()
    unfreeze(user_id=new.pk)
    assert client.post(page, {"seat": str(seat)}).headers["Location"] == board
    assert client.get(board).status_code == 200
    assert client.post(page, {"seat": str(seat)}).headers["Location"] == board
    client.force_login(kit.people[seat])
    assert client.get(board).status_code == client.get(page).status_code == 404
    other, _ = idle_town()
    client.force_login(new)
    address = reverse("mafia_seat", args=[other.match.public_id])
    assert client.get(address).headers["Location"] == f"/mafia/{other.match.public_id}/"


# A ban ---------------------------------------------------------------------------------------


def ban(user: Any) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.plain
def test_agora_a_banned_citizens_seat_is_offered_at_once_where_substitutes_are() -> None:
    kit = town(5, substitutes=True, phase_seconds=600)
    ban(kit.people[3])
    for _ in range(2):
        repair.tidy(kit.now)
    assert [chair["no"] for chair in kit.view()["seats"] if chair["is_open"]] == [3]
    assert kinds_of(kit.row).count("seat_offered") == 1
    kit.act(new_user(), kind="take_over", seat=3)
    assert not any(chair["is_open"] for chair in kit.view()["seats"])
    assert not Seat.objects.filter(has_left=True).exists()
    assert replay_match(kit.row).is_same


@pytest.mark.plain
def test_agora_without_substitutes_a_banned_citizen_leaves_town() -> None:
    kit = town(7, phase_seconds=600)
    ban(kit.people[3])
    for _ in range(2):
        repair.tidy(kit.now)
    (died,) = facts_of(kit.row, "citizen_died")
    assert (died.data["seat"], died.data["cause"]) == (3, "left")
    assert Seat.objects.get(has_left=True).no == 3
    assert replay_match(kit.row).is_same


# What is kept --------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_agora_a_town_with_a_take_over_is_rebuilt_byte_for_byte() -> None:
    kit, seat = idle_town()
    new = new_user("new")
    kit.act(new, kind="take_over", seat=seat)
    for kind in ("done", "undone", "done"):
        kit.act(new, kind=kind)
    row = kit.row
    assert row.state_no < row.action_count
    before = kit.snapshot
    texts = before.table.encode(before.state)
    views = [shown(kit, user) for user in (None, new, *kit.people)]
    match_cache.drop([row.pk])
    rebuilt = loading.load([row.pk])[row.pk]
    assert rebuilt.table.encode(rebuilt.state) == texts
    assert [gone.user_id for gone in rebuilt.replaced] == [kit.people[seat].pk]
    match_cache.drop([row.pk])
    assert [shown(kit, user) for user in (None, new, *kit.people)] == views
    assert replay_match(row).is_same
    assert find_violations() == []


def test_agora_a_seat_changes_hands_twice_and_each_is_named_at_the_right_time() -> None:
    kit, seat = idle_town()
    ann, bob, cyd = kit.people[seat], new_user("bob"), new_user("cyd")
    kit.act(bob, kind="take_over", seat=seat)
    kit.run_out()
    kit.act(bob, kind="post", room="town", text="hello from bob")
    kit.run_out()
    kit.run_out()
    kit.act(cyd, kind="take_over", seat=seat)
    assert kit.view(cyd)["seats"][seat]["replaced"] == [ann.username, bob.username]
    assert [code_of(kit, user, seat) for user in (ann, bob)] == ["action/was_replaced"] * 2
    told = [fact for fact in facts_of(kit.row) if fact.kind == "seat_taken_over"]
    assert [fact.text for fact in told] == [
        f"{bob.username} took over seat {seat + 1} from {ann.username}.",
        f"{cyd.username} took over seat {seat + 1} from {bob.username}.",
    ]
    (post,) = facts_of(kit.row, "posted")
    assert post.names[seat] == bob.username
    (said,) = read(kit, cyd, "town").json()["posts"]
    assert said["name"] == bob.username
    match_cache.drop([kit.match.pk])
    assert kit.view(cyd)["seats"][seat]["replaced"] == [ann.username, bob.username]
    assert replay_match(kit.row).is_same
    assert find_violations() == []


def test_agora_a_take_over_is_a_line_of_the_journal_with_who_came() -> None:
    kit, seat = idle_town()
    new = new_user("new")
    kit.act(new, kind="take_over", seat=seat)
    entry = Entry.objects.filter(match=kit.match).latest("no")
    gone = Replaced.objects.get()
    assert (entry.actor_id, entry.sitter_id, entry.seat) == (new.pk, new.pk, None)
    assert (gone.user, gone.no, gone.entry_no) == (kit.people[seat], seat, entry.no)
    log = Client().get(reverse("match_log", args=[kit.match.public_id])).json()
    assert log["events"][-1]["text"] == kit.view()["log"][-1]["text"]
    assert log["events"][-1]["data"] == {"seat": seat}


@pytest.mark.breaks_ledger
def test_agora_the_audit_finds_a_seat_with_another_holder_than_the_journals() -> None:
    kit, seat = idle_town()
    kit.act(new_user(), kind="take_over", seat=seat)
    assert find_violations() == []
    held = Seat.objects.filter(match=kit.match, no=seat)
    came = held.get().user
    held.update(user=new_user())
    assert [text[:10] for text in find_violations()] == ["G14: seat "]
    held.update(user=came)
    Replaced.objects.update(no=seat - 1 if seat else 1)
    assert len(find_violations()) == 2
    Replaced.objects.all().delete()
    assert len(find_violations()) == 1


@pytest.mark.plain
def test_agora_the_admin_names_who_was_replaced() -> None:
    kit, seat = idle_town()
    kit.act(new_user(), kind="take_over", seat=seat)
    office = MatchAdmin(Match, site)
    assert kit.people[seat].username in office.replaced(kit.row)
    assert kit.people[seat].username not in office.players(kit.row)


# Reliability ----------------------------------------------------------------------------------


def played_to_the_end(kit: TownKit) -> None:
    """Lynch the mafia on the next day."""
    mafioso = kit.people.index(kit.user_of(Role.MAFIOSO))
    while kit.view()["game"]["stage"] == "night":
        kit.run_out()
    for user in kit.alive[:3]:
        if kit.row.status == Match.Status.RUNNING:
            kit.act(user, kind="vote", choice=mafioso)


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.breaks_ledger
def test_agora_reliability_counts_games_that_were_played_to_the_end() -> None:
    kit, seat = idle_town(Role.CITIZEN, seats=5)
    old, new, stayed = kit.people[seat], new_user("new"), kit.people[seat - 1]
    kit.act(new, kind="take_over", seat=seat)
    kit.people[seat] = new
    assert (reliability_of(old).started, reliability_of(old).finished) == (1, 0)
    assert reliability_of(new).started == 0, "nothing is known before the end"
    played_to_the_end(kit)
    for user, finished in ((old, 0), (new, 1), (stayed, 1)):
        found = reliability_of(user)
        assert (found.started, found.finished, found.is_new) == (1, finished, True)
    assert "new" in profile_of(stayed)
    # As if it had been called off, which it cannot be any more: awards have been paid.
    Match.objects.filter(pk=kit.match.pk).update(status=Match.Status.VOID)
    assert reliability_of(old).started == 0
    Match.objects.filter(pk=kit.match.pk).update(status=Match.Status.OVER)


def test_agora_who_leaves_town_has_not_played_to_the_end() -> None:
    kit = town(5, phase_seconds=600)
    leaver = kit.user_of(Role.DOCTOR)
    kit.act(leaver, kind="leave")
    played_to_the_end(kit)
    assert kit.row.status == Match.Status.OVER
    assert (reliability_of(leaver).started, reliability_of(leaver).finished) == (1, 0)
    Seat.objects.filter(user=leaver).update(has_left=False)
    assert reliability_of(leaver).finished == 1


def profile_of(user: User) -> str:
    return Client().get(reverse("profile", args=[user.username])).content.decode()


def test_agora_a_profile_says_how_many_games_of_how_many(monkeypatch: Any) -> None:
    kit = town(5, phase_seconds=600)
    assert "Reliability" not in profile_of(kit.people[0])
    played_to_the_end(kit)
    assert '<b class="num">new</b>' in profile_of(kit.people[0])
    monkeypatch.setattr("games.people.profiles.LEAST_GAMES", 1)
    assert '<b class="num">1 of 1</b>' in profile_of(kit.people[0])


@pytest.mark.plain
def test_agora_the_policy_is_published_and_linked() -> None:
    client = Client()
    address = reverse("mafia_absence")
    assert "seat is <b>open</b>" in client.get(address).content.decode()
    for page in (reverse("mafia"), reverse("rules_agora"), address):
        assert f'href="{address}"' in client.get(page).content.decode()


def test_agora_a_deadline_that_has_passed_comes_before_the_take_over() -> None:
    kit, seat = idle_town()
    kit.now += timedelta(seconds=601)
    kit.beat()
    assert code_of(kit, new_user(), seat) == "stale"
    assert kit.row.phase == 4
    kit.act(new_user(), kind="take_over", seat=seat)
