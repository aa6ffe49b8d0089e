"""Dossiers: their figures, who sees them, and what nobody learns from them."""

import json
import re
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import oversight
from accounts.models import HabitsChoice, Relation, User
from accounts.people import relate
from accounts.services import create_bot
from games.duel import habits
from games.duel.dossier import choose, dossier_of, in_force, may_see
from games.duel.reading import edge
from games.duel.rules.state import BEATS, Hand
from games.matches.journal.entries import read_facts
from games.matches.journal.reading import all_entries
from games.matches.models import Match
from games.own_data.deletion import delete_account
from tests.games.duel.kit import DuelKit
from tests.games.duel.test_habits import DAY, duel, play
from tests.games.match_kit import new_user
from tests.games.matches.test_views import browser

pytestmark = pytest.mark.django_db

ASKED = {"X-Requested-With": "fetch"}


def showing(*names: str) -> list[User]:
    users = [new_user(name) for name in names]
    for user in users:
        choose(user.pk, shows=True)
    return users


def made_before(name: str) -> User:
    """Return a user whose account is older than dossiers: not asked yet."""
    user = new_user(name)
    HabitsChoice.objects.get(user=user).delete()
    return user


def part(viewer: User | None, player: User, **headers: str) -> Any:
    return browser(viewer).get(reverse("duel_dossier", args=[player.username]), headers=headers)


def asked(viewer: User | None, player: User | None = None) -> Any:
    given = {"player": player.username} if player else {}
    return browser(viewer).get(reverse("api_dossier"), given)


def journal(kit: DuelKit, user: User) -> list[tuple[Hand | None, Hand | None]]:
    no = kit.people.index(user)
    pairs = [
        [hand and Hand(hand) for hand in fact.data.get("hands", (None, None))]
        for entry in all_entries(kit.match.pk, kit.row.action_count)
        for fact in read_facts(entry.facts)
        if fact.kind in ("hands_revealed", "throw_voided")
    ]
    return [(pair[no], pair[1 - no]) for pair in pairs]


@pytest.mark.plain
@pytest.mark.both_databases
def test_every_figure_of_a_dossier_is_what_the_journals_give() -> None:
    ann, bob = showing("ann", "bob")
    kits = [
        play(duel(ann, bob, age=age * DAY, best_of=15), seed) for seed, age in ((5, 40), (6, 0))
    ]
    play(duel(ann, bob, age=250 * DAY, best_of=9), 7)  # older than six months
    found = dossier_of(ann, bob)
    assert found is not None
    throws = [pair for kit in kits for pair in journal(kit, ann)]
    hands = Counter(own.value for own, _ in throws if own)
    assert found.throws == hands.total() == sum(each.throws for each in found.months) >= 30
    assert found.hands == {hand.value: hands[hand.value] for hand in Hand}
    first = Counter(next(own.value for own, _ in journal(kit, ann) if own) for kit in kits)
    assert found.first == {hand.value: first[hand.value] for hand in Hand}
    after: Counter[tuple[str, str]] = Counter()
    for kit in kits:
        pairs = journal(kit, ann)
        for (own, theirs), (following, other) in pairwise(pairs):
            if own and theirs and following and other:
                result = "tie" if own == theirs else "win" if BEATS[own] == theirs else "loss"
                is_up = BEATS[following] == own
                after[result, "repeat" if following == own else "up" if is_up else "down"] += 1
    told = {(result, shift): n for result, row in found.after.items() for shift, n in row.items()}
    assert {key: count for key, count in told.items() if count} == after
    won = [sum(figures) for figures in zip(*(_figures(ann, kit) for kit in kits), strict=True)]
    assert found.edge == edge(*won)
    assert [each.edge is None for each in found.months] == [
        each.throws < 30 for each in found.months
    ]


def _figures(user: User, kit: DuelKit) -> tuple[int, int, int]:
    """Return the figures of a month's only duel."""
    return habits.counted({}, journal(kit, user))[1]


@pytest.mark.plain
def test_habits_are_the_three_farthest_from_chance_and_none_below_thirty_throws() -> None:
    ann, bob = showing("ann", "bob")
    kit = duel(ann, bob, best_of=99)
    kit.throw("scissors", "rock")
    for _ in range(9):
        for hand, other in (("paper", "scissors"), ("rock", "paper"), ("scissors", "rock")):
            kit.throw(hand, other)
    kit.act(ann, kind="resign")
    found = dossier_of(ann, ann)
    assert found is not None
    assert (found.throws, found.edge, found.habits) == (28, None, [])
    text = part(ann, ann).content.decode()
    assert "A reader" not in text
    assert "%" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    play(duel(ann, bob), 1)
    found = dossier_of(ann, ann)
    assert found is not None
    assert found.edge is not None
    assert len(found.habits) <= 3
    best = found.habits[0]
    assert best.text == "After a loss: what would have beaten the winner"
    assert best.times >= 27
    assert best.times / best.of > 0.8
    distances = [each.distance for each in found.habits]
    assert distances == sorted(distances, reverse=True)
    assert min(distances) >= 3
    shown = part(ann, ann).content.decode()
    assert f"{best.times} of {best.of}" in shown
    evenly = dossier_of(bob, ann)
    assert evenly is not None


def test_who_throws_evenly_has_nothing_to_read() -> None:
    ann, bob = showing("ann", "bob")
    kit = duel(ann, bob, best_of=99)
    pairs = [(hand, other) for hand in Hand for other in Hand if hand != other]
    for first in pairs:
        for second in pairs:
            kit.throw(first[0].value, first[1].value)
            kit.throw(second[0].value, second[1].value)
    kit.act(ann, kind="resign")
    found = dossier_of(ann, ann)
    assert found is not None
    assert (found.throws, found.habits) == (72, [])
    assert "Nothing to read yet" in part(ann, ann).content.decode()


@pytest.mark.plain
@pytest.mark.both_databases
def test_both_show_theirs_or_nobody_sees() -> None:
    ann, bob, eve = new_user("ann"), new_user("bob"), made_before("eve")
    bot = create_bot(name="Zed_Bot")
    program = new_user("program")
    User.objects.filter(pk=program.pk).update(is_program=True)
    program.refresh_from_db()
    assert may_see(ann, ann), "one's own"
    assert not may_see(ann, None)
    for first, second in ((False, True), (True, False), (True, True)):
        choose(ann.pk, shows=first)
        choose(bob.pk, shows=second)
        assert may_see(ann, bob) == may_see(bob, ann) == (first and second)
    assert not may_see(ann, eve), "not asked yet"
    assert not may_see(bot, ann)
    assert not may_see(program, ann)


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_change_during_a_duel_counts_from_the_next_one() -> None:
    ann, bob = made_before("ann"), made_before("bob")
    choose(bob.pk, shows=True, at=timezone.now() - timedelta(days=2))
    kit = duel(ann, bob, age=DAY)
    choose(ann.pk, shows=True)
    assert in_force([ann.pk, bob.pk]) == {bob.pk}
    choose(ann.pk, shows=False)
    choose(ann.pk, shows=True)
    assert in_force([ann.pk]) == set(), "not by turning it twice"
    choose(bob.pk, shows=False)
    choose(bob.pk, shows=True)
    choose(bob.pk, shows=False)
    assert in_force([bob.pk]) == {bob.pk}, "the opponent has seen it"
    kit.end("resigned")
    assert in_force([ann.pk, bob.pk]) == {ann.pk}
    following = duel(ann, bob)
    assert in_force([ann.pk, bob.pk]) == {ann.pk}
    following.end("resigned")


def told_of(player: User, viewer: User) -> list[bytes]:
    """Return all that both get of a dossier, without what is new in each page, and what a player's
    own pages tell of running games.
    """
    parts = [part(one, player, **ASKED).content for one in (viewer, player)]
    found = [asked(one, player).content for one in (viewer, player)]
    new = rb'nonce="[^"]*"|value="[\w]{64}"'
    return [*parts, *found, re.sub(new, b"", part(viewer, player).content)]


@pytest.mark.plain
@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_of_a_game_that_others_may_not_see_is_in_any_byte(seed: int) -> None:
    ann, bob, eve = showing("ann", "bob", "eve")
    banned, deleted = new_user("banned"), new_user("deleted")
    play(duel(ann, bob, age=2 * DAY, best_of=31), 1)
    before = told_of(ann, eve)
    assert b"A reader that remembers the month wins" in before[0]
    assert told_of(ann, eve) == before
    for options in ({"listed": False}, {"spectators": False}, {"dossiers": False}):
        play(duel(ann, bob, best_of=9, **options), seed)
        assert told_of(ann, eve) == before, options
    play(duel(ann, banned, age=DAY, best_of=9), seed)
    play(duel(ann, deleted, age=DAY, best_of=9), seed)
    assert told_of(ann, eve) != before
    oversight.ban_user(oversight.THE_HOUSE, banned.pk, "shouting")
    delete_account(user_id=deleted.pk)
    assert told_of(ann, eve) == before, "hidden players"
    running = duel(ann, bob, best_of=9)
    running.throw("rock", "paper")
    running.throw("rock", None)
    assert told_of(ann, eve) == before, "a running duel"


@pytest.mark.plain
@pytest.mark.both_databases
def test_the_page_of_a_dossier_is_for_users_alone_and_follows_the_profile() -> None:
    ann, bob = showing("ann", "bob")
    play(duel(ann, bob))
    address = reverse("duel_dossier", args=[ann.username])
    assert reverse("account_login") in Client().get(address).url
    shown = part(bob, ann)
    assert (shown.status_code, shown["Cache-Control"].count("no-store")) == (200, 1)
    assert "throws" in shown.content.decode() or "Throws" in shown.content.decode()
    relate(user_id=ann.pk, other_id=bob.pk, kind=Relation.Kind.BLOCK)
    profile = reverse("profile", args=[ann.username])
    assert browser(bob).get(profile).status_code == part(bob, ann).status_code == 200
    folded = f'data-part="{address}"'
    assert folded in browser(bob).get(profile).content.decode()
    assert folded in browser(ann).get(profile).content.decode()
    assert folded not in browser(bob).get(profile, {"game": "all"}).content.decode()
    assert "Habits" not in Client().get(profile).content.decode()
    oversight.ban_user(oversight.THE_HOUSE, ann.pk, "shouting")
    assert browser(bob).get(profile).status_code == part(bob, ann).status_code == 404
    assert asked(bob, ann).status_code == 404


@pytest.mark.plain
def test_an_account_from_before_is_off_and_asked_once() -> None:
    ann = made_before("ann")
    client, address = browser(ann), reverse("duel_habits")
    assert client.get(address).json() == {"asks": True}
    assert "Only you see this" in part(ann, ann).content.decode()
    page = client.get(reverse("privacy_settings")).content.decode()
    assert "Show my habits" in page
    assert 'name="shows" checked' not in page
    client.post(reverse("privacy_settings"), {"shows_presence": "on"})
    assert client.get(address).json() == {"asks": True}, "another switch is no answer"
    for given, found in (({}, (False, False)), ({"shows": "", "known": "on"}, (True, True))):
        assert client.post(address, given).json() == {"asks": False}
        choice = HabitsChoice.objects.get(user=ann)
        assert (choice.shows, choice.is_known) == found
        assert client.get(address).json() == {"asks": False}
    assert "Shown to players" in part(ann, ann).content.decode()
    assert reverse("account_login") in Client().post(address, {"shows": "on"}).url
    rows = list(habits.OWN_DATA.rows(ann))
    assert rows[0]["shown"] is True
    delete_account(user_id=ann.pk)
    assert not HabitsChoice.objects.exists()


@pytest.mark.plain
def test_a_new_account_shows_its_habits_and_is_told_so_when_it_is_made() -> None:
    assert (
        "Players who show their habits" in Client().get(reverse("account_signup")).content.decode()
    )
    ann, bob = new_user("ann"), new_user("bob")
    assert may_see(ann, bob)
    choice = HabitsChoice.objects.get(user=ann)
    assert (choice.shows, choice.showed, choice.is_known) == (True, True, True)
    assert browser(ann).get(reverse("duel_habits")).json() == {"asks": False}
    ann.save()
    create_bot(name="Zed_Bot")
    assert HabitsChoice.objects.count() == 2, "no bot has a choice, and nobody two"


@pytest.mark.plain
def test_who_sees_you_is_one_form_and_a_switch_keeps_the_others() -> None:
    ann, address = new_user("ann"), reverse("privacy_settings")
    client = browser(ann)
    page = client.get(address).content.decode()
    assert page.count('class="panel form"') == 2, "one form, and the section of links"
    assert page[page.index("<main") :].count(' method="post" action="/settings/privacy/"') == 1
    switches = ("shows_presence", "shows", "known")
    for off in switches:
        client.post(address, {name: "on" for name in switches if name != off})
        page = client.get(address).content.decode()
        ticked = [name for name in switches if f'name="{name}" checked' in page]
        assert ticked == [name for name in switches if name != off]


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_dossier_that_nobody_may_see_is_told_to_nobody() -> None:
    ann, shy, blocked, banned, deleted = map(new_user, ("ann", "shy", "blocked", "banned", "gone"))
    program, bot = new_user("program"), create_bot(name="Zed_Bot")
    User.objects.filter(pk=program.pk).update(is_program=True)
    others = (shy, blocked, banned, deleted)
    for each in others:
        play(duel(each, ann))
    choose(shy.pk, shows=False)
    relate(user_id=blocked.pk, other_id=ann.pk, kind=Relation.Kind.BLOCK)
    oversight.ban_user(oversight.THE_HOUSE, banned.pk, "shouting")
    delete_account(user_id=deleted.pk)
    gone = deleted.username
    deleted.refresh_from_db()
    for player, status in ((shy, 200), (program, 200), (bot, 200), (banned, 404), (deleted, 404)):
        shown = part(ann, player, **ASKED)
        assert (shown.status_code, b"<table" in shown.content) == (status, False)
        assert asked(ann, player).json()["error"]["code"] == "not_found"
        assert b"<table" not in part(ann, player).content
    assert browser(ann).get(reverse("duel_dossier", args=[gone])).status_code == 404
    # A block hides neither profile nor dossier, either way; a no hides nothing from oneself.
    for viewer, player in ((ann, blocked), (blocked, ann), (shy, shy)):
        assert b"<table" in part(viewer, player, **ASKED).content
        assert asked(viewer, player).status_code == 200
    assert b"does not show habits" in part(ann, shy).content
    assert b"while you" in part(shy, ann).content


@pytest.mark.plain
@pytest.mark.both_databases
def test_the_api_has_ones_own_dossier_and_one_that_is_shown() -> None:
    ann, bob = showing("ann", "bob")
    eve = made_before("eve")
    play(duel(ann, bob, best_of=31), 2)
    own = asked(ann)
    assert own.status_code == 200
    assert "private" in own["Cache-Control"]
    assert own.json() == asked(bob, ann).json() == asked(ann, ann).json()
    found = dossier_of(ann, ann)
    assert found is not None
    assert own.json()["throws"] == found.throws
    assert own.json()["hands"] == found.hands
    assert own.json()["edge"] == json.loads(
        json.dumps(found.edge._asdict() if found.edge else None)
    )
    assert own.json()["months"][0]["month"] == found.months[0].month.isoformat()
    assert asked(eve).json()["throws"] == 0
    for viewer, player, status in ((eve, ann, 404), (bob, eve, 404), (None, ann, 401)):
        assert asked(viewer, player).status_code == status
    assert browser(ann).get(reverse("api_dossier"), {"player": "nobody"}).status_code == 404
    assert Match.objects.count() == 1
