"""Quick statements and the plain reference do the same; what is remembered is what is stored."""

from __future__ import annotations

import pytest
from django.db import transaction

from economy.ledger import Plan
from economy.ledger.rows import OrmRows, SqlRows
from games.journal.lines import read_lines
from games.journal.memory import Memory, Remembered, memory
from games.journal.recall import load, read
from games.journal.replay import replay_match
from games.kernel.table import RUNNING, TableState
from games.models import Match
from games.play.batch import Batch
from games.play.rows import SqlStore
from games.play.store import Mark, OrmStore
from games.reading import selectors
from tests.games.story import Story, dump, open_tables, tell_story


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    memory.forget()


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


def stored(match: Match) -> Remembered:
    """Return what the database says of a match."""
    seats = match.seats.select_related("user")
    return read(match, seats)


def fields(match: Match) -> dict[str, object]:
    """Return all that a row holds."""
    return {field.attname: getattr(match, field.attname) for field in Match._meta.concrete_fields}


@pytest.mark.django_db(transaction=True)
def test_memory_holds_what_is_stored_after_each_batch() -> None:
    kits = open_tables()
    compared = 0
    for _ in Story(kits).batches():
        for match_id, kept in memory._kept.items():
            row = stored(Match.objects.get(pk=match_id))
            assert fields(kept.match) == fields(row.match)
            assert kept.state == row.state
            assert {no: (s.pk, s.user.username) for no, s in kept.seats.items()} == {
                no: (s.pk, s.user.username) for no, s in row.seats.items()
            }
            if kept.lines is not None:
                assert list(kept.lines) == read_lines(row.match.recent)
            compared += 1
    assert compared > 50
    assert all(replay_match(kit.row).is_same for kit in kits)


@pytest.mark.django_db(transaction=True)
def test_memory_of_another_process_reads_what_batches_have_changed_since() -> None:
    kits = open_tables()
    elsewhere: dict[int, Remembered] = {}
    compared = 0
    for _ in Story(kits).batches():
        before = {pk: fields(kept.match) for pk, kept in elsewhere.items()}
        for match_id, kept in load(list(elsewhere), elsewhere).items():
            row = stored(Match.objects.get(pk=match_id))
            assert fields(kept.match) == fields(row.match)
            assert kept.state == row.state
            assert kept.seats.keys() == row.seats.keys()
            compared += kept.match.seq > elsewhere[match_id].match.seq
        assert before == {pk: fields(kept.match) for pk, kept in elsewhere.items()}
        # What it knew first, it goes on from for as long as the match runs.
        for match_id, kept in memory._kept.items():
            elsewhere.setdefault(match_id, kept)
    assert compared > 50


@pytest.mark.django_db(transaction=True)
def test_memory_of_another_match_with_the_same_number_is_not_gone_on_from() -> None:
    (kit, *_) = open_tables()
    kit.start()
    kept = memory._kept[kit.match.pk]
    Match.objects.filter(pk=kit.match.pk).update(public_id="another1")
    (read_again,) = load([kit.match.pk], {kit.match.pk: kept}).values()
    assert read_again.match.public_id == "another1"
    assert read_again.seats[0] is not kept.seats[0]


@pytest.mark.django_db(transaction=True)
def test_memory_is_not_used_for_a_match_that_somebody_else_has_changed() -> None:
    (kit, *_) = open_tables()
    kit.start()
    assert kit.match.pk in memory._kept
    elsewhere = memory._kept[kit.match.pk]
    kit.act(kit.on_turn(), kind="raise_by", amount=2)
    memory.put([elsewhere])
    kit.act(kit.on_turn(), kind="call")
    assert replay_match(kit.row).is_same


@pytest.mark.django_db(transaction=True)
def test_memory_forgets_what_was_not_committed() -> None:
    (kit, *_) = open_tables()
    kit.start()
    with transaction.atomic():
        kit.act(kit.on_turn(), kind="call")
        assert kit.match.pk not in memory._kept
        transaction.set_rollback(True)
    kit.act(kit.on_turn(), kind="raise_by", amount=2)
    assert replay_match(kit.row).is_same


@pytest.mark.django_db(transaction=True)
def test_memory_keeps_no_table_before_its_start_or_after_its_end() -> None:
    kit, other, *_ = open_tables()
    other.seat_everybody()
    assert memory._kept == {}
    kit.start()
    assert list(memory._kept) == [kit.match.pk]
    kit.play_to_the_end()
    assert memory._kept == {}


def test_memory_keeps_those_that_were_used_last() -> None:
    few = Memory(most=2)
    state = TableState(RUNNING, {}, 1, (), 0)
    kept = [Remembered(Match(pk=n, public_id=str(n)), state, {}) for n in (1, 2, 3)]
    few.put(kept[:2])
    few.put([*few.take([Mark(1, "1", 0, 0)]).values(), kept[2]])
    assert list(few._kept) == [1, 3]


@pytest.mark.django_db(transaction=True)
def test_memory_takes_up_what_was_read_of_another_process_to_show_it() -> None:
    (kit, *_) = open_tables()
    kit.start()
    memory.forget()
    kept = selectors.snapshots([kit.match.pk])[kit.match.pk]
    assert memory._kept[kit.match.pk].state is kept.state
    kit.act(kit.on_turn(), kind="raise_by", amount=2)
    assert replay_match(kit.row).is_same
