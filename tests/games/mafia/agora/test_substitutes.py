"""Seats that somebody takes over in a town: who may, what they get, and what the replaced keep."""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.admin import site
from django.urls import reverse
from django.utils import timezone

from accounts import devices
from accounts.models import User
from accounts.services import freeze, unfreeze
from economy.audit import find_violations
from games.engine.structs import canonical
from games.mafia.agora.rules.roles import Role
from games.matches.journal import loading
from games.matches.journal.loading import MatchCache, match_cache
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, Match, Replaced, Seat
from games.matches.processing import repair, writing
from games.matches.processing.bots import ensure_bots
from games.matches.queries import selectors
from games.moderation import peeking
from games.moderation.admin import MatchAdmin
from games.people.profiles import reliability_of
from games.posts import chat
from tests.accounts.kit import browser
from tests.at_once import all_at_once
from tests.games.journal_kit import facts_of, kinds_of
from tests.games.mafia.agora.kit import TownKit, everybody_else_acts, town
from tests.games.mafia.common.kit import wanted
from tests.games.mafia.common.listening import CANARY, heard
from tests.games.match_kit import new_user
from tests.games.socket_kit import Browser, log_in, running_site
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def idle_town(role: Role = Role.CITIZEN, seats: int = 7, **options: Any) -> tuple[TownKit, int]:
    """Return a town on its second night in which all but one of a role have acted; its seat."""
    kit = town(seats, substitutes=True, phase_seconds=600, **options)
    seat = kit.people.index(kit.user_of(role))
    everybody_else_acts(kit, seat)
    return kit, seat


def taken_over(role: Role = Role.CITIZEN, seats: int = 7) -> tuple[TownKit, int, Any, Any]:
    """Return such a town whose idle seat was taken over; the seat, its old and its new holder."""
    kit, seat = idle_town(role, seats)
    old, new = kit.people[seat], new_user("new")
    kit.act(new, kind="take_over", seat=seat)
    return kit, seat, old, new


def code_of(kit: TownKit, user: Any, seat: int) -> str:
    error = kit.answer(user, kind="take_over", seat=seat).error
    return "" if error is None else error.code


def shown(kit: TownKit, user: Any = None) -> str:
    return canonical(kit.view(user))


@pytest.mark.both_databases
@pytest.mark.parametrize("role", list(Role))
def test_agora_a_seat_is_open_after_two_idle_phases_whatever_its_role(role: Role) -> None:
    """An offer changes with the phase alone."""
    kit, seat = idle_town(role)
    assert (kit.open_seats, kit.view()["you"]["may"]) == ([seat], ["take_over"])
    assert kit.view(kit.people[seat])["you"]["may"] == []
    (row,) = selectors.lobby()["agora"]
    assert row["open_seats"] == 1
    before = shown(kit)
    kit.act(kit.people[seat], kind="done")
    assert shown(kit) == before, "nobody is shown who is done"
    kit.run_out()
    assert kit.open_seats == []


def test_agora_who_is_idle_is_warned_and_nobody_else() -> None:
    kit = town(7, substitutes=True, phase_seconds=600)
    user, *others = kit.people
    assert wanted(user) == ["Check in for the night"]
    for other in others:
        kit.act(other, kind="done")
    kit.run_out()
    assert wanted(user) == ["Vote, or your seat is offered to others"]
    assert wanted(others[0]) == ["Vote"]
    kit.run_out()
    assert wanted(user) == ["Check in for the night: your seat is open to others"]
    assert wanted(others[0])[0].endswith("or your seat is offered to others")
    kit.act(user, kind="done")
    assert wanted(user) == []


ROOMS = ("town", "mafia", "dead")


def read(kit: TownKit, user: Any, room: str) -> Any:
    return browser(user).get(reverse("mafia_posts", args=[kit.match.public_id, room]))


def test_agora_who_takes_over_sees_what_the_seat_sees_and_the_replaced_what_all_see() -> None:
    """Later words and acts of the mafia change not one byte for the replaced."""
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
    assert (view["seats"][seat]["replaced"], own["idle_phases"]) == ([old.username], 2)
    assert (view["game"]["you"], shown(kit, old)) == ({**own, "idle_phases": 0}, shown(kit))
    text = f"{new.username} took over seat {seat + 1} from {old.username}."
    assert (kit.view()["log"][-1]["text"], kit.view()["game"]) == (text, public["game"])
    assert [read(kit, new, room).status_code for room in ROOMS] == [200, 200, 404]
    assert [read(kit, old, room).status_code for room in ROOMS] == [200, 404, 404]
    assert "canary" in read(kit, new, "mafia").content.decode()
    before = sent_to(kit, old)
    said = {"kind": "post", "room": "mafia", "text": "we kill tonight"}
    for user, action in (
        (mafioso, said),
        (new, said),
        (mafioso, {"kind": "choose", "target": seat}),
        (kit.user_of(Role.DOCTOR), {"kind": "choose", "target": seat}),
        (new, {"kind": "choose", "target": 0}),
        (new, {"kind": "done"}),
    ):
        kit.act(user, **action)
    assert sent_to(kit, old) == before == sent_to(kit, new_user("spectator"))
    assert kit.code(old, kind="done") == "action/not_seated"
    line = {"match_id": kit.match.pk, "room": "spectators", "text": "hello"}
    with refuses("forbidden", match="not a room"):
        chat.say(user_id=old.pk, action_id="say-00001", **line)
    assert chat.say(user_id=new_user().pk, action_id="say-00002", **line).no == 1


def sent_to(kit: TownKit, user: Any) -> list[Any]:
    """Return everything a user is sent about a match: view, log, rooms, votes, bell, list."""
    client, name = browser(user), kit.match.public_id
    answers = [client.get(reverse(each, args=[name])) for each in ("match_log", "mafia_votes")]
    answers += [read(kit, user, room) for room in ROOMS]
    told = [(answer.status_code, answer.content) for answer in answers]
    return [shown(kit, user), told, wanted(user), str(selectors.matches_of(user))]


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.breaks_ledger
def test_agora_who_holds_the_seat_at_the_end_has_won_or_lost_with_it_and_is_reliable() -> None:
    kit, seat, old, new = taken_over(seats=5)
    kit.people[seat], stayed = new, kit.people[seat - 1]
    assert (reliability_of(old).started, reliability_of(old).finished) == (1, 0)
    assert reliability_of(new).started == 0, "nothing is known before the end"
    kit.lynch_the_mafioso()
    row = kit.row
    assert row.status == Match.Status.OVER
    results = dict(row.seats.values_list("user__username", "result"))
    assert results[new.username] == "won"
    assert old.username not in results
    assert Replaced.objects.get().user == old
    story = browser().get(reverse("mafia_story", args=[row.public_id])).content.decode()
    assert f"took over seat {seat + 1} from {old.username}" in story
    assert replay_match(row).is_same
    assert find_violations() == []
    for user, finished in ((old, 0), (new, 1), (stayed, 1)):
        found = reliability_of(user)
        assert (found.started, found.finished, found.is_new) == (1, finished, True)
    # As if it had been called off, which it cannot be any more: awards have been paid.
    Match.objects.filter(pk=kit.match.pk).update(status=Match.Status.VOID)
    assert reliability_of(old).started == 0
    Match.objects.filter(pk=kit.match.pk).update(status=Match.Status.OVER)


def profile_of(user: User) -> str:
    return browser().get(reverse("profile", args=[user.username])).content.decode()


def test_agora_who_leaves_has_not_played_to_the_end_as_profiles_say(monkeypatch: Any) -> None:
    kit = town(5, phase_seconds=600)
    leaver, stays = kit.user_of(Role.DOCTOR), kit.user_of(Role.SHERIFF)
    assert "Reliability" not in profile_of(stays)
    kit.act(leaver, kind="leave")
    kit.lynch_the_mafioso()
    assert (reliability_of(leaver).started, reliability_of(leaver).finished) == (1, 0)
    assert '<b class="num">new</b>' in profile_of(stays)
    monkeypatch.setattr("games.people.profiles.LEAST_GAMES", 1)
    assert '<b class="num">1 of 1</b>' in profile_of(stays)
    assert '<b class="num">0 of 1</b>' in profile_of(leaver)
    Seat.objects.filter(user=leaver).update(has_left=False)
    assert reliability_of(leaver).finished == 1


def test_hostile_38_who_plays_or_was_replaced_takes_over_nothing_nor_by_another_account() -> None:
    """The account that was replaced is asked about too: it knows what the seat knew."""
    kit = town(7, substitutes=True, phase_seconds=600)
    everybody_else_acts(kit, 0, 1)
    old, other, third, *_ = kit.people
    assert {code_of(kit, user, 0) for user in (third, other)} == {"action/already_seated"}
    assert {code_of(kit, new_user(), no) for no in (2, 16)} == {"action/seat_not_open"}
    kit.act(new_user(), kind="take_over", seat=0)
    assert code_of(kit, old, 1) == "action/was_replaced"
    assert code_of(kit, new_user(), 0) == "action/seat_not_open"
    for _ in range(2):
        kit.run_out()
    twin = new_user("twin")
    share_browser(old, twin)
    assert code_of(kit, twin, 0) == "forbidden"


def share_browser(*users: User) -> None:
    for user in users:
        devices.note(user_id=user.pk, token="t" * 43, address="198.51.100.7", at=timezone.now())


def test_agora_who_may_not_sit_down_here_may_not_take_over(settings: Any) -> None:
    settings.HOUSE_BOTS = 12
    ensure_bots()
    kit, seat = idle_town()
    frozen, twin, looker, banned, busy = (
        new_user(name) for name in ("cold", "twin", "s", "o", "b")
    )
    freeze(user_id=frozen.pk, reason="a test")
    share_browser(kit.people[seat], twin)
    User.objects.filter(pk=looker.pk).update(is_staff=True, is_superuser=True)
    peeking.look_at(looker, kit.match.pk, "a test")
    User.objects.filter(pk=banned.pk).update(is_active=False)
    for _ in range(3):
        TownKit(new_user(), seats=5).act(busy, kind="sit", seat=0)
    bot = User.objects.filter(is_bot=True).first()
    for user in (frozen, twin, looker, banned, bot):
        assert code_of(kit, user, seat) == "forbidden"
    assert code_of(kit, busy, seat) == "action/too_many_tables"
    # A deadline that has passed comes before the take-over.
    kit.now += timedelta(seconds=601)
    kit.beat()
    assert (code_of(kit, new_user(), seat), kit.row.phase) == ("stale", 4)
    assert code_of(kit, new_user(), seat) == ""


def test_agora_a_town_without_spectators_offers_its_seat_on_a_page_beside_the_board() -> None:
    kit, seat = idle_town(spectators=False)
    new, client = new_user("new"), browser()
    name = [kit.match.public_id]
    board, page = reverse("mafia_game", args=name), reverse("mafia_seat", args=name)
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


@pytest.mark.plain
@pytest.mark.parametrize("substitutes", [True, False])
def test_agora_a_banned_citizens_seat_is_offered_or_the_citizen_leaves(substitutes: bool) -> None:
    kit = town(7, substitutes=substitutes, phase_seconds=600)
    User.objects.filter(pk=kit.people[3].pk).update(is_active=False)
    for _ in range(2):
        repair.tidy(kit.now)
    if substitutes:
        assert (kit.open_seats, kinds_of(kit.row).count("seat_offered")) == ([3], 1)
        kit.act(new_user(), kind="take_over", seat=3)
        assert kit.open_seats == []
        assert not Seat.objects.filter(has_left=True).exists()
    else:
        (died,) = facts_of(kit.row, "citizen_died")
        assert (died.data["seat"], died.data["cause"]) == (3, "left")
        assert Seat.objects.get(has_left=True).no == 3
    assert replay_match(kit.row).is_same
    for _ in range(0 if substitutes else 3):
        kit.run_out()
        assert kit.view()["you"]["may"] == []
        assert code_of(kit, new_user(), 0) == "action/seat_not_open"


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.breaks_ledger
def test_agora_a_take_over_is_a_line_of_the_journal_from_which_the_town_is_rebuilt() -> None:
    kit, seat, old, new = taken_over()
    entry, gone = Entry.objects.filter(match=kit.match).latest("no"), Replaced.objects.get()
    assert (entry.actor_id, entry.sitter_id, entry.seat) == (new.pk, new.pk, None)
    assert (gone.user, gone.no, gone.entry_no) == (old, seat, entry.no)
    log = browser().get(reverse("match_log", args=[kit.match.public_id])).json()["events"][-1]
    assert (log["text"], log["data"]) == (kit.view()["log"][-1]["text"], {"seat": seat})
    office = MatchAdmin(Match, site)
    assert old.username in office.replaced(kit.row)
    assert old.username not in office.players(kit.row)
    for kind in ("done", "undone", "done"):
        kit.act(new, kind=kind)
    row, before = kit.row, kit.snapshot
    assert row.state_no < row.action_count
    texts = before.table.encode(before.state)
    views = [shown(kit, user) for user in (None, new, *kit.people)]
    match_cache.drop([row.pk])
    rebuilt = loading.load([row.pk])[row.pk]
    assert rebuilt.table.encode(rebuilt.state) == texts
    assert [each.user_id for each in rebuilt.replaced] == [old.pk]
    match_cache.drop([row.pk])
    assert [shown(kit, user) for user in (None, new, *kit.people)] == views
    assert replay_match(row).is_same
    # The audit finds a seat with another holder than the journal's.
    assert find_violations() == []
    held = Seat.objects.filter(match=kit.match, no=seat)
    held.update(user=new_user())
    assert [text[:10] for text in find_violations()] == ["G14: seat "]
    held.update(user=new)
    Replaced.objects.update(no=seat - 1 if seat else 1)
    assert len(find_violations()) == 2
    Replaced.objects.all().delete()
    assert len(find_violations()) == 1


def test_agora_a_seat_changes_hands_twice_and_each_is_named_at_the_right_time() -> None:
    kit, seat, ann, bob = taken_over()
    kit.run_out()
    kit.act(bob, kind="post", room="town", text="hello from bob")
    kit.run_out()
    kit.run_out()
    cyd = new_user("cyd")
    kit.act(cyd, kind="take_over", seat=seat)
    replaced = [ann.username, bob.username]
    assert kit.view(cyd)["seats"][seat]["replaced"] == replaced
    assert [code_of(kit, user, seat) for user in (ann, bob)] == ["action/was_replaced"] * 2
    assert [fact.text for fact in facts_of(kit.row, "seat_taken_over")] == [
        f"{bob.username} took over seat {seat + 1} from {ann.username}.",
        f"{cyd.username} took over seat {seat + 1} from {bob.username}.",
    ]
    (post,), (said,) = facts_of(kit.row, "posted"), read(kit, cyd, "town").json()["posts"]
    assert post.names[seat] == said["name"] == bob.username
    match_cache.drop([kit.match.pk])
    assert kit.view(cyd)["seats"][seat]["replaced"] == replaced
    assert replay_match(kit.row).is_same


@pytest.mark.plain
def test_agora_the_policy_is_published_and_linked() -> None:
    address = reverse("mafia_absence")
    pages = {each: browser().get(each).content.decode()
             for each in (address, reverse("mafia"), reverse("rules_agora"))}  # fmt: skip
    assert "seat is <b>open</b>" in pages[address]
    assert all(f'href="{address}"' in page for page in pages.values())


def take(kit: TownKit, user: Any, seat: int, kind: str = "take_over") -> Any:
    wanted = kit.submission(user, kind=kind, seat=seat)
    return lambda: writing.apply_batch([wanted], kit.now).answers[0].error


def codes(errors: list[Any]) -> list[str]:
    return sorted("" if error is None else error.code for error in errors)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_agora_of_those_who_take_one_seat_at_once_one_gets_it() -> None:
    kit, seat = idle_town(seats=9, age=1300)
    rivals = [new_user("rival") for _ in range(3)]
    found = all_at_once(take(kit, user, seat) for user in rivals)
    assert codes(found) == ["", "action/seat_not_open", "action/seat_not_open"]
    assert Seat.objects.get(match=kit.match, no=seat).user in rivals
    assert Replaced.objects.get().user == kit.people[seat]
    assert replay_match(kit.row).is_same
    # Of seats of five towns one gets three.
    towns, user = [idle_town(seats=9, age=1300) for _ in range(5)], new_user("rival")
    found = all_at_once(take(kit, user, seat) for kit, seat in towns)
    assert codes(found) == ["", "", "", *["action/too_many_tables"] * 2]
    assert Seat.objects.filter(user=user).count() == 3


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_agora_of_those_who_sit_down_on_the_last_seat_at_once_one_gets_it() -> None:
    kit = TownKit(*(new_user("citizen") for _ in range(4)), seats=5)
    kit.seat_everybody(0)
    rivals = [new_user("rival") for _ in range(4)]
    found = all_at_once(take(kit, user, 4, "sit") for user in rivals)
    assert codes(found) == ["", *["action/seat_taken"] * 3]
    assert Seat.objects.get(match=kit.match, no=4).user in rivals
    assert Seat.objects.filter(match=kit.match).count() == 5
    assert replay_match(kit.row).is_same


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_agora_a_take_over_and_the_deadline_at_once_leave_one_truth() -> None:
    kit, seat = idle_town(seats=9, age=1300)
    kit.pass_time((kit.row.due_at - kit.now).total_seconds() - 1)
    late = kit.row.due_at
    wanted = take(kit, new_user("new"), seat)
    refusal, _ = all_at_once([wanted, lambda: repair.fire_due([kit.match.pk], late)])
    assert codes([refusal]) in ([""], ["stale"])
    row = kit.row
    assert row.phase == 4
    assert row.replaced.count() == (0 if refusal else 1)
    assert replay_match(row).is_same


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_agora_another_process_goes_on_with_who_took_over(monkeypatch: pytest.MonkeyPatch) -> None:
    kit, seat = idle_town(Role.AGENT, 9, age=1300)
    new, old = new_user("new"), kit.people[seat]
    selectors.snapshot_of(kit.row)
    assert match_cache.get([kit.match.pk])
    here, there = match_cache._held.copy(), MatchCache()
    with monkeypatch.context() as elsewhere:
        for name in ("journal.loading", "processing.batch", "processing.store"):
            elsewhere.setattr(f"games.matches.{name}.match_cache", there)
        kit.act(new, kind="take_over", seat=seat)
        told = kit.view(new)
    assert match_cache._held == here, "this one has heard of nothing"
    assert (kit.view(new), kit.view(old)) == (told, kit.view())
    assert kit.answer(old, kind="done").error.code == "action/not_seated"
    kit.act(new, kind="done")


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
async def test_agora_the_replaced_ones_socket_sees_what_all_see_from_then_on() -> None:
    kit, seat = await sync_to_async(idle_town)(Role.AGENT, 9, age=1300)
    old, new = kit.people[seat], await sync_to_async(new_user)("new")
    cookies = [await sync_to_async(log_in)(user) for user in (old, new)]
    path = f"/ws/match/{kit.match.public_id}/"
    async with running_site():
        loser, newcomer, guest = (Browser(path, cookie) for cookie in [*cookies, None])
        for browser in (loser, newcomer, guest):
            assert await browser.open()
            await browser.until_view(lambda view: view["game"] is not None)
        own = (await loser.until_view(lambda view: view["you"]["seat"] == seat))["game"]["you"]
        assert own["mafia"]
        await newcomer.until_view(lambda view: view["you"]["may"] == ["take_over"])
        assert (await newcomer.command(f"!take {old.username}"))["type"] == "ack"
        mine = await newcomer.until_view(lambda view: view["you"]["seat"] == seat)
        assert mine["game"]["you"] == {**own, "idle_phases": 0}
        lost = await loser.until_view(lambda view: view["you"]["seat"] is None)
        public = await guest.until_view(lambda view: view["log"][-1]["kind"] == "seat_taken_over")
        assert lost == public
        assert (await loser.act(kind="done"))["code"] == "action/not_seated"
        # What the seat does and hears later comes to the newcomer alone.
        said = {"kind": "post", "room": "mafia", "text": CANARY}
        assert (await newcomer.act(**said))["type"] == "ack"
        assert [await heard(browser) for browser in (loser, guest)] == [[], []]
        assert CANARY not in json.dumps(loser.texts + guest.texts)
        for browser in (loser, newcomer, guest):
            await browser.leave()
