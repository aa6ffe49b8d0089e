"""Proofs of finished matches: ``verify.py`` accepts each, and refuses each change."""

import copy
import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.api.operations import allowances
from games.engine.draws import hash_of_salt
from games.mafia.agora.rules.roles import Role
from games.matches.models import Match
from games.matches.queries.commitments import lines_of_day
from games.matches.queries.proofs import proof_of
from games.matches.services.commitments import sequence
from games.matches.services.replays import check_old_matches
from tests.forms import form
from tests.games.duel.kit import DuelKit
from tests.games.mafia.agora.kit import everybody_else_acts, town
from tests.games.mafia.dynamite.kit import band
from tests.games.matches.proof_games import PLAYED, logged, logged_days_ago, played
from tests.games.matches.tamperings import tampered
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


def test_proof_holds_for_void_matches_and_says_who_added_no_salt() -> None:
    kit = running_table()
    kit.call_all()
    kit.void("the power has failed")
    closed = TableKit(new_user("cleo"))
    closed.void("nobody came")
    for each in (kit, closed):
        assert holds(logged(each.row))
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
