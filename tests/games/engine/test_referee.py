"""The referee: any game on a pipe, with any input."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.duel.rules.engine import Duel
from games.engine.referee import Referee, answer_lines
from games.testing import random_play
from tests.games.engine.small_game import SmallGame

SEED = "5eed" * 16
SETUP = {"setup": {"options": {"ante": 2}, "seats": 3, "seed": SEED, "at": "2026-11-21T12:00:00Z"}}


def referee(*requests: dict[str, Any]) -> Referee:
    judge = Referee(SmallGame())
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
    at = 1_795_262_405_000
    for seat in range(3):
        reply = ask(judge, {"seat": seat, "action": {"kind": "name", "number": seat}, "at": at})
    assert reply["due_at"] == "2026-11-21T12:00:06.000Z"
    assert reply["views"]["spectator"]["due_at"] == "2026-11-21T12:00:20.000Z"
    assert code(judge, {"deadline": True, "at": at}) == "action/too_early"
    late = {"deadline": True, "at": "2026-11-21T13:00:06.500+01:00"}
    assert ask(judge, late)["over"] is True
    judge = referee(SETUP, {"seat": 0, "action": {"kind": "pass"}})
    assert ask(judge, {"deadline": True})["over"] is True


def test_referee_plays_seats_with_purses_of_their_own() -> None:
    seats = [{"no": 3, "purse": 7}, {"no": 1}]
    judge = referee({"setup": {"seats": seats, "seed": "x"}})
    shown = ask(judge, {"view": 3})["view"]
    assert [(s["no"], s["purse"]) for s in shown["seats"]] == [(1, 100), (3, 7)]
    assert shown["you"]["seat"] == 3


def test_referee_tells_whom_a_fact_concerns() -> None:
    reply = ask(referee(SETUP), {"seat": 1, "action": {"kind": "name", "number": 4}})
    assert reply["events"] == [
        {"kind": "named", "data": {"seat": 1, "number": 4}, "audience": [1]},
        {"kind": "seat_done", "data": {"seat": 1}, "audience": None},
    ]


def test_referee_lists_legal_actions_that_it_then_accepts() -> None:
    judge = referee(SETUP)
    legal = ask(judge, {"legal": 0})["legal"]
    assert {"kind": "pass"} in legal
    for seat, action in enumerate((legal[0], legal[9], {"kind": "pass"})):
        assert action in ask(judge, {"legal": seat})["legal"]
        assert "error" not in ask(judge, {"seat": seat, "action": action})


def test_referee_voids_postpones_and_shows_the_state() -> None:
    judge = referee(SETUP, {"postpone": "2026-11-21T14:00:00Z"})
    assert SEED in ask(judge, {"state": True})["state"]
    reply = ask(judge, {"void": True})
    assert (reply["over"], reply["due_at"]) == (True, None)
    assert reply["outcome"]["0"] == {"result": "", "net": 0}
    assert code(judge, {"void": True}) == "action/not_in_phase"
    assert code(judge, {"deadline": True}) == "action/not_in_phase"


PASS = '"action": {"kind": "pass"}'
#: What comes in, and the code of the refusal, or the field that it names as bad.
BAD = [
    *((b"\xff\xfe", "bad_json"), ("{", "bad_json"), ("[" * 100_000, "bad_json")),
    ('{"at": NaN}', "bad_json"),
    ('{"seat": 0, "action": {"kind": "pass", "\\ud800": 1}}', "bad_json"),
    (b'{"seat": 0, "action": {"kind": "\xff"}}', "bad_json"),
    *((text, "bad_envelope") for text in ("9" * 5000, "1", "[]", "{}", '{"sit": 1}')),
    ('{"seat": 0}', "action"),
    (f'{{"seat": -1, {PASS}}}', "seat"),
    (f'{{"seat": true, {PASS}}}', "seat"),
    (f'{{"seat": 9, {PASS}}}', "action/not_seated"),
    (f'{{"seat": 0, {PASS}, "ts": 1}}', "bad_field"),
    (f'{{"seat": 0, {PASS}, "at": "yesterday"}}', "at"),
    (f'{{"seat": 0, {PASS}, "at": "2026-11-21T12:00:00"}}', "at"),
    (f'{{"seat": 0, {PASS}, "at": 1e400}}', "at"),
    (f'{{"seat": 0, {PASS}, "at": -1}}', "at"),
    ('{"seat": 0, "action": []}', "action"),
    ('{"seat": 0, "action": "pass"}', "action"),
    ('{"seat": 0, "action": {}}', "kind"),
    ('{"seat": 0, "action": {"kind": "jump"}}', "kind"),
    ('{"seat": 0, "action": {"kind": "pass", "note": 1}}', "note"),
    ('{"seat": 0, "action": {"kind": "name"}}', "number"),
    ('{"seat": 0, "action": {"kind": "name", "number": 10}}', "number"),
    ('{"seat": 0, "action": {"kind": "name", "number": 1, "note": "\\u0000"}}', "bad_field"),
    *(
        (f'{{"{key}": {value}}}', "bad_field")
        for key, value in (("deadline", 1), ("void", "false"))
    ),
    *(
        (f'{{"{key}": {value}}}', "bad_field")
        for key, value in (("view", '"0"'), ("legal", "null"))
    ),
    *((f'{{"postpone": {value}}}', "postpone") for value in ("null", '"noon"')),
    *((f'{{"state": {value}}}', "state") for value in ("1", "false")),
    ('{"setup": []}', "bad_field"),
    ('{"setup": {"seats": 2}}', "seed"),
    ('{"setup": {"seats": 2, "seed": 7}}', "seed"),
    *((f'{{"setup": {{"seats": {count}, "seed": "x"}}}}', "seats") for count in (1, 5, 10**12)),
    ('{"setup": {"seats": [1], "seed": "x"}}', "bad_field"),
    ('{"setup": {"seats": [{"no": 0}, {"no": 0}], "seed": "x"}}', "bad_field"),
    ('{"setup": {"seats": [{"no": 0, "purse": 0}, {"no": 1}], "seed": "x"}}', "bad_field"),
    ('{"setup": {"seats": [{"no": 0, "purse": "1"}], "seed": "x"}}', "purse"),
    ('{"setup": {"seats": [{"purse": 1}], "seed": "x"}}', "no"),
    ('{"setup": {"seats": 2, "seed": "x", "at": []}}', "at"),
    ('{"setup": {"options": {"ante": 0}, "seats": 2, "seed": "x"}}', "action/bad_option"),
]


@pytest.mark.parametrize(("line", "expected"), BAD)
def test_referee_answers_bad_input_with_a_code_and_changes_nothing(
    line: str | bytes, expected: str
) -> None:
    judge = referee(SETUP)
    before = ask(judge, {"state": True})
    error = judge.answer(line)["error"]
    assert expected in (error["code"], error["detail"].get("field"))
    assert error["code"] == expected or error["code"] == "bad_field"
    assert ask(judge, {"state": True}) == before


def test_referee_gives_seats_of_a_duel_the_stake() -> None:
    judge = Referee(Duel())
    assert ask(judge, DUEL)["over"] is False
    reply = ask(judge, {"seat": 1, "action": {"kind": "resign"}})
    assert reply["outcome"]["1"] == {"result": "lost", "net": -9}
    seats = [{"no": 0, "purse": 9}, {"no": 1, "purse": 8}]
    assert code(judge, {"setup": {**DUEL["setup"], "seats": seats}}) == "bad_field"


class Echo:
    """A game without end, outcome or points, whose seats come as they like."""

    version = 1

    def __init__(self) -> None:
        small = SmallGame()
        self.Options, self.State, self.Action, self.Fact = (
            *(small.Options, small.State),
            *(small.Action, small.Fact),
        )
        self.setup, self.apply, self.view = small.setup, small.apply, small.view
        self.on_deadline, self.deadline = small.on_deadline, small.deadline
        self.legal_actions = small.legal_actions


def test_referee_plays_a_game_without_the_rules_of_seats() -> None:
    """It is never over, and nobody brings points that it did not ask for."""
    judge = Referee(Echo())
    seats = [{"no": 3, "purse": 7}, {"no": 1, "purse": 7}]
    begun = ask(judge, {"setup": {"seats": seats, "seed": "x"}})
    assert (begun["over"], begun["outcome"]) == (False, None)
    assert list(begun["views"]) == ["3", "1", "spectator"]
    assert code(judge, {"void": True}) == "action/not_in_phase"
    assert code(judge, {"postpone": 9}) == "action/not_in_phase"
    assert ask(judge, {"deadline": True})["over"] is False
    assert code(judge, {"setup": {"seats": 2, "seed": "x"}}) == "bad_field"
    assert code(judge, {"setup": {"seats": 1001, "seed": "x"}}) == "bad_field"


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


@pytest.mark.parametrize(("rules", "setup"), [(SmallGame(), SETUP), (Duel(), DUEL)])
@settings(deadline=None)
@given(lines=st.lists(st.binary(max_size=30) | st.text(max_size=30) | json_like.map(json.dumps)))
def test_referee_never_dies(rules: Any, setup: dict[str, Any], lines: list[str | bytes]) -> None:
    answers = list(answer_lines(rules, [json.dumps(setup), *lines]))
    assert all(json.loads(answer) is not None for answer in answers)
    assert all("\n" not in answer for answer in answers)


def test_random_play_names_a_game_that_breaks() -> None:
    def broken(seed: str) -> random_play.Finished:
        if seed.endswith("/1"):
            raise ValueError("a rule is broken")
        return random_play.Finished(3, 1, "target", ["points are lost"])

    summary = random_play.play_many("small", broken, 2, "s")
    assert (summary["game"], summary["ended"]) == ("small", 1)
    assert summary["violations"] == ["s/0: points are lost", "s/1: ValueError: a rule is broken"]
