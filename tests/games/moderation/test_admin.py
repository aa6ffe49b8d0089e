import re
from functools import partial
from typing import Any

import pytest
import time_machine
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.models import Device, User
from economy.models import AdminRecord, Setting
from economy.selectors import balance_of
from games.mafia.agora.rules.roles import Role
from games.matches.journal.replay import replay_match
from games.matches.models import Flag, Match, Mute
from games.moderation import cases, flags, peeking
from games.moderation.admin import MatchAdmin
from tests.accounts.admin_kit import administrator
from tests.accounts.kit import browser
from tests.games.duel.kit import DuelKit
from tests.games.journal_kit import facts_of
from tests.games.mafia.agora.kit import town
from tests.games.table_kit import TableKit, new_user, running_table

pytestmark = pytest.mark.django_db
REASON = "a player says that it hangs"


@pytest.fixture
def chief():
    return administrator("chief", superuser=True)


@pytest.fixture
def kit():
    return running_table(purse=10)


def page(kit, verb="change"):
    return f"/admin/games/match/{kit.match.pk}/{verb}/"


@pytest.mark.plain
@pytest.mark.both_databases
def test_hostile_56_the_pages_of_a_match_hold_no_secret_but_links_and_buttons_while_it_runs(
    chief, kit
):
    client, user = browser(chief), kit.people[0]
    for address in (page(kit), "/admin/games/match/", page(kit, "unmask"), page(kit, "void")):
        body = client.get(address).content.decode()
        assert kit.row.seed not in body
        assert '"stock"' not in body
    assert user.username in client.get("/admin/games/match/").content.decode()
    shown = client.get(page(kit)).content.decode()
    assert f'href="/admin/accounts/user/{user.pk}/change/">{user.username}</a>' in shown
    assert f'href="/tables/{kit.match.public_id}/">' in shown
    assert page(kit, "void") in shown
    assert client.post(page(kit, "void"), {"reason": REASON}).status_code == 302
    over = client.get(page(kit)).content.decode()
    assert page(kit, "void") not in over
    assert page(kit, "unmask") not in over


@pytest.mark.both_databases
def test_hostile_56_a_look_needs_its_permission_and_a_reason_and_is_recorded(kit):
    ordinary = browser(administrator("clerk", "games.view_match", "economy.void_match"))
    assert ordinary.get(page(kit, "unmask")).status_code == 403
    assert ordinary.post(page(kit, "unmask"), {"reason": REASON}).status_code == 403
    looker = browser(administrator("looker", "games.view_match", "economy.unmask_match"))
    assert looker.get(page(kit, "unmask")).status_code == 200
    refused = looker.post(page(kit, "unmask"), {"reason": "short"})
    assert kit.row.seed not in refused.content.decode()
    assert not AdminRecord.objects.exists()
    shown = looker.post(page(kit, "unmask"), {"reason": REASON})
    assert kit.row.seed in shown.content.decode()
    assert "no-store" in shown.headers["Cache-Control"]
    record = AdminRecord.objects.get()
    told = (record.actor_name, record.action, record.target, record.reason)
    assert told == ("looker", "match_unmasked", f"match:{kit.match.pk}", REASON)
    assert kit.row.seed not in record.before + record.after
    strict = browser(User.objects.get(username="looker"), enforce_csrf_checks=True)
    assert strict.post(page(kit, "unmask"), {"reason": REASON}).status_code == 403


def test_hostile_56_who_has_looked_cannot_sit_down_there_also_without_the_office_any_more(chief):
    kit = TableKit(new_user(), new_user())
    other = TableKit(new_user(), new_user())
    peeking.look_at(chief, kit.match.pk, REASON)
    for staff in (True, False):
        User.objects.filter(pk=chief.pk).update(is_staff=staff)
        refused = kit.answer(chief, kind="sit", seat=0, purse=5).error
        assert isinstance(refused, peeking.HasLooked)
        assert refused.code == "forbidden"
    assert other.answer(chief, kind="sit", seat=0, purse=5).error is None


@pytest.mark.plain
def test_hostile_56_who_plays_cannot_look_and_who_saw_the_ledger_cannot_go_on(chief):
    kit = TableKit(chief, new_user())
    kit.start(purse=10)
    refused = browser(chief).post(page(kit, "unmask"), {"reason": REASON})
    assert "you play here" in refused.content.decode()
    assert kit.row.seed not in refused.content.decode()
    assert not AdminRecord.objects.exists()
    chief.user_permissions.add(Permission.objects.get(codename="unmask_transfer"))
    browser(chief).get(f"/admin/economy/transfer/?q=match:{kit.match.pk}")
    assert AdminRecord.objects.get().target == f"match:{kit.match.pk}"
    assert isinstance(kit.answer(chief, kind="fold").error, peeking.HasLooked)


@pytest.mark.plain
def test_hostile_56_looks_are_told_in_the_log_once_the_match_is_over(chief, kit):
    peeking.look_at(chief, kit.match.pk, REASON)
    log = f"/tables/{kit.match.public_id}/log.json"
    assert not facts_of(kit.match, "secrets_looked_at")
    assert REASON not in Client().get(log).content.decode()
    kit.play_to_the_end()
    (told,) = facts_of(kit.match, "secrets_looked_at")
    assert told.audience is None
    assert "chief (admin) looked at the hidden state at" in told.text
    assert REASON in told.text
    assert any(REASON in line["text"] for line in kit.view()["log"])
    assert REASON in Client().get(log).content.decode()
    assert replay_match(kit.row).is_same
    over = browser(chief).post(page(kit, "unmask"), {"reason": REASON})
    assert "hides nothing" in over.content.decode()


@pytest.mark.plain
@pytest.mark.both_databases
def test_voiding_gives_everything_back_and_is_recorded_and_looks_are_told(chief, kit):
    client, reason = browser(chief), {"reason": "the site was at fault"}
    clerk = administrator(
        "clerk", *("games.view_match", "games.change_match", "economy.unmask_match")
    )
    for other in (browser(clerk), browser(chief, enforce_csrf_checks=True)):
        assert other.post(page(kit, "void"), reason).status_code == 403
    peeking.look_at(chief, kit.match.pk, REASON)
    assert balance_of(kit.people[0].pk) == 90
    for wrong in ("short", "x" * 201, ""):
        assert client.post(page(kit, "void"), {"reason": wrong}).status_code == 200
    assert kit.row.status == "running"
    assert client.post(page(kit, "void"), reason).status_code == 302
    assert (kit.row.status, kit.row.void_reason) == ("void", "the site was at fault")
    assert [balance_of(user.pk) for user in kit.people] == [100, 100]
    record = AdminRecord.objects.get(action="match_voided")
    assert (record.before, record.after) == ('{"status":"running"}', '{"status":"void"}')
    assert client.post(page(kit, "void"), reason).status_code == 200
    assert AdminRecord.objects.filter(action="match_voided").count() == 1
    assert len(facts_of(kit.match, "secrets_looked_at")) == 1
    assert replay_match(kit.row).is_same


def test_searching_the_ledger_by_what_is_masked_finds_nothing_of_a_running_match(chief, kit):
    client = browser(chief)
    owner, cause = f"user:{kit.people[0].pk}", f"match:{kit.match.pk}"

    def causes(query):
        rows = client.get(f"/admin/economy/transfer/?{query}").context["cl"].result_list
        return {row.cause for row in rows}

    assert causes(f"q={cause}") == {cause}
    for query in (f"q={owner}", f"q={kit.people[0].username}", "why=PURSE", "what=POINT",
                  f"q={cause}:start"):  # fmt: skip
        assert cause not in causes(query)
    assert owner in causes(f"q={owner}")
    kit.play_to_the_end()
    assert cause in causes(f"q={owner}") & causes("why=PURSE")


@pytest.mark.plain
def test_running_games_keep_their_numbers_when_a_setting_changes(chief, kit):
    tax = kit.view()["match"]["options"]["tax_bp"]
    browser(chief).post("/admin/economy/setting/showdown.tax_bp/change/", {"value": "9000"})
    assert Setting.objects.get(name="showdown.tax_bp").value == 9000
    assert kit.view()["match"]["options"]["tax_bp"] == tax == 500
    assert TableKit(new_user()).view()["match"]["options"]["tax_bp"] == 9000


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_flag_has_links_and_words_and_is_closed_with_a_note_and_recorded(chief):
    ann, bob = new_user(), new_user()
    flags.open_flag(flags.chips((ann.pk, bob.pk), 300, timezone.now()))
    flag, client = Flag.objects.get(), browser(chief)
    own, address = (f"/admin/games/flag/{flag.pk}/{verb}/" for verb in ("change", "settle"))
    assert ann.username in client.get("/admin/games/flag/").content.decode()
    shown = client.get(own).content.decode()
    for user in (ann, bob):
        assert f'href="/admin/accounts/user/{user.pk}/change/">{user.username}</a>' in shown
    loser, winner = f"loser: {ann.username}", f"winner: {bob.username}"
    for words in (loser, winner, "shared device: no", address, "Settle flag"):
        assert words in shown
    clerk = browser(administrator("clerk", "games.view_flag"))
    assert clerk.post(address, {"reason": REASON}).status_code == 403
    post = partial(client.post, address, {"reason": "they are siblings"})
    assert [post().status_code for _ in range(2)] == [302, 200]
    flag.refresh_from_db()
    assert (flag.closed_by, flag.note) == (chief, "they are siblings")
    assert AdminRecord.objects.get().action == "flag_closed"
    assert address not in client.get(own).content.decode()


def test_admin_shows_a_duel_with_its_stakes_and_its_hands_only_to_who_looks(chief):
    duel = DuelKit(new_user(), new_user(), best_of=3, stake=10)
    duel.start()
    duel.act(duel.ann, kind="throw", hand="scissors")
    client = browser(chief)
    for address in (page(duel), "/admin/games/match/", page(duel, "unmask")):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "scissors" not in answer.content.decode()
        assert duel.row.seed not in answer.content.decode()
    shown = MatchAdmin(Match, admin.site)
    assert (shown.pot(duel.row), shown.round(duel.row)) == (20, 1)
    assert f"{duel.ann.username}: hand scissors" in peeking.look_at(chief, duel.match.pk, REASON)
    client.post(page(duel, "void"), {"reason": REASON})
    assert (duel.row.status, [balance_of(user.pk) for user in duel.people]) == ("void", [100, 100])


@pytest.mark.both_databases
def test_a_person_has_games_flags_and_points_on_one_page(chief, kit):
    ann, bob = (seat.user for seat in kit.match.seats.order_by("no"))
    flags.open_flag(flags.chips((ann.pk, bob.pk), 300, timezone.now()))
    shown = browser(chief).get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    title = escape(kit.match.title)
    assert f'href="/admin/games/match/{kit.match.pk}/change/">{title}</a>' in shown
    assert f'href="/admin/games/flag/{Flag.objects.get().pk}/change/">' in shown
    assert "100 · Part of the starting grant" in shown
    assert "hidden · in a running game" in shown
    assert f"/admin/economy/transfer/?q=user%3A{ann.pk}" in shown
    assert "user_permissions" not in shown


def test_a_persons_buttons_fit_the_state_and_a_record_is_told_in_words_with_a_link(chief):
    ann, client = new_user(), browser(chief)
    own = f"/admin/accounts/user/{ann.pk}"

    def verbs():
        body = client.get(f"{own}/change/").content.decode()
        return [deed for deed in ("freeze", "unfreeze", "ban", "unban") if f"{own}/{deed}/" in body]

    assert verbs() == ["freeze", "ban"]
    for until, status in (("2020-01-01", 200), ("2999-01-01", 302)):
        answer = client.post(f"{own}/ban/", {"reason": REASON, "until": until})
        assert answer.status_code == status
    ann.refresh_from_db()
    assert (ann.is_active, ann.banned_reason, ann.banned_until.year) == (False, REASON, 2999)
    assert verbs() == ["freeze", "unban"]
    client.post(f"{own}/freeze/", {"reason": REASON})
    assert verbs() == ["unfreeze", "unban"]
    for address in ("/admin/", "/admin/economy/adminrecord/"):
        shown = client.get(address).content.decode()
        assert "user frozen" in shown
        assert f'href="{own}/change/">{ann.username}</a>' in shown
    assert "frozen: no → yes" in shown


@pytest.mark.plain
@pytest.mark.both_databases
def test_hostile_56_a_look_tells_seats_names_and_roles_in_words(chief):
    kit = town(9)
    agent, citizen = kit.user_of(Role.AGENT), kit.user_of(Role.CITIZEN)
    kit.act(agent, kind="choose", target=kit.people.index(citizen))
    shown = peeking.look_at(chief, kit.match.pk, REASON)
    no = kit.people.index(agent) + 1
    (line,) = (line for line in shown.splitlines() if line.startswith(f"seat {no} "))
    assert line.startswith(f"seat {no} {agent.username}: role agent")
    assert f"target {citizen.username}" in line
    assert f"seed: {kit.row.seed}" in shown
    assert not set('{}[]"') & set(shown)


def test_hostile_56_a_look_at_showdown_names_stocks(chief):
    kit = TableKit(new_user(), new_user())
    assert peeking.look_at(chief, kit.match.pk, REASON) == f"seed: {kit.row.seed}"
    kit.start(purse=10)
    shown = peeking.look_at(chief, kit.match.pk, REASON)
    assert f"{kit.people[0].username}: stock 3; 3; 3;" in shown


@pytest.mark.plain
def test_a_persons_page_has_accounts_of_its_devices_and_points_moved_between_two_people(chief):
    kit = DuelKit(new_user(), new_user(), best_of=1, stake=30)
    kit.start()
    kit.throw("rock", "paper")
    twin, now = new_user(), timezone.now()
    for user in (kit.ann, twin):
        seen = {"first_seen": now, "last_seen": now}
        Device.objects.create(user=user, hash="h" * 64, address_hash="a" * 64, **seen)
    page = f"/admin/accounts/user/{kit.ann.pk}/change/"
    shown = re.sub("<[^>]*>", "", browser(chief).get(page).content.decode())
    assert f"{kit.bob.username} · 30 lost to them" in shown
    assert f"{twin.username} · 0 won from them · the same device, last on {now:%Y-%m-%d}" in shown
    assert "h" * 64 not in shown
    clerk = browser(administrator("clerk", "accounts.view_user"))
    assert twin.username not in clerk.get(page).content.decode()


QUEUE = "/admin/games/flag/queue/"


def moderator(name: str) -> Client:
    rights = ("games.view_flag", "games.change_flag", "accounts.change_user")
    return browser(administrator(name, *rights))


@pytest.fixture
def reported() -> list[Flag]:
    for _ in range(2):
        by, rude = new_user(), new_user("rude")
        flags.open_flag(flags.reported(by.pk, rude.pk, "a rude name", timezone.now()))
    return list(Flag.objects.order_by("pk"))


def flag_page(flag: Flag) -> str:
    return f"/admin/games/flag/{flag.pk}/change/"


def press(client: Client, flag: Flag, verb: str, **fields: Any) -> Any:
    return client.post(flag_page(flag), {"verb": verb, "reason": "Offensive name", **fields})


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_claimed_report_is_one_moderators_until_it_is_released_or_lapses(reported) -> None:
    first, second = moderator("first"), moderator("second")
    claimed, free = reported
    with time_machine.travel(timezone.now(), tick=False) as clock:
        second.force_login(User.objects.get(username="second"))
        assert press(first, claimed, "claim")["Location"] == flag_page(claimed)
        assert second.get(QUEUE)["Location"] == flag_page(free)
        assert first.get(QUEUE)["Location"] == flag_page(claimed)
        assert "first works on it" in second.get(flag_page(claimed)).content.decode()
        refused = press(second, claimed, "mute", hours="1")
        assert "another moderator works on it" in refused.content.decode()
        assert not Mute.objects.exists()
        assert press(second, claimed, "claim").status_code == 200
        clock.shift(cases.CLAIMED_FOR.total_seconds() - 1)
        assert press(second, claimed, "dismiss").status_code == 200
        clock.shift(1)
        assert second.get(QUEUE)["Location"] == flag_page(claimed)
        assert press(second, claimed, "claim").status_code == 302
        assert press(first, claimed, "release").status_code == 302
        assert press(first, claimed, "dismiss").status_code == 200, "it was not the first one's"
        assert press(second, claimed, "release").status_code == 302
        assert press(first, claimed, "dismiss").status_code == 302
    assert not AdminRecord.objects.exclude(action="flag_closed").exists()


@pytest.mark.plain
def test_a_queue_in_which_all_is_claimed_says_so(reported: list[Flag]) -> None:
    for flag in reported:
        press(moderator(f"mod{flag.pk}"), flag, "claim")
    assert "Others work on all 2 open reports." in moderator("late").get(QUEUE).content.decode()


@pytest.mark.plain
@pytest.mark.both_databases
@pytest.mark.parametrize(("verb", "kind"), [("warn", "warning"), ("rename", "renamed")])
def test_a_report_is_settled_by_a_warning_or_another_name(reported, verb, kind) -> None:
    flag, client = reported[0], moderator("first")
    name = cases.case_of(flag).author.username
    assert press(client, flag, verb)["Location"] == flag_page(reported[1])
    flag.refresh_from_db()
    author = cases.case_of(flag).author
    message = author.staff_messages.get()
    told = (message.kind, message.text, message.cause)
    assert told == (kind, "Offensive name", f"flag:{flag.pk}")
    assert (flag.closed_by.username, author.username == name) == ("first", verb == "warn")
    actions = AdminRecord.objects.order_by("pk").values_list("action", "target")
    word = {"warn": "user_warned", "rename": "user_renamed"}[verb]
    assert list(actions) == [(word, f"user:{author.pk}"), ("flag_closed", f"flag:{flag.pk}")]


def test_a_rename_from_the_queue_needs_its_permission_and_spares_superusers(reported) -> None:
    flag = reported[0]
    clerk = browser(administrator("clerk", "games.view_flag", "games.change_flag"))
    assert press(clerk, flag, "rename").status_code == 403
    assert 'value="rename"' not in clerk.get(flag_page(flag)).content.decode()
    User.objects.filter(pk=cases.case_of(flag).author.pk).update(is_superuser=True)
    assert "you cannot rename from here" in press(moderator("m"), flag, "rename").content.decode()


@pytest.mark.plain
@pytest.mark.both_databases
def test_many_flags_are_settled_at_once_but_not_those_of_other_moderators(reported) -> None:
    flags.open_flag(flags.chips((new_user().pk, new_user().pk), 300, timezone.now()))
    press(moderator("other"), reported[0], "claim")
    every = list(Flag.objects.order_by("pk"))
    client, keys = moderator("first"), [str(flag.pk) for flag in every]
    chosen = {"action": "settle_many", "_selected_action": keys, "select_across": "0", "index": "0"}
    asked = client.post("/admin/games/flag/", chosen)["Location"]
    answer = client.post(asked, {"reason": "one evening of spam"})
    assert "another moderator works on it" in answer.content.decode()
    assert [flag.closed_at is None for flag in Flag.objects.order_by("pk")] == [True, False, False]
    hidden = client.post(asked.replace("settle", "hide"), {"reason": "one evening of spam"})
    assert "Refused" not in hidden.content.decode()
    reader = browser(administrator("reader", "games.view_flag"))
    assert reader.post(asked, {"reason": "one evening of spam"}).status_code == 403
