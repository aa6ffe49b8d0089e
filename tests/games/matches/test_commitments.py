"""The public log of commitments: everything once, in order, and no game dealt before."""

import gzip
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from economy.triggers import check_guards
from games.engine.draws import commitment
from games.engine.merkle import FIRST_HEAD, head_of, leaf_hash, root_and_path
from games.matches.models import LogDay, LogLeaf, Match
from games.matches.models.commitments import LOG_GUARDS
from games.matches.queries.commitments import awaits_log, counts, inclusion_of, lines_of_day
from games.matches.services.commitments import DAY_ENDS_AFTER, sequence
from tests.games.duel.kit import DuelKit
from tests.games.table_kit import TableKit, new_user
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db


def climb(leaf: str, index: int, count: int, path: list[str]) -> str:
    """Return the root that a path leads to: written apart from the site's own."""
    node, rest = hashlib.sha256(b"\0" + leaf.encode()).digest(), [bytes.fromhex(p) for p in path]
    while count > 1:
        if index ^ 1 < count:
            pair = (rest.pop(0), node) if index % 2 else (node, rest.pop(0))
            node = hashlib.sha256(b"\1" + pair[0] + pair[1]).digest()
        index, count = index // 2, (count + 1) // 2
    assert not rest
    return node.hex()


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13])
def test_every_leaf_has_a_path_to_the_root(count: int) -> None:
    texts = [f"leaf {no}" for no in range(count)]
    hashes = [leaf_hash(text) for text in texts]
    for index, text in enumerate(texts):
        root, path = root_and_path(hashes, index)
        assert climb(text, index, count, path) == root
        assert climb(text + "!", index, count, path) != root


@pytest.mark.plain
@pytest.mark.both_databases
def test_leaves_and_days_are_neither_changed_nor_removed() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"))
    sequence(kit.now)
    sequence(kit.now + timedelta(days=1) + DAY_ENDS_AFTER)
    leaf, day = LogLeaf.objects.get(), LogDay.objects.get()
    changes = [
        lambda: LogLeaf.objects.update(text="another"),
        lambda: LogDay.objects.update(root="0" * 64),
        leaf.delete,
        day.delete,
    ]
    if connection.vendor == "sqlite":
        replace, run = "REPLACE INTO {0} SELECT * FROM {0}", connection.cursor().execute
        tables = ("games_logleaf", "games_logday")
        changes += [partial(run, replace.format(table)) for table in tables]
    for change in changes:
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            change()
    assert (LogLeaf.objects.get().text, LogDay.objects.get().root) == (leaf.text, day.root)
    with LOG_GUARDS.suspended(connection):
        assert [error.id for error in check_guards(databases=["default"])] == ["economy.E001"]


@pytest.mark.both_databases
def test_log_has_each_match_once_when_opened_and_once_when_over() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"))
    assert [sequence(kit.now) for _ in range(2)] == [1, 0]
    kit.start()
    kit.win(kit.ann)
    void = TableKit(new_user("cleo"), listed=False)
    void.void("named here")
    assert [sequence(kit.now) for _ in range(3)] == [2, 1, 0]
    leaves = [json.loads(leaf.text) for leaf in LogLeaf.objects.order_by("no")]
    kinds = [(leaf["no"], leaf["kind"]) for leaf in leaves]
    assert kinds == [(1, "opened"), (2, "opened"), (3, "closed"), (4, "closed")]
    outcomes = {leaf["commitment"]: leaf for leaf in leaves if leaf["kind"] == "closed"}
    assert outcomes[kit.row.seed_commitment]["outcome"] == "over"
    # Of an unlisted match only the outcome is told.
    hidden = outcomes[void.row.seed_commitment]
    assert hidden | {"outcome": "closed", "reason": ""} == hidden
    assert void.row.public_id not in str(leaves)


@pytest.mark.both_databases
def test_log_days_are_finished_after_midnight_and_chained() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"), age=3 * 86_400)
    sequence(kit.now)
    next_midnight = (kit.now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    sequence(next_midnight + DAY_ENDS_AFTER - timedelta(seconds=1))
    assert not LogDay.objects.exists()
    other = TableKit(new_user("cleo"), age=86_400)
    sequence(other.now)
    sequence(other.now + timedelta(days=2))
    first, second = LogDay.objects.order_by("day")
    assert (first.first_no, first.count, second.first_no) == (1, 1, 2)
    assert first.head == head_of(FIRST_HEAD, first.day.isoformat(), 1, first.root)
    assert second.head == head_of(first.head, second.day.isoformat(), second.count, second.root)
    told = inclusion_of(kit.match.seed_commitment)["opened"]
    assert climb(told["leaf"], told["index"], told["day"]["count"], told["path"]) == first.root
    assert inclusion_of("0" * 64) == {}


@pytest.mark.plain
def test_log_of_a_day_has_the_seeds_of_listed_matches_that_are_over_is_public_and_compressed():
    people = ("ann", "bob", "cleo", "dan", "eve", "fay")
    ann, bob, cleo, dan, eve, fay = map(new_user, people)
    kit = DuelKit(ann, bob, age=2 * 86_400)
    hidden = DuelKit(cleo, dan, age=2 * 86_400, listed=False)
    running = DuelKit(eve, fay, age=2 * 86_400)
    for each in (kit, hidden, running):
        each.start()
    for each in (kit, hidden):
        each.win(each.ann)
    for days in (0, 0, 2):
        sequence(kit.now + timedelta(days=days))
    of_day = LogDay.objects.get().day
    day, *lines = [json.loads(line) for line in lines_of_day(of_day)]
    (told,) = [line for line in lines if "seed" in line]
    assert day["count"] == len(lines) - 1 == 5
    assert (told["public_id"], told["seed"]) == (kit.row.public_id, kit.row.seed)
    assert commitment(told["seed"], told["public_id"], told["rules_version"]) == told["commitment"]
    text = "".join(lines_of_day(of_day))
    for secret in (hidden.row.seed, hidden.row.public_id, running.row.seed):
        assert secret not in text
    (counted,) = counts(of_day)
    assert (counted["opened"], counted["over"], counted["void"]) == (3, 2, 0)
    answer = browser().get(reverse("log_day", args=[of_day.isoformat()]))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/gzip")
    text = gzip.decompress(b"".join(answer.streaming_content)).decode()
    assert text.splitlines() == list(lines_of_day(of_day))
    for wrong in ("yesterday", "1999-01-01"):
        assert browser().get(reverse("log_day", args=[wrong])).status_code == 404


def test_nothing_is_dealt_before_the_commitment_is_in_the_log(settings) -> None:
    settings.DEAL_AFTER_LOG = True
    kit = DuelKit(new_user("ann"), new_user("bob"))
    kit.seat_everybody()
    kit.make_ready()
    for _ in range(3):
        assert awaits_log(kit.row.seed_commitment, kit.now)
        assert kit.row.status == Match.Status.OPEN
        kit.pass_time(1.0)
    sequence(kit.now)
    kit.pass_time(1.0)
    assert kit.row.status == Match.Status.RUNNING


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_sequencers_at_once_write_each_leaf_once() -> None:
    kits = [TableKit(new_user(f"user{no}")) for no in range(6)]

    def run(_: int) -> int:
        try:
            return sequence(kits[0].now)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        written = list(pool.map(run, range(8)))
    sequence(kits[0].now)
    leaves = list(LogLeaf.objects.order_by("no").values_list("no", "commitment"))
    assert [no for no, _ in leaves] == list(range(1, len(kits) + 1))
    assert {name for _, name in leaves} == {kit.match.seed_commitment for kit in kits}
    assert sum(written) <= len(kits)
