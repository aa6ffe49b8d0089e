"""The referee: any game on a pipe, whatever comes down it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import catalog
from games.kernel import random_play
from games.kernel.referee import Referee, answer_lines
from tests.games.showdown.rules.kit import SEED

SETUP = {"setup": {"options": {"ante": 2}, "seats": 3, "seed": SEED, "at": "2026-11-21T12:00:00Z"}}


def referee(*requests: dict[str, Any]) -> Referee:
    judge = Referee(catalog.get("showdown"))
    for request in requests:
        assert "error" not in judge.answer(json.dumps(request))
    return judge


def ask(judge: Referee, request: object) -> dict[str, Any]:
    return judge.answer(json.dumps(request))


def code(judge: Referee, line: object) -> str:
    reply = judge.answer(line if isinstance(line, (str, bytes)) else json.dumps(line))
    return str(reply["error"]["code"])


def test_referee_sets_a_game_up_and_tells_everybodys_view() -> None:
    reply = ask(referee(), SETUP)
    assert set(reply) == {"events", "views", "due_at", "over", "outcome"}
    assert list(reply["views"]) == ["0", "1", "2", "spectator"]
    assert (reply["over"], reply["outcome"]) == (False, None)
    assert reply["due_at"] == "2026-11-21T12:00:20.000Z"
    assert reply["events"][0]["kind"] == "game_started"
    assert reply["events"][0]["audience"] is None


def test_referee_takes_instants_as_text_or_milliseconds() -> None:
    judge = referee(SETUP)
    turn = ask(judge, {"view": None})["view"]["turn"]
    at = 1_795_262_405_000
    reply = ask(judge, {"seat": turn, "action": {"kind": "call"}, "at": at})
    assert reply["due_at"] == "2026-11-21T12:00:25.000Z"
    late = {"deadline": True, "at": "2026-11-21T13:00:25.500+01:00"}
    assert ask(judge, late)["due_at"] == "2026-11-21T12:00:45.500Z"
    assert code(judge, {"deadline": True, "at": at}) == "action/too_early"
    assert ask(judge, {"deadline": True})["over"] is True


def test_referee_plays_seats_with_purses_of_their_own() -> None:
    seats = [{"no": 3, "purse": 7}, {"no": 1}]
    judge = referee({"setup": {"seats": seats, "seed": "x"}})
    shown = ask(judge, {"view": 3})["view"]
    assert [(s["no"], s["purse"] + s["stake"]) for s in shown["seats"]] == [(1, 100), (3, 7)]
    assert shown["you"]["seat"] == 3


def test_referee_lists_legal_actions_that_it_then_accepts() -> None:
    judge = referee(SETUP)
    turn = ask(judge, {"view": None})["view"]["turn"]
    legal = ask(judge, {"legal": turn})["legal"]
    assert {"kind": "call"} in legal
    assert "error" not in ask(judge, {"seat": turn, "action": legal[0]})


def test_referee_voids_postpones_and_shows_the_state() -> None:
    judge = referee(SETUP, {"postpone": "2026-11-21T14:00:00Z"})
    assert SEED in ask(judge, {"state": True})["state"]
    reply = ask(judge, {"void": True})
    assert (reply["over"], reply["due_at"]) == (True, None)
    assert reply["outcome"]["0"]["net"] == 0
    assert code(judge, {"void": True}) == "action/not_in_phase"
    assert code(judge, {"deadline": True}) == "action/not_in_phase"


BAD = [
    (b"\xff\xfe", "bad_json"),
    ("{", "bad_json"),
    ("[" * 100_000, "bad_json"),
    ('{"at": NaN}', "bad_json"),
    ("9" * 5000, "bad_json"),
    ("1", "bad_envelope"),
    ("[]", "bad_envelope"),
    ("{}", "bad_envelope"),
    ('{"sit": 1}', "bad_envelope"),
    ('{"seat": 0}', "bad_field"),
    ('{"seat": true, "action": {"kind": "call"}}', "bad_field"),
    ('{"seat": 0, "action": {"kind": "call"}, "ts": 1}', "bad_field"),
    ('{"seat": 0, "action": {"kind": "call"}, "at": "yesterday"}', "bad_field"),
    ('{"seat": 0, "action": {"kind": "call"}, "at": "2026-11-21T12:00:00"}', "bad_field"),
    ('{"seat": 0, "action": {"kind": "call"}, "at": 1e400}', "bad_field"),
    ('{"seat": 0, "action": {"kind": "call", "\\ud800": 1}}', "bad_field"),
    ('{"seat": 9, "action": {"kind": "call"}}', "action/not_seated"),
    ('{"deadline": 1}', "bad_field"),
    ('{"void": false}', "bad_field"),
    ('{"view": "0"}', "bad_field"),
    ('{"legal": null}', "bad_field"),
    ('{"setup": []}', "bad_field"),
    ('{"setup": {"seats": 2}}', "bad_field"),
    ('{"setup": {"seats": 1, "seed": "x"}}', "bad_field"),
    ('{"setup": {"seats": 1000000000000, "seed": "x"}}', "bad_field"),
    ('{"setup": {"seats": [1], "seed": "x"}}', "bad_field"),
    ('{"setup": {"seats": [{"no": 0}, {"no": 0}], "seed": "x"}}', "bad_field"),
    ('{"setup": {"seats": [{"no": 0, "purse": 0}, {"no": 1}], "seed": "x"}}', "bad_field"),
    ('{"setup": {"options": {"ante": 0}, "seats": 2, "seed": "x"}}', "action/bad_option"),
]


@pytest.mark.parametrize(("line", "expected"), BAD)
def test_referee_answers_bad_input_with_a_code_and_changes_nothing(
    line: str | bytes, expected: str
) -> None:
    judge = referee(SETUP)
    before = ask(judge, {"state": True})
    assert code(judge, line) == expected
    assert ask(judge, {"state": True}) == before


def test_referee_gives_seats_of_a_duel_the_stake() -> None:
    judge = Referee(catalog.get("duel"))
    assert ask(judge, DUEL)["over"] is False
    reply = ask(judge, {"seat": 1, "action": {"kind": "resign"}})
    assert reply["outcome"]["1"] == {"won": False, "drawn": False, "net": -9}
    seats = [{"no": 0, "purse": 9}, {"no": 1, "purse": 8}]
    assert code(judge, {"setup": {**DUEL["setup"], "seats": seats}}) == "bad_field"


def test_referee_wants_a_game_first() -> None:
    for request in ({"deadline": True}, {"legal": 0}, {"view": None}, {"void": True}):
        assert code(referee(), request) == "action/not_in_phase"


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["setup", "seat", "action", "at", "kind", "seats", "seed", "view", "deadline", "no"]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


DUEL = {"setup": {"options": {"stake": 9}, "seats": 2, "seed": SEED}}


@pytest.mark.parametrize(("game", "setup"), [("showdown", SETUP), ("duel", DUEL)])
@settings(deadline=None)
@given(lines=st.lists(st.binary(max_size=30) | st.text(max_size=30) | json_like.map(json.dumps)))
def test_referee_never_dies(game: str, setup: dict[str, Any], lines: list[str | bytes]) -> None:
    answers = list(answer_lines(catalog.get(game), [json.dumps(setup), *lines]))
    assert all(json.loads(answer) is not None for answer in answers)
    assert all("\n" not in answer for answer in answers)


def test_every_registered_game_has_random_trials() -> None:
    assert set(random_play.TRIALS) == {rules.slug for rules in catalog.all()}
    with pytest.raises(KeyError):
        catalog.get("chess")


def test_random_play_names_a_game_that_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(seed: str) -> random_play.Finished:
        if seed.endswith("/1"):
            raise ValueError("a rule is broken")
        return random_play.Finished(3, 1, "target", ["points are lost"])

    monkeypatch.setitem(random_play.TRIALS, "showdown", broken)  # type: ignore[arg-type]
    summary = random_play.play_many("showdown", 2, "s")
    assert summary["ended"] == 1
    assert summary["violations"] == ["s/0: points are lost", "s/1: ValueError: a rule is broken"]
