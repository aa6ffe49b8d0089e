import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.duel.rules.engine import Duel
from tests.games.engine.small_game import SmallGame
from tools.referee.pipe import Referee, answer_lines
from tools.referee.trials import Finished, play_many

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


def test_referee_plays_seats_with_purses_of_their_own_and_tells_whom_a_fact_concerns() -> None:
    seats = [{"no": 3, "purse": 7}, {"no": 1}]
    shown = ask(referee({"setup": {"seats": seats, "seed": "x"}}), {"view": 3})["view"]
    assert [(s["no"], s["purse"]) for s in shown["seats"]] == [(1, 100), (3, 7)]
    assert shown["you"]["seat"] == 3
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
    for request in ({"void": True}, {"deadline": True}):
        assert code(judge, request) == "action/not_in_phase"
    for request in ({"deadline": True}, {"legal": 0}, {"view": None}, {"void": True}):
        assert code(referee(), request) == "action/not_in_phase", "it wants a game first"


def _act(action: str) -> str:
    return f'{{"seat": 0, "action": {action}}}'


def _seat(seat: str, more: str = "") -> str:
    return f'{{"seat": {seat}, "action": {{"kind": "pass"}}{more}}}'


def _setup(more: str, seed: str = ', "seed": "x"') -> str:
    return f'{{"setup": {{"seats": {more}{seed}}}}}'


BAD = [
    *((b"\xff\xfe", "bad_json"), ("{", "bad_json"), ("[" * 100_000, "bad_json")),
    *(('{"at": NaN}', "bad_json"), (_act('{"kind": "pass", "\\ud800": 1}'), "bad_json")),
    (b'{"seat": 0, "action": {"kind": "\xff"}}', "bad_json"),
    *((text, "bad_envelope") for text in ("9" * 5000, "1", "[]", "{}", '{"sit": 1}')),
    *(('{"seat": 0}', "action"), (_act("[]"), "action"), (_act('"pass"'), "action")),
    *((_seat("-1"), "seat"), (_seat("true"), "seat"), (_seat("9"), "action/not_seated")),
    (_seat("0", ', "ts": 1'), "bad_field"),
    *(
        (_seat("0", f', "at": {at}'), "at")
        for at in ('"yesterday"', '"2026-11-21T12:00:00"', "1e400", "-1")
    ),
    *((_act("{}"), "kind"), (_act('{"kind": "jump"}'), "kind")),
    *((_act('{"kind": "pass", "note": 1}'), "note"), (_act('{"kind": "name"}'), "number")),
    (_act('{"kind": "name", "number": 10}'), "number"),
    (_act('{"kind": "name", "number": 1, "note": "\\u0000"}'), "bad_field"),
    *(('{"deadline": 1}', "bad_field"), ('{"void": "false"}', "bad_field")),
    *(('{"view": "0"}', "bad_field"), ('{"legal": null}', "bad_field")),
    *(('{"postpone": null}', "postpone"), ('{"postpone": "noon"}', "postpone")),
    *(('{"state": 1}', "state"), ('{"state": false}', "state")),
    *(
        ('{"setup": []}', "bad_field"),
        (_setup("2", ""), "seed"),
        (_setup("2", ', "seed": 7'), "seed"),
    ),
    *((_setup(str(count)), "seats") for count in (1, 5, 10**12)),
    *((_setup("[1]"), "bad_field"), (_setup('[{"no": 0}, {"no": 0}]'), "bad_field")),
    (_setup('[{"no": 0, "purse": 0}, {"no": 1}]'), "bad_field"),
    *((_setup('[{"no": 0, "purse": "1"}]'), "purse"), (_setup('[{"purse": 1}]'), "no")),
    *((_setup('2, "at": []'), "at"), (_setup('2, "options": {"ante": 0}'), "action/bad_option")),
]


@pytest.mark.parametrize(("line", "expected"), BAD)
def test_referee_answers_bad_input_with_a_code_and_changes_nothing(line: Any, expected: str):
    judge = referee(SETUP)
    before = ask(judge, {"state": True})
    error = judge.answer(line)["error"]
    assert expected in (error["code"], error["detail"].get("field"))
    assert error["code"] in (expected, "bad_field")
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
        for name in (
            *("Options", "State", "Action", "Fact", "setup", "apply", "view"),
            *("on_deadline", "deadline", "legal_actions"),
        ):
            setattr(self, name, getattr(small, name))


def test_referee_plays_a_game_without_the_rules_of_seats() -> None:
    """It is never over, and nobody brings points that it did not ask for."""
    judge = Referee(Echo())
    seats = [{"no": 3, "purse": 7}, {"no": 1, "purse": 7}]
    begun = ask(judge, {"setup": {"seats": seats, "seed": "x"}})
    assert (begun["over"], begun["outcome"]) == (False, None)
    assert list(begun["views"]) == ["3", "1", "spectator"]
    for request in ({"void": True}, {"postpone": 9}):
        assert code(judge, request) == "action/not_in_phase"
    assert ask(judge, {"deadline": True})["over"] is False
    for count in (2, 1001):
        assert code(judge, {"setup": {"seats": count, "seed": "x"}}) == "bad_field"


names = st.sampled_from(
    ["setup", "seat", "action", "at", "kind", "seats", "seed", "view", "deadline", "no"]
)
json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(names | st.text(max_size=3), inner, max_size=4)
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
    def broken(seed: str) -> Finished:
        if seed.endswith("/1"):
            raise ValueError("a rule is broken")
        return Finished(3, 1, "target", ["points are lost"])

    summary = play_many("small", broken, 2, "s")
    assert (summary["game"], summary["ended"]) == ("small", 1)
    assert summary["violations"] == ["s/0: points are lost", "s/1: ValueError: a rule is broken"]
