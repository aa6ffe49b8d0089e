import json
from typing import Any, get_args

import msgspec
import pytest

from games.duel.rules.engine import Duel
from games.engine import errors
from games.engine.facts import Instant, SeatNo
from games.engine.structs import Kinded, kind_of
from games.engine.table import OVER, RUNNING, actions
from tests.games.engine.small_game import Leave, Name, Pass, SmallGame
from tests.games.engine.test_table import DUEL, NOON, TABLE, A, B, after, opened, running, sat
from tests.refusals import refuses

ASKED: list[tuple[dict[str, Any], Kinded]] = [
    ({"kind": "sit", "seat": 1, "purse": 5}, actions.Sit(1, 5)),
    *(({"kind": "sit", "seat": 1}, actions.Sit(1)), ({"kind": "sit"}, actions.Sit())),
    *(({"kind": "bring", "purse": 9}, actions.Bring(9)), ({"kind": "stand"}, actions.Stand())),
    *(({"kind": "leave"}, actions.Leave()), ({"kind": "unready"}, actions.Unready())),
    ({"kind": "ready", "configuration": 3}, actions.Ready(3)),
    ({"kind": "remove_bot", "seat": 2}, actions.RemoveBot(2)),
    ({"kind": "rematch"}, actions.Rematch()),
    ({"kind": "configure", "ante": 3, "seats": 2}, actions.Configure({"ante": 3, "seats": 2})),
    ({"kind": "configure"}, actions.Configure({})),
    *(({"kind": "name", "number": 3, "note": ""}, Name(3)), ({"kind": "pass"}, Pass())),
]


@pytest.mark.plain
@pytest.mark.parametrize(("raw", "action"), ASKED)
def test_table_an_action_is_read_from_maps_and_from_text(raw, action):
    text = json.dumps(raw)
    for given in (raw, text, text.encode(), msgspec.Raw(text.encode())):
        assert TABLE.read_action(given) == action


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({}, "kind"),
        ({"kind": None}, "kind"),
        ({"kind": ["sit"]}, "kind"),
        ({"kind": "start", "seed": "x"}, "kind"),
        ({"kind": "deadline"}, "kind"),
        ({"kind": "throw", "hand": "rock"}, "kind"),
        ({"kind": "take_over"}, "seat"),
        ({"kind": "__class__"}, "kind"),
        ({"kind": "sit", "seat": "0"}, "seat"),
        ({"kind": "sit", "seat": None, "purse": 50}, "seat"),
        ({"kind": "sit", "seat": 2, "purse": True}, "purse"),
        ({"kind": "sit", "seat": 2, "purse": 50.0}, "purse"),
        ({"kind": "sit", "seat": 0, "purse": 2**53 + 1}, "purse"),
        ({"kind": "sit", "seat": 0, "user": 7}, "user"),
        ({"kind": "ready", "configuration": True}, "configuration"),
        ({"kind": "configure", "tax_bp": 1}, "tax_bp"),
        ({"kind": "configure", "not a name": 1}, ""),
        ({"kind": "name", "number": 10}, "number"),
        ({"kind": "name", "number": 1, "note": "a\n"}, "note"),
    ],
)
def test_table_a_malformed_action_names_its_field(raw: dict[str, Any], field: str) -> None:
    for given in (raw, json.dumps(raw)):
        with pytest.raises(errors.BadField) as refusal:
            TABLE.read_action(given)
        assert (refusal.value.code, refusal.value.detail) == ("bad_field", {"field": field})


@pytest.mark.plain
@pytest.mark.parametrize(
    "text",
    [
        *('{"kind":"sit","kind":"pass","seat":0}', '{"kind":"pass","kind":"sit","seat":0}'),
        *('{"kind":"stand"', "[]", "1", "", '{"kind":"stand"} {}', "[" * 100_000),
        *('{"kind":"configure","ante":1e400}', '{"kind":"name","number":1e400}'),
    ],
)
def test_table_a_text_that_says_two_things_or_none_is_refused(text: str) -> None:
    with pytest.raises(errors.BadField):
        TABLE.read_action(text)


def test_table_leave_in_a_game_asks_the_rules_to_let_the_seat_go() -> None:
    for rules in (SmallGame(), Duel()):
        kinds = {kind_of(action) for action in get_args(rules.Action)}
        assert kinds & actions.PERSON_KINDS == {"leave"}, "it has no other kind of the table's"
    state = running(2)
    over = TABLE.apply(state, A, {"kind": "leave"}, NOON)
    assert (over.state.stage, over.state.taken) == (OVER, state.taken)
    assert over.events == TABLE.rules.apply(state.play, A, Leave(), NOON).events
    with refuses("action/not_seated"):
        TABLE.apply(state, None, {"kind": "leave"}, NOON)
    with pytest.raises(errors.NotInPhase):
        TABLE.apply(over.state, A, {"kind": "leave"}, NOON)


HOUSE: list[dict[str, Any]] = [
    {"kind": "sit_bot", "seat": 1, "purse": 50},
    {"kind": "short", "seats": [[0, 7]]},
    {"kind": "free", "seats": [0], "reason": "gone"},
    {"kind": "stall", "due_at": 5},
    {"kind": "resume", "due_at": 5},
    {"kind": "postpone", "due_at": 5},
    {"kind": "bonus", "seats": [[0, 1]]},
    {"kind": "looked", "looks": [["an admin", 5, "a dispute"]]},
    {"kind": "void", "reason": "a broken chair"},
    {"kind": "deadline"},
]


@pytest.mark.plain
@pytest.mark.parametrize("raw", HOUSE, ids=[raw["kind"] for raw in HOUSE])
def test_table_a_house_action_is_typed(raw: dict[str, Any]) -> None:
    action = actions.HOUSE.made_of(raw)
    state = sat(0)
    later = Instant(NOON + 3_600_000)
    assert TABLE.apply_house(state, raw, later) == TABLE.apply_house(state, action, later)


def test_table_the_seed_of_a_start_is_not_printed() -> None:
    start = actions.Start("5ecret")
    assert "5ecret" not in repr(start) + repr(running(2)) + repr(running(2).play)
    for raw in ({"kind": "start"}, {"kind": "void", "reason": "r", "seed": "s"}):
        with pytest.raises(errors.BadField):
            TABLE.apply_house(opened(), raw, NOON)


def test_table_forty_sit_play_and_come_back_from_their_texts() -> None:
    state = running(40)
    assert state.stage == RUNNING
    assert TABLE.decode(*TABLE.encode(state)) == state
    for no in range(40):
        state = TABLE.apply(state, SeatNo(no), Name(no % 10), NOON).state
    assert TABLE.rules.pending_seats(state.play) == ()
    over = TABLE.on_deadline(state, Instant(NOON + 1_000)).state
    assert over.stage == OVER
    following = TABLE.open_next(over, SeatNo(39), TABLE.next_options(over), NOON)
    assert len(following.taken) == 40
    assert following.options.previous_winner == over.play.winner


def test_table_an_end_that_comes_early_in_secret_is_not_told_and_another_games_text_not_read():
    state = running(2)
    assert TABLE.shown_deadline(state) == TABLE.deadline(state) == NOON + 20_000
    state = after(state, *((seat, {"kind": "pass"}) for seat in (A, B)))
    assert (TABLE.deadline(state), TABLE.shown_deadline(state)) == (NOON + 1_000, NOON + 20_000)
    assert TABLE.shown_deadline(opened()) == TABLE.deadline(opened())
    state = running(2)
    table, play = TABLE.encode(state)
    with pytest.raises(ValueError, match="field"):
        DUEL.decode(table, "")
    with pytest.raises(ValueError, match="field"):
        TABLE.decode(table, play.replace('"winner":', '"champion":'))
    assert not state.differs_around_play(TABLE.apply(state, A, Name(1), NOON).state)
    assert opened().differs_around_play(sat(0))
