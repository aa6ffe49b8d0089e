import json
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from accounts.models import User
from economy.ledger import Plan
from economy.ledger.rows import SqlRows
from games.engine.table import RUNNING, TableState
from games.matches.journal import loading
from games.matches.journal.loading import CHECKPOINT, MatchCache, match_cache
from games.matches.journal.replay import replay_match, table_of
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Entry, Match
from games.matches.processing import writing
from games.matches.processing.batch import Batch
from games.matches.processing.bots import ensure_bots
from games.matches.processing.store import SqlStore, write_all_checkpoints, write_checkpoints
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.posts import chat
from tests.at_once import all_at_once
from tests.games.matches.orm_store import OrmRows, OrmStore
from tests.games.story import Story, dump, open_tables, tell_story
from tests.games.table_kit import TableKit, new_user, running_table
from tests.games.tampering import change_entry

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]
WEAPONS = ("rock", "paper", "scissors")


@pytest.fixture(autouse=True)
def _nothing_held() -> None:
    match_cache.forget()


@pytest.fixture
def kit() -> TableKit:
    (kit, *_) = open_tables()
    kit.start()
    return kit


def held() -> dict[int, Snapshot]:
    return {cached.match.pk: cached for cached in match_cache.everything()}


@pytest.mark.django_db
def test_store_both_ways_of_writing_leave_the_same_rows(monkeypatch) -> None:
    kits = open_tables()
    told = []
    for store, rows in ((SqlStore(), SqlRows()), (OrmStore(), OrmRows())):
        monkeypatch.setattr(Batch, "store", store)
        monkeypatch.setattr(Plan, "rows", rows)
        before = transaction.savepoint()
        told.append((tell_story(kits), dump()))
        transaction.savepoint_rollback(before)
    (answers, quick), (plain_answers, plain) = told
    assert answers == plain_answers
    assert {"ok False", "ok True", "conflict", "stale"} <= set(answers)
    for name, rows in quick.items():
        assert rows == plain[name], name
    codes = {row[8] for row in quick["transfers"]}
    assert {"PURSE", "POT_AWARD", "TAX", "STAKE_REFUND", "ITEM_IN", "ITEM_USED"} <= codes


LOAD = loading.load


def stored(match_id: int) -> Snapshot:
    return LOAD([match_id])[match_id]


def fields(match: Match) -> dict[str, object]:
    return {
        field.attname: getattr(match, field.attname)
        for field in Match._meta.concrete_fields
        if field.attname not in CHECKPOINT
    }


def require_same(cached: Snapshot, other: Snapshot) -> None:
    """Fail where two records of a match differ in anything but what sitters own."""
    assert fields(cached.match) == fields(other.match)
    assert cached.table.encode(cached.state) == other.table.encode(other.state)
    assert cached.lines == other.lines
    assert {no: (s.pk, s.user.username) for no, s in cached.seats.items()} == {
        no: (s.pk, s.user.username) for no, s in other.seats.items()
    }


def test_cached_matches_are_what_checkpoint_and_entries_say_after_each_batch() -> None:
    kits = open_tables()
    compared = behind = 0
    for _ in Story(kits).batches():
        for match_id, cached in held().items():
            other = stored(match_id)
            require_same(cached, other)
            behind += other.match.state_no < other.no
            compared += 1
    assert compared > 50
    assert behind > 25
    assert all(replay_match(kit.row).is_same for kit in kits)


def test_cached_matches_of_another_process_catch_up_by_playing_what_was_appended(monkeypatch):
    kits = open_tables()
    elsewhere: dict[int, Snapshot] = {}
    loaded: list[int] = []
    monkeypatch.setattr(loading, "load", lambda ids: loaded.extend(ids) or LOAD(ids))
    compared = 0
    for _ in Story(kits).batches():
        rows = Match.objects.filter(pk__in=elsewhere).values_list(
            "pk", "public_id", "action_count", "at_ms"
        )
        loaded.clear()
        before = {pk: fields(cached.match) for pk, cached in elsewhere.items()}
        found = loading.catch_up([loading.MatchPosition(*row) for row in rows], elsewhere)
        assert before == {pk: fields(cached.match) for pk, cached in elsewhere.items()}
        for match_id, cached in found.items():
            require_same(cached, stored(match_id))
            if match_id not in loaded:
                compared += cached.no > elsewhere[match_id].no
        elsewhere = {pk: cached for pk, cached in found.items() if cached.state.stage == RUNNING}
        for match_id, cached in held().items():
            elsewhere.setdefault(match_id, cached)
    assert compared > 30


def test_cached_match_of_another_past_is_read_anew(kit) -> None:
    known = held()[kit.match.pk]
    kit.act(kit.on_turn(), kind="raise_by", amount=2)
    # The database is set back, and somebody else goes on: as many entries, another story.
    row = kit.row
    mark = loading.MatchPosition(row.pk, row.public_id, row.action_count, row.at_ms)
    assert loading.catch_up([mark], {row.pk: known})[row.pk].no == row.action_count
    for change in ({"public_id": "another1"}, {"at_ms": row.at_ms + 1}, {"no": mark.no - 1}):
        (cached,) = loading.standing([row.pk]).values()
        found = loading.catch_up([replace(mark, **change)], {row.pk: cached})[row.pk]
        assert found is not cached
        assert found.seats[0] is not cached.seats[0]
    change_entry(row.pk, known.no, at_ms=1)
    found = loading.catch_up([mark], {row.pk: known})[row.pk]
    assert found.seats[0] is not known.seats[0]
    change_entry(row.pk, known.no, at_ms=known.match.at_ms)


@pytest.mark.plain
def test_cached_matches_take_up_what_was_read_but_neither_inside_a_transaction_nor_once_it_is_old(
    kit,
) -> None:
    match_cache.forget()
    snapshot = selectors.snapshots([kit.match.pk])[kit.match.pk]
    assert held()[kit.match.pk].match is snapshot.match
    before = held()
    with transaction.atomic():
        kit.act(kit.on_turn(), kind="call")
        assert selectors.snapshot_of(kit.match).no == before[kit.match.pk].no + 1
        assert held() == before
        transaction.set_rollback(True)
    kit.act(kit.on_turn(), kind="raise_by", amount=2)
    assert replay_match(kit.row).is_same
    # As if this process had not seen what somebody else has done.
    match_cache.forget()
    match_cache.put(before.values())
    kit.act(kit.on_turn(), kind="call")
    assert replay_match(kit.row).is_same


def test_cached_matches_are_dropped_when_the_commit_fails(kit, monkeypatch) -> None:
    seen = []

    class Failing(SqlStore):
        def append(self, entries) -> None:
            super().append(entries)
            seen.append(kit.match.pk in held())
            if len(seen) == 1:
                raise OperationalError("the disk is full for a moment")

    monkeypatch.setattr(Batch, "store", Failing())
    kit.act(kit.on_turn(), kind="raise_by", amount=2)
    assert (seen, held()[kit.match.pk].no) == ([True, False], kit.row.action_count)
    assert replay_match(kit.row).is_same


def test_cached_matches_are_live_ones() -> None:
    kit, other, *_ = open_tables()
    other.seat_everybody()
    assert list(held()) == [other.match.pk]
    kit.start()
    assert sorted(held()) == sorted([kit.match.pk, other.match.pk])
    kit.play_to_the_end()
    assert list(held()) == [other.match.pk]


def read_again(kit: TableKit) -> tuple[Snapshot, int]:
    with CaptureQueriesContext(connection) as ran:
        found = loading.standing([kit.match.pk])[kit.match.pk]
    return found, len(ran)


def test_an_open_match_is_read_again_once_a_user_at_it_has_changed() -> None:
    kit, *_ = open_tables()
    kit.seat_everybody()
    before = held()[kit.match.pk]
    assert read_again(kit) == (before, 4), "where it stands, and its users' texts, rows and texts"
    assert read_again(kit) == (before, 2), "their texts are known"
    for no, user in enumerate(kit.people):
        User.objects.filter(pk=user.pk).update(is_frozen=True)
        found, count = read_again(kit)
        assert (found.seats[no].user.is_frozen, found.no, count) == (True, before.no, 7)
        assert read_again(kit) == (found, 2)
    User.objects.update(is_frozen=False)
    kit.make_ready()
    kit.pass_time(5.0)
    assert read_again(kit) == (held()[kit.match.pk], 1)


@pytest.mark.plain
@pytest.mark.django_db
def test_cached_matches_are_the_newest_states_of_those_that_were_used_last() -> None:
    few, state = MatchCache(most=2), TableState(RUNNING, {}, 1, (), 0)
    cached = [Snapshot(Match(pk=n, public_id=str(n)), None, None, state, {}) for n in (1, 2, 3)]
    few.put(cached[:2])
    few.put([cached[0], cached[2]])
    assert few.everything() == [cached[0], cached[2]]
    assert [few.take_let_go() for _ in range(2)] == [[cached[1]], []]
    few = MatchCache()
    old, new = (Snapshot(Match(pk=1, action_count=n), None, None, state, {}) for n in (4, 5))
    few.put([new])
    few.put([old])
    assert few.everything() == [new]


def test_a_journal_that_gives_other_facts_answers_maintenance_and_alarms(kit, caplog) -> None:
    user = kit.on_turn()
    kit.act(user, kind="raise_by", amount=2)
    match_cache.forget()
    last = Entry.objects.filter(match=kit.match).order_by("-no").first()
    change_entry(kit.match.pk, last.no, facts="[]")
    answer = kit.answer(kit.people[0], kind="fold")
    assert answer.error.code == "maintenance"
    assert "does not give what is stored" in caplog.text
    assert selectors.snapshots([kit.match.pk]) == {}
    change_entry(kit.match.pk, last.no, facts=last.facts)
    assert table_of(kit.row).rules.version == kit.row.rules_version
    kit.play_to_the_end()


def test_cached_matches_are_dropped_when_the_last_word_of_the_database_is_no(kit, monkeypatch):
    commit, refused = connection.commit, []

    def refuse_once() -> None:
        if not refused:
            refused.append(held()[kit.match.pk].no)
            raise OperationalError("the disk is full for a moment")
        assert held() == {}
        commit()

    with monkeypatch.context() as patch:
        patch.setattr(connection, "commit", refuse_once)
        kit.act(kit.on_turn(), kind="raise_by", amount=2)
    assert held()[kit.match.pk].no == kit.row.action_count == refused[0] + 1
    assert replay_match(kit.row).is_same


def test_an_id_that_comes_again_after_a_restart_is_known_in_all_three_forms() -> None:
    ensure_bots()
    kit = TableKit(new_user(), seats=3)
    (ann,) = kit.people
    kit.seat_everybody()
    sit = Entry.objects.get(match=kit.match)
    first = [
        (json.loads(sit.action), sit.action_id, None),
        ({"kind": "add_bot"}, "pressed-1", None),
        ({"kind": "add_bot"}, "typed-line-1", "!bot"),
    ]
    for action, action_id, body in first[1:]:
        writing.submit(Submission(kit.match.pk, action, action_id, ann.pk, 0, body), kit.now)
    stored = dict(Entry.objects.filter(match=kit.match).values_list("action_id", "asked"))
    assert [stored[each[1]] for each in first] == [None, '{"kind":"add_bot"}', "!bot"]
    for action, action_id, body in first:
        match_cache.forget()
        # Also long after its phase, and once the game is on.
        again = Submission(kit.match.pk, action, action_id, ann.pk, 99, body)
        (answer,) = writing.apply_batch([again], kit.now).answers
        assert (answer.error, answer.repeated) == (None, True)
        leave, typed = {"kind": "leave"}, body and "!leave"
        other = Submission(kit.match.pk, leave, action_id, ann.pk, 0, typed)
        (answer,) = writing.apply_batch([other], kit.now).answers
        assert answer.error is not None
        assert answer.error.code == "conflict"
    assert Entry.objects.filter(match=kit.match).count() == len(first)


def test_a_bot_thinks_on_after_a_restart_and_acts_when_the_row_says() -> None:
    ensure_bots()
    kit = TableKit(new_user(), seats=2)
    (ann,) = kit.people
    kit.seat_everybody()
    kit.act(ann, kind="add_bot")
    kit.make_ready()
    if kit.row.status == Match.Status.OPEN:
        kit.pass_time(5.0)
    while kit.row.bot_at is None:
        kit.act(ann, kind="call")
    due, before = kit.row.bot_at, kit.row.action_count
    match_cache.forget()
    assert kit.row.wake_at <= due
    kit.pass_time((due - kit.now).total_seconds())
    assert Entry.objects.filter(match=kit.match, no__gt=before, actor__is_bot=True).exists()
    assert replay_match(kit.row).is_same


def test_chat_beside_batches_waits_for_the_same_lock_and_changes_no_column_of_theirs(kit) -> None:
    kit.call_all()
    ann, bob = kit.people[:2]

    def say(number: int) -> None:
        said = {"room": "table", "text": f"line {number}", "action_id": f"chat-{number:04d}"}
        chat.say(match_id=kit.match.pk, user_id=ann.pk, **said)

    def act(number: int) -> None:
        kit.act(bob, kind="attack", weapon=WEAPONS[number % 3], target=0)

    calls = [partial(work, number) for number in range(6) for work in (say, act)]
    assert all_at_once(calls) == [None] * len(calls)
    row = kit.row
    assert row.last_post == 6
    assert Entry.objects.filter(match=row, actor=bob, action__contains="attack").count() == 6
    assert row.action_count == Entry.objects.filter(match=row).count()
    assert replay_match(row).is_same


def attack_often(kit: TableKit, times: int) -> list[int]:
    """Attack so often; return the entry of the stored state after each."""
    written = []
    for number in range(times):
        kit.act(kit.people[0], kind="attack", weapon=WEAPONS[number % 3], target=1)
        written.append(kit.row.state_no)
    return written


def test_states_are_stored_once_in_thirty_two_entries_and_an_action_is_one_row(kit) -> None:
    kit.call_all()
    first = kit.row.action_count
    assert len(set(attack_often(kit, 96))) - 1 == 96 // 32
    assert kit.row.action_count == first + 96
    assert Entry.objects.filter(match=kit.match, no__gt=first).count() == 96


def test_checkpoints_of_what_is_held_are_stored_when_a_process_ends(kit) -> None:
    kit.act(kit.on_turn(), kind="raise_by", amount=2)
    assert kit.row.state_no < kit.row.action_count
    stale = held()[kit.match.pk]
    kit.act(kit.on_turn(), kind="call")
    assert write_all_checkpoints() == 1
    row = kit.row
    assert row.state_no == row.action_count
    assert replay_match(row).is_same
    # What is older than what is stored, or of another past, is not.
    assert write_checkpoints([stale]) == 0
    Match.objects.filter(pk=row.pk).update(state_no=0)
    change_entry(row.pk, stale.no, at_ms=1)
    assert write_checkpoints([stale]) == 0
    change_entry(row.pk, stale.no, at_ms=stale.match.at_ms)
    Match.objects.filter(pk=row.pk).update(state_no=row.state_no)


def test_matches_that_fell_far_behind_are_read_and_shown_in_portions(monkeypatch) -> None:
    kits = [running_table(seats=2) for _ in range(3)]
    for kit in kits:
        kit.call_all()
    behind = held()
    for kit in kits:
        attack_often(kit, 80)
    match_cache.forget()
    match_cache.put(behind.values())
    played: list[int] = []
    play_on = loading.play_on

    def count(cached: Snapshot, entries: list[Any]) -> Snapshot:
        played.append(len(list(entries)))
        return play_on(cached, entries)

    monkeypatch.setattr(loading, "play_on", count)
    shown = {pk: each.no for pk, each in selectors.snapshots(behind).items()}
    assert shown == {kit.match.pk: kit.row.action_count for kit in kits}
    # Not the eighty that it missed, but what came after the last checkpoint.
    assert max(played) <= 32
