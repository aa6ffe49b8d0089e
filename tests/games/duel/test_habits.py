"""Habits of throwing: counted when a duel ends, and again from its journal."""

import json
import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts import oversight
from accounts.models import User
from accounts.services import create_bot
from games.archives.archiving import archive_due
from games.duel import habits
from games.duel.reading import HANDS, VERSION, Observer, contexts_of, read
from games.duel.rules.state import Hand
from games.matches.journal.entries import read_facts
from games.matches.journal.reading import all_entries
from games.matches.models import DuelFigures, Habits, Match
from games.own_data import personal_data
from games.own_data.deletion import delete_account
from tests.at_once import all_at_once
from tests.forms import form
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import new_user

pytestmark = pytest.mark.django_db

DAY = 86_400


def duel(ann: User, bob: User, age: float = 0, **options: Any) -> DuelKit:
    kit = DuelKit(ann, bob, age=age, **{"best_of": 5, "no_ties": True, **options})
    kit.start()
    return kit


def play(kit: DuelKit, seed: int = 1) -> DuelKit:
    """Throw until the duel is over, now and then with one hand or none."""
    chance = random.Random(seed)
    while kit.row.status == Match.Status.RUNNING:
        first, second = (chance.choice(["rock", "rock", "paper", "scissors"]) for _ in "ab")
        missing = chance.random()
        kit.throw(first, None if missing < 0.1 else second)
        if missing < 0.1:
            kit.pass_time(30)
    return kit


def stored(user: User) -> tuple[dict[tuple[date, str, int], int], list[tuple[Any, ...]]]:
    rows = Habits.objects.filter(user=user).values_list("month", "context", "hand", "count")
    figures = DuelFigures.objects.filter(user=user).order_by("month", "match")
    columns = ("month", "match", "throws", "won", "lost", "version")
    return {row[:3]: row[3] for row in rows}, list(figures.values_list(*columns))


def look_at(*users: User) -> None:
    for user in users:
        habits.compute_stale(user.pk, date(2020, 1, 1))


def recomputed(user: User, *kits: DuelKit) -> tuple[dict[Any, int], list[tuple[Any, ...]]]:
    """Return what ``stored`` must be after these duels, from their journals by other means."""
    counts, figures = Counter[tuple[date, str, int]](), list[tuple[Any, ...]]()
    for kit in sorted(kits, key=lambda kit: (kit.row.ended_at, kit.match.pk)):
        month, no = kit.row.ended_at.date().replace(day=1), kit.people.index(user)
        throws = [
            tuple(hand and Hand(hand) for hand in fact.data.get("hands", (None, None)))
            for entry in all_entries(kit.match.pk, kit.row.action_count)
            for fact in read_facts(entry.facts)
            if fact.kind in ("hands_revealed", "throw_voided")
        ]
        pairs: Any = [(pair[no], pair[1 - no]) for pair in throws]
        known: dict[str, list[int]] = {}
        for (of, context, hand), count in counts.items():
            if of == month:
                known.setdefault(context, [0, 0, 0])[hand] = count
        cells = read(pairs, Observer(known))
        mine = [HANDS.index(own) for own, _ in pairs if own]
        won = [cell.won for cell in cells]
        row = (len(mine), won.count(1), won.count(-1), VERSION)
        figures.append((month, kit.match.pk, *row))
        last: list[tuple[Hand, Hand]] = []
        for own, theirs in pairs:
            if own:
                counts[month, "all", HANDS.index(own)] += 1
            if not own or not theirs:
                last = []
                continue
            for context in filter(None, contexts_of(last)):
                counts[month, context, HANDS.index(own)] += 1
            last = [*last[-1:], (own, theirs)]
        for hand in mine[:1]:
            counts[month, "first", hand] += 1
    return dict(counts), figures


@pytest.mark.plain
@pytest.mark.both_databases
def test_every_count_and_figure_is_what_the_journals_give() -> None:
    ann, bob, eve = (new_user(name) for name in ("ann", "bob", "eve"))
    kits = [
        play(duel(eve, ann, age=70 * DAY, best_of=9), 4),
        play(duel(ann, bob, age=DAY, best_of=31), 1),
        play(duel(bob, eve, age=DAY / 2), 2),
        play(duel(ann, eve), 3),
    ]
    assert max(row[2] for row in stored(ann)[1]) > 20, "more throws than a state keeps"
    for user in (ann, bob, eve):
        own = [kit for kit in kits if user in kit.people]
        assert stored(user) == recomputed(user, *own)
    before = [stored(user) for user in (ann, bob, eve)]
    for _ in habits.fill():
        pass
    assert [stored(user) for user in (ann, bob, eve)] == before, "again, it is the same"


@pytest.mark.plain
def test_only_duels_that_anybody_may_replay_count() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    for options in ({"listed": False}, {"spectators": False}, {"dossiers": False}):
        play(duel(ann, bob, **options))
    for how in ("abandoned", "void"):
        kit = duel(ann, bob)
        kit.throw("rock", "paper")
        kit.end(how)
    assert not Habits.objects.exists()
    running = duel(ann, bob)
    running.throw("rock", "paper")
    assert not Habits.objects.exists(), "nothing of a running duel"
    for changed in ({"is_program": True}, {"is_active": False}):
        other = new_user("other")
        kit = duel(ann, other)
        User.objects.filter(pk=other.pk).update(**changed)
        play(kit)
    assert habits._people([ann.pk, create_bot(name="Zed_Bot").pk]) == {ann.pk}
    assert not Habits.objects.exists()
    running.end("resigned")
    assert {row.user_id for row in DuelFigures.objects.all()} == {ann.pk, bob.pk}
    call_command("fill_habits")
    assert DuelFigures.objects.count() == 2


@pytest.mark.plain
@pytest.mark.both_databases
def test_a_ban_or_deletion_takes_a_duel_out_and_the_end_of_the_ban_brings_it_back() -> None:
    ann, bob, eve = (new_user(name) for name in ("ann", "bob", "eve"))
    kept = play(duel(ann, bob, age=DAY, best_of=9), 1)
    play(duel(ann, eve, age=DAY / 2, best_of=9), 2)
    last = play(duel(ann, bob), 3)
    whole = stored(ann)
    oversight.ban_user(oversight.THE_HOUSE, eve.pk, "shouting")
    assert DuelFigures.objects.filter(user=ann, version=0).count() == 1, "not shown meanwhile"
    look_at(ann, eve)
    assert stored(ann) == recomputed(ann, kept, last)
    assert stored(eve) == ({}, [])
    oversight.unban_user(oversight.THE_HOUSE, eve.pk, "sorry")
    look_at(ann, eve)
    assert stored(ann) == whole
    assert stored(eve)[1] != []
    delete_account(user_id=eve.pk)
    assert not Habits.objects.filter(user=eve).exists()
    assert DuelFigures.objects.filter(user=ann, version=0).exists()
    look_at(ann, eve)
    assert stored(ann) == recomputed(ann, kept, last)
    assert stored(eve) == ({}, [])
    assert not DuelFigures.objects.filter(user=ann, version=0).exists()


def test_other_changes_of_a_user_compute_nothing_again() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    play(duel(ann, bob))
    bob.avatar = "rock"
    bob.save()
    bob.save(update_fields=["avatar"])
    assert not DuelFigures.objects.filter(version=0).exists()
    bob.is_active = False
    bob.save(update_fields=["is_active"])
    assert set(DuelFigures.objects.values_list("version", flat=True)) == {0}


@pytest.mark.both_databases
def test_old_duels_are_filled_from_archives_too() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    kits = [play(duel(ann, bob, age=age * DAY), age) for age in (40, 100, 1)]
    expected = stored(ann), stored(bob)
    for model in (Habits, DuelFigures):
        model.objects.all().delete()
    archive_due(timezone.now() + timedelta(days=400))
    assert Match.objects.filter(pk__in=[kit.match.pk for kit in kits], is_archived=True).exists()
    call_command("fill_habits")
    assert (stored(ann), stored(bob)) == expected


def test_a_month_ends_at_midnight_utc() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    kit = play(duel(ann, bob))
    for month in (1, 12):
        first = datetime(2025, month, 1, tzinfo=UTC)
        before = first - timedelta(milliseconds=1)
        for at in (first, before):
            Match.objects.filter(pk=kit.match.pk).update(ended_at=at)
            Habits.objects.all().delete()
            DuelFigures.objects.all().delete()
            call_command("fill_habits")
            assert {row[0] for row in stored(ann)[1]} == {at.date().replace(day=1)}


def test_export_holds_ones_own_habits_alone() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    play(duel(ann, bob))
    rows = json.loads(json.dumps(list(habits.OWN_DATA.rows(ann)), default=personal_data._written))
    assert sum(row["count"] for row in rows if row.get("context") == "all") == next(
        row["throws"] for row in rows if "throws" in row
    )
    # One of the duel, and one of the choice.
    assert len(rows) == Habits.objects.filter(user=ann).count() + 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(form(3, in_all=8, in_long=60)))
def test_a_month_that_is_computed_again_while_duels_end_in_it_is_what_the_journals_give(
    seed: int,
) -> None:
    ann, bob, eve, dan = (new_user(name) for name in ("ann", "bob", "eve", "dan"))
    kept = [play(duel(ann, bob, age=DAY, best_of=9), seed), play(duel(ann, eve, age=600), seed + 1)]
    ending = [duel(ann, other, best_of=1) for other in (bob, dan)]
    for kit in ending:
        kit.throw("rock", None)
    oversight.ban_user(oversight.THE_HOUSE, eve.pk, "shouting")
    throws = [partial(kit.act, kit.bob, kind="throw", hand="paper") for kit in ending]
    looks = [partial(look_at, ann, bob), partial(look_at, ann)]
    unban = partial(oversight.unban_user, oversight.THE_HOUSE, eve.pk, "sorry")
    found = all_at_once([*throws, *looks, unban])
    assert [each for each in found if isinstance(each, Exception)] == []
    look_at(ann, bob, eve, dan)
    for user in (ann, bob, eve, dan):
        own = [kit for kit in (*kept, *ending) if user in kit.people]
        assert stored(user)[0] == recomputed(user, *own)[0]
        before = stored(user)
        for month in {row[0] for row in before[1]}:
            habits.compute(user.pk, month)
        assert stored(user) == before
