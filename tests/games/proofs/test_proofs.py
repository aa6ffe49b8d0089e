"""The public log of commitments, salts, and proofs, which ``verify.py`` accepts or refuses."""

import copy
import gzip
import hashlib
import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from accounts.models import User
from economy.triggers import check_guards
from games.api.operations import allowances
from games.engine.draws import (
    FIRST_HEAD,
    commitment,
    hash_of_salt,
    head_of,
    leaf_hash,
    root_and_path,
    salted,
)
from games.engine.errors import NotInPhase
from games.engine.structs import canonical
from games.mafia.agora.rules.roles import Role
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, LogDay, LogLeaf, Match, Pledge
from games.matches.models.archives import LOG_GUARDS
from games.matches.processing.opening import awaits_log
from games.proofs.commitments import DAY_ENDS_AFTER, check_old_matches, sequence
from games.proofs.queries import counts, counts_of, inclusion_of, lines_of_day, proof_of
from tests.forms import form
from tests.games.contests.kit import ContestKit
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import everybody_else_acts, town
from tests.games.mafia.dynamite.kit import band
from tests.games.proofs.proof_games import PLAYED, logged, logged_days_ago, played
from tests.games.proofs.tamperings import tampered
from tests.games.table_kit import TableKit, new_user, running_table
from tests.games.tampering import change_entry
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db

PROGRAM = Path(__file__).parents[3] / "static/proof/verify.py"
COUNT = form(10, in_all=20, in_long=1_000)
VERIFY = runpy.run_path(str(PROGRAM))


def holds(proof: Any) -> bool:
    try:
        list(VERIFY["verify"](json.loads(json.dumps(proof))))
    except VERIFY["Wrong"]:
        return False
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError):
        # The program says so too, and exits with 1.
        return False
    return True


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("game", PLAYED)
def test_proof_of_every_game_holds(game: str, is_old: bool) -> None:
    matches = [played(game, seed, is_old=is_old) for seed in range(COUNT)]
    assert any(match.status == Match.Status.OVER for match in matches)
    for proof in logged_days_ago(matches):
        said = list(VERIFY["verify"](proof))
        assert (len(said), proof["format"]) == (len(VERIFY["CHECKS"]), 1 if is_old else 2)
        assert any("not shown for games before 1.2" in each for each in said) == is_old


def test_proof_of_a_game_that_was_tampered_with_before_it_was_logged_is_refused() -> None:
    for name, honest, wrong in tampered():
        assert holds(honest), name
        assert not holds(wrong), name


def test_proof_names_the_game_before_where_its_dealer_matters() -> None:
    kit = running_table()
    kit.play_to_the_end()
    first = logged(kit.row)
    kit.act(kit.people[0], kind="rematch")
    kit.match = kit.row.successor
    kit.make_ready(kit.people[1])
    kit.pass_time(5.0)
    kit.play_to_the_end()
    second = logged(kit.row)
    assert "follows" not in first["opening"]
    assert second["opening"]["follows"] == first["commitment"]
    assert f"commitment {first['commitment']}" in "".join(VERIFY["verify"](second))


def changes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from changes(value[key], (*path, key))
    else:
        yield path


def changed(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return 1 if value is None else not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{'1' if value[:1] != '1' else '2'}{value[1:]}"
    return [*value, 0] if isinstance(value, list) else {"odd": 0}


def with_change(proof: Any, path: tuple[Any, ...]) -> Any:
    copied = copy.deepcopy(proof)
    place = copied
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = changed(place[path[-1]])
    return copied


@pytest.mark.parametrize("game", PLAYED)
def test_proof_with_any_one_value_changed_is_refused(game: str) -> None:
    proof = logged_days_ago([played(game, seed=2)])[0]
    assert holds(proof)
    paths = list(changes(proof))
    assert len(paths) > 40
    kinds: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for path in paths:
        kinds.setdefault(tuple(key for key in path if isinstance(key, str)), path)
    # Each field in turn, and forty values of all.
    for path in [*kinds.values(), *paths[:: max(1, len(paths) // 40)]]:
        assert not holds(with_change(proof, path)), path


@pytest.mark.parametrize("part", ["entries", "draws", "salts"])
def test_proof_with_a_part_left_out_twice_or_moved_is_refused(part: str) -> None:
    proofs = (logged(played("agora", seed=seed)) for seed in range(3, 20))
    proof = next(each for each in proofs if len(each["salts"]) > 1)
    listed = proof[part]
    assert holds(proof)
    for wrong in (listed[1:], listed[:-1], [*listed, listed[-1]], listed[::-1], []):
        assert not holds({**proof, part: wrong})
    for name in proof:
        assert not holds({key: value for key, value in proof.items() if key != name})


def test_proof_of_another_seed_with_its_own_draws_is_refused() -> None:
    one, other = (logged(played("agora", seed=seed)) for seed in (4, 5))
    for name in ("seed", "draws", "commitment", "inclusion"):
        assert not holds({**one, name: other[name]})
    assert not holds({**one, **{name: other[name] for name in ("seed", "draws", "commitment")}})


def test_proof_holds_through_a_substitute() -> None:
    kit = town(7, substitutes=True, phase_seconds=600)
    everybody_else_acts(kit, 0)
    kit.act(new_user("sub"), kind="take_over", seat=0)
    while kit.row.is_live:
        kit.run_out()
    proof = logged(kit.row)
    assert any(entry["action"]["kind"] == "take_over" for entry in proof["entries"])
    assert holds(proof)


def test_proof_holds_for_void_matches() -> None:
    kit = running_table()
    kit.call_all()
    kit.void("the power has failed")
    closed = TableKit(new_user("cleo"))
    closed.void("nobody came")
    for each in (kit, closed):
        assert holds(logged(each.row))


def test_proof_says_who_added_no_salt() -> None:
    kit, salt = TableKit(new_user("ann"), new_user("bob")), "cd" * 32
    kit.seat_everybody()
    ann, bob = kit.people
    kit.make_ready(ann)
    kit.act(bob, kind="ready", configuration=1, salt_hash=hash_of_salt(salt))
    kit.act(bob, kind="reveal", salt=salt)
    kit.pass_time(5.0)
    kit.play_to_the_end()
    proof = logged(kit.row)
    assert proof["salts"] == [[1, salt]]
    assert "the salts of seats [1]" in "".join(VERIFY["verify"](proof))


def test_program_exits_with_a_status_and_a_sentence_a_check(tmp_path: Path) -> None:
    proof = logged_days_ago([played("duel", seed=6)])[0]
    day = "\n".join(lines_of_day(Match.objects.get().opened_at.date()))
    for name, text, status in (
        ("good.json", json.dumps(proof), 0),
        ("bad.json", json.dumps({**proof, "seed": "00"}), 1),
        ("day.jsonl", day, 0),
        ("edited.jsonl", day.replace('"over"', '"void"'), 1),
    ):
        path = tmp_path / name
        path.write_text(text)
        ran = subprocess.run(
            [sys.executable, "-I", PROGRAM, path], capture_output=True, text=True, check=False
        )
        assert ran.returncode == status, ran.stdout
        assert ("WRONG" in ran.stdout) == bool(status)
        if name == "good.json":
            assert ran.stdout.count("ok     ") == len(VERIFY["CHECKS"])
    imported = [line for line in PROGRAM.read_text().splitlines() if line.startswith("import ")]
    assert {line.split()[1].split(".")[0] for line in imported} <= sys.stdlib_module_names


def test_proof_has_no_user_no_id_of_an_action_and_no_text_of_a_post() -> None:
    night, day = town(5), band(8)
    posting = ((night, night.user_of(Role.MAFIOSO), "mafia"), (day, day.people[0], "town"))
    for made, user, room in posting:
        made.act(user, kind="post", room=room, text="the sheriff is Xanadu")
        made.void("enough")
        text = json.dumps(logged(made.row))
        assert '"posted"' in text
        names = [person.username for person in made.people]
        fields = [f'"{name}"' for name in ("asked", "action_id", "actor", "user")]
        for hidden in ("Xanadu", *names, *fields):
            assert hidden not in text


def test_proof_two_worlds_differ_only_in_what_is_public() -> None:
    """Two matches of other users, played alike, differ in ids, seeds and instants alone."""
    bodies = []
    for name in ("ann", "zoe"):
        kit = DuelKit(new_user(name), new_user(name))
        kit.start()
        kit.win(kit.ann)
        proof = logged(kit.row)
        bodies.append({key: proof[key] for key in ("game", "options", "salts", "draws")})
        bodies[-1]["actions"] = [entry["action"] for entry in proof["entries"]]
    assert bodies[0] == bodies[1]


def answer(match: Match, user: User | None = None) -> int:
    client = browser()
    allowances.clear()
    if user is not None:
        client.force_login(user)
    status: int = client.get(reverse("match_proof", args=[match.public_id])).status_code
    return status


def test_proof_is_there_after_the_end_and_of_an_unlisted_match_only_for_its_players() -> None:
    kit, hidden = (DuelKit(new_user("ann"), new_user("bob"), listed=on) for on in (True, False))
    stranger = new_user("eve")
    for each in (kit, hidden):
        each.start()
        sequence(each.now)
        assert answer(each.match, each.ann) == 404
        each.win(each.ann)
        assert answer(each.match, each.ann) == 404
        sequence(each.now)
        assert answer(each.match, each.ann) == 200
    assert (answer(kit.match), answer(kit.match, stranger)) == (200, 200)
    assert (answer(hidden.match), answer(hidden.match, stranger)) == (404, 404)
    with pytest.raises(ValueError, match="secrets"):
        proof_of(Match(status="running", seed_commitment=kit.row.seed_commitment))


@pytest.mark.plain
def test_old_matches_are_replayed_and_compared_with_the_log() -> None:
    matches = [played(game, seed=7) for game in PLAYED]
    logged_days_ago(matches)
    assert check_old_matches() == []
    Match.objects.filter(pk=matches[0].pk).update(state="{}")
    change_entry(matches[1].pk, 1, at_ms=1)
    wrong = check_old_matches()
    assert any(f"match {matches[0].pk}" in text for text in wrong)
    assert f"match {matches[1].pk} is not what the public log says" in wrong
    # The audit after the test looks for the same.
    Match.objects.filter(pk=matches[0].pk).update(state=matches[0].state)


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


SALTS = ("a1" * 32, "b2" * 32)


def promise_all(kit: DuelKit | TableKit, *salts: str) -> None:
    """Make everybody ready with the hash of a salt."""
    for user, salt in zip(kit.people, salts or SALTS, strict=True):
        kit.act(user, kind="ready", configuration=1, salt_hash=hash_of_salt(salt))


def following(kit: DuelKit) -> DuelKit:
    """Return the next game at the table, for which both have promised their salts."""
    kit.act(kit.bob, kind="rematch", salt_hash=hash_of_salt(SALTS[1]))
    made = DuelKit.of(kit.row.successor, kit.ann, kit.bob, now=kit.now)
    made.act(kit.ann, kind="ready", configuration=1, salt_hash=hash_of_salt(SALTS[0]))
    return made


def reveal_all(kit: DuelKit | TableKit, *salts: str) -> None:
    for user, salt in zip(kit.people, salts or SALTS, strict=True):
        kit.act(user, kind="reveal", salt=salt)


@pytest.mark.both_databases
def test_salts_are_in_no_view_then_in_the_journal_and_the_game_replays_with_them() -> None:
    kit = TableKit(new_user("ann"), new_user("bob"))
    kit.seat_everybody()
    promise_all(kit)
    assert kit.view(kit.people[0])["you"]["salt_hash"] == hash_of_salt(SALTS[0])
    assert kit.view(kit.people[1])["you"]["may"].count("reveal") == 1
    kit.act(kit.people[0], kind="reveal", salt=SALTS[0])
    for viewer in (None, *kit.people):
        assert SALTS[0] not in canonical(kit.view(viewer))
    kit.act(kit.people[1], kind="reveal", salt=SALTS[1])
    kit.pass_time(5.0)
    assert kit.row.status == Match.Status.RUNNING
    state = kit.snapshot.state.play
    assert state.seed == salted(kit.row.seed, list(enumerate(SALTS)))
    kit.play_to_the_end()
    assert replay_match(kit.row).is_same
    texts = "".join(Entry.objects.filter(match=kit.row).values_list("facts", flat=True))
    assert '"kind":"salts_frozen"' in texts


@pytest.mark.both_databases
def test_salts_are_asked_for_once_the_opening_is_in_the_public_log(settings) -> None:
    settings.DEAL_AFTER_LOG = True
    kit = DuelKit(new_user("ann"), new_user("bob"))
    kit.seat_everybody()
    promise_all(kit)
    for _ in range(2):
        assert "reveal" not in kit.view(kit.ann)["you"]["may"]
        with pytest.raises(NotInPhase, match="wait for the public log"):
            kit.act(kit.ann, kind="reveal", salt=SALTS[0])
        kit.pass_time(1.0)
    sequence(kit.now)
    kit.pass_time(1.0)
    assert "reveal" in kit.view(kit.ann)["you"]["may"]
    reveal_all(kit)
    assert kit.row.status == Match.Status.RUNNING
    kit.win(kit.ann)
    assert replay_match(kit.row).is_same
    # The next game at the table asks as soon as its own opening is there.
    after = following(kit)
    assert "reveal" not in after.view(kit.ann)["you"]["may"]
    sequence(after.now)
    after.pass_time(1.0)
    reveal_all(after)
    assert after.row.status == Match.Status.RUNNING


def test_salts_that_do_not_come_make_unready_and_nobody_pays() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"))
    kit.seat_everybody()
    promise_all(kit)
    kit.act(kit.ann, kind="reveal", salt=SALTS[0])
    kit.pass_time(10.0)
    assert kit.row.status == Match.Status.OPEN
    assert [seat["ready"] for seat in kit.view()["seats"]] == [True, False]
    assert "salt_missing" in kit.kinds
    promise_all(kit, *SALTS[::-1])
    reveal_all(kit, *SALTS[::-1])
    assert kit.row.status == Match.Status.RUNNING
    kit.win(kit.ann)
    for _ in range(2):
        sequence(kit.now)
    closed = LogLeaf.objects.get(commitment=kit.row.seed_commitment, kind="closed")
    assert (closed.aborted, '"aborted":2,' in closed.text) == (2, True)
    assert counts_of(closed.day)["aborted"] == 2
    # Those of a rematch come with the call and with readiness.
    after = following(kit)
    reveal_all(after)
    assert after.row.status == Match.Status.RUNNING
    assert after.snapshot.state.salts == tuple(enumerate(SALTS))
    after.win(kit.ann)
    assert replay_match(after.row).is_same


def test_salts_of_a_contest_come_with_readiness_after_the_commitment() -> None:
    kit = ContestKit(3, wanted=3)
    promised = kit.row.pledge.seed_commitment
    salts = [f"{no}f" * 32 for no in range(3)]
    for user, salt in zip(kit.people, salts, strict=True):
        kit.do("make_ready", user, salt=salt)
    match = kit.game.row
    assert match.seed_commitment == promised
    assert kit.game.snapshot.state.salts == tuple(enumerate(salts))
    assert replay_match(match).is_same
    kit.row.refresh_from_db()
    assert kit.row.pledge.seed_commitment != promised
    assert not kit.row.parties.exclude(salt="").exists()


@pytest.mark.plain
def test_salts_of_a_contest_that_are_none_or_nonsense_count_as_none() -> None:
    kit = ContestKit(3, wanted=3)
    kit.do("make_ready", kit.people[0], salt="nonsense")
    kit.do("make_ready", kit.people[1], salt="ab" * 32)
    kit.do("make_unready", kit.people[1])
    kit.ready()
    assert kit.game.snapshot.state.salts == ()


def test_salts_of_a_contest_that_come_before_its_seed_is_in_the_log_count_as_none(settings) -> None:
    settings.DEAL_AFTER_LOG = True
    kit = ContestKit(3, wanted=3)
    kit.do("make_ready", kit.people[0], salt="1f" * 32)
    sequence(kit.now)
    for no in (1, 2):
        kit.do("make_ready", kit.people[no], salt=f"{no}f" * 32)
    assert kit.game.snapshot.state.salts == ((1, "1f" * 32), (2, "2f" * 32))


@pytest.mark.plain
def test_a_pledge_is_dropped_with_its_contest_and_the_log_says_so() -> None:
    kit = ContestKit(3, is_master=True)
    pledged = Pledge.objects.get(contest=kit.row)
    kit.do("close", kit.founder)
    sequence(kit.now)
    sequence(kit.now)
    leaf = LogLeaf.objects.get(commitment=pledged.seed_commitment, outcome="dropped")
    assert '"outcome":"dropped"' in leaf.text
