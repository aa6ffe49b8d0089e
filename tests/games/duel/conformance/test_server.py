"""Duties of a server of the interface towards its programs, case by case.

Every docstring is a rule in prose; ``pytest --collect-only -q`` on this file names them all.
The suite runs against a site of our own, or against CONFORMANCE_URL with CONFORMANCE_TOKENS.

Source: docs/reference/json-rpc.md; docs/rules/duel.md.
"""

import asyncio
import json
from typing import Any

import pytest

from tests.forms import form
from tests.games.duel.conformance.program import Program, Refused
from tests.games.duel.conformance.server import Duel, Server

pytestmark = [pytest.mark.processes]

#: Calls that change something, as a player would make them.
MOVES: list[tuple[str, list[Any]]] = [
    ("choose_hand", ["rock"]),
    ("no_ties", [1]),
    ("best_of", [3]),
    ("stand", []),
    ("ready", []),
    ("unready", []),
    ("suspend_game", []),
    ("resume_game", []),
    ("resign", []),
    ("clock_seconds", [60]),
    ("stake", [1]),
    ("withdraw_suspend", []),
    ("withdraw_resume", []),
    ("rematch", []),
]


def since(one: Program) -> list[tuple[Any, ...]]:
    """Return what was said after the last state that was sent."""
    last = max(n for n, word in enumerate(one.words) if word[0] == "state_sent")
    return one.words[last + 1 :]


async def refusal(one: Program, method: str, *params: Any) -> tuple[int, str | None]:
    """Return the code and the token with which a call is refused."""
    with pytest.raises(Refused) as problem:
        await one.call(method, *params)
    return problem.value.code, problem.value.token


# Seats --------------------------------------------------------------------------------------


async def test_state_first(duel):
    """A program that connects gets the whole state first, in one message, and then every fact."""
    room = await duel(best_of=3)
    one = await room.enter(0)
    assert one.words[0] == ("receive_state", "setup")
    assert one.words[-1] == ("state_sent",)
    assert ("best_of", None, 3) in one.words
    assert len(one.messages) == 1


async def test_sitting_is_told_to_everybody(duel):
    """All programs learn who sits down, with the name, by a fact of the table."""
    room = await duel()
    ann, eve = await room.enter(0), await room.enter(None)
    assert await ann.call("sit") == {"repeated": False, "seat_id": 0}
    word = await eve.until("player_sat")
    assert word == await ann.until("player_sat")
    assert word[1] == 0
    assert word[2]
    await ann.call("stand")
    assert await eve.until("player_stood") == ("player_stood", 0)


async def test_one_user_one_seat(duel):
    """The same user cannot sit on both seats, not even with two programs."""
    room = await duel()
    ann, again = await room.enter(0), await room.enter(0)
    await ann.call("sit", 0)
    assert await refusal(again, "sit", 1) == (1000, "action/already_seated")


async def test_sitting_where_one_sits(duel):
    """Sitting down where one sits already is no error and is told to nobody."""
    room = await duel()
    ann, eve = await room.enter(0), await room.enter(None)
    await ann.call("sit", 1)
    assert await ann.call("sit", 1) == {"repeated": False, "seat_id": 1}
    assert (await ann.call("sit"))["seat_id"] == 1
    await ann.call("stand")
    await eve.until("player_stood")
    assert [word[0] for word in since(eve)] == ["player_sat", "player_stood"]


async def test_a_taken_seat(duel):
    """A seat on which another sits is refused."""
    room = await duel()
    ann, bob = await room.enter(0), await room.enter(1)
    await ann.call("sit", 1)
    assert await refusal(bob, "sit", 1) == (1000, "action/seat_taken")
    assert (await bob.call("sit"))["seat_id"] == 0


async def test_two_who_sit_down_at_once_get_a_seat_each(duel):
    """The first free seat is found when the call is judged, not when it is sent."""
    for _ in range(4):
        room = await duel()
        ann, bob = await room.enter(0), await room.enter(1, second=True)
        seats = await asyncio.gather(ann.call("sit"), bob.call("sit"))
        assert sorted(each["seat_id"] for each in seats) == [0, 1]


async def test_observers_do_not_move(duel):
    """A program without a seat may not call methods of players."""
    room = await duel()
    bob = await room.enter(1)
    for method, params in MOVES:
        code, token = await refusal(bob, method, *params)
        assert code == 1000, method
        assert token in ("action/not_seated", "action/not_in_phase"), method
    assert since(bob) == []


async def test_guests_do_not_move(duel):
    """A program without a log-in may only watch."""
    room = await duel()
    eve = await room.enter(None)
    for method, params in [("sit", []), *MOVES]:
        assert await refusal(eve, method, *params) == (1003, "unauthenticated")


async def test_leaving_before_the_start(server, duel):
    """A seat whose programs are all gone for a minute before the start is free again."""
    if server.hand is None:
        pytest.skip("takes more than a minute of a server that is not ours")
    room = await duel()
    ann, bob = await room.seated()
    room.programs.remove(ann)
    await ann.line.close()
    # Again and again: while the server has not noticed, it writes down that Ann is there.
    while not bob.count("player_stood"):
        server.hand("leave_alone", public_id=room.public_id)
        await bob.is_silent_for(0.5)
    assert await bob.until("player_stood") == ("player_stood", 0)


async def test_leaving_after_the_start(server, duel):
    """Once the duel has begun, a seat is kept after its connection ends."""
    room = await duel()
    ann, bob = await room.started()
    room.programs.remove(ann)
    await ann.line.close()
    if server.hand is not None:
        server.hand("leave_alone", public_id=room.public_id)
        server.hand("sweep")
    await bob.call("send_state")
    assert bob.count("player_stood") == 0
    assert bob.words[-1] == ("state_sent",)
    back = await room.enter(0)
    assert await back.call("choose_hand", "rock") == {"repeated": False}


async def test_an_empty_table_closes(server, duel):
    """A table at which nobody sits down or gets ready for a quarter of an hour closes."""
    if server.hand is None:
        pytest.skip("takes a quarter of an hour of a server that is not ours")
    room = await duel()
    ann = await room.enter(0)
    server.hand("leave_quiet", public_id=room.public_id)
    assert (await ann.until("table_closed"))[0] == "table_closed"
    assert await refusal(ann, "sit") == (1000, "action/not_in_phase")
    assert (await room.enter(None)).words[0] == ("receive_state", "closed")


# Configuration ------------------------------------------------------------------------------


async def test_configuring_is_told(duel):
    """All programs learn who sets an option, with the new revision that ready takes."""
    room = await duel()
    ann, bob = await room.seated()
    await bob.call("no_ties", 1)
    await bob.call("best_of", 3)
    assert await ann.until("no_ties") == ("no_ties", 1, 1)
    assert await ann.until("configuration") == ("configuration", 2)
    assert await ann.until("best_of") == ("best_of", 1, 3)
    assert await ann.until("configuration") == ("configuration", 3)


async def test_configuring_makes_unready(duel):
    """A change of the configuration makes ready players unready."""
    room = await duel()
    ann, bob = await room.seated()
    await ann.call("ready")
    await bob.call("best_of", 5)
    assert await ann.until("player_unready") == ("player_unready", 0)


async def test_configuring_nothing(duel):
    """A change that changes nothing makes nobody unready and is told to nobody."""
    room = await duel(best_of=3)
    ann, bob = await room.seated()
    await ann.call("ready")
    assert await bob.call("best_of", 3) == {"repeated": False}
    assert await bob.call("no_ties", 0) == {"repeated": False}
    await bob.call("ready")
    await ann.until("start_game")
    words = [word[0] for word in since(ann)]
    assert "best_of" not in words
    assert "player_unready" not in words


async def test_ready_for_an_old_configuration(duel):
    """Ready with a revision that is not the present one is stale and changes nothing."""
    room = await duel()
    ann, bob = await room.seated()
    await bob.call("best_of", 3)
    await ann.until("configuration")
    for revision in (1, 3):
        assert await refusal(ann, "ready", revision) == (1001, "stale")
    assert await ann.call("ready", 2) == {"repeated": False}


@pytest.mark.parametrize("throws", [0, 2, 100, 101])
async def test_best_of_is_odd(duel, throws):
    """The length of a duel is an odd number of throws, at most 99."""
    room = await duel()
    ann, _ = await room.seated()
    assert await refusal(ann, "best_of", throws) == (1000, "action/bad_option")


async def test_configuring_after_the_start(duel):
    """Once the duel has begun its configuration stands."""
    room = await duel()
    ann, _ = await room.started()
    for method, params in (("best_of", 3), ("no_ties", 1), ("stake", 1), ("clock_seconds", 9)):
        assert await refusal(ann, method, params) == (1000, "action/not_in_phase")


# Throws -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "hand"),
    [
        ("rock", "rock"),
        ("R", "rock"),
        ("r", "rock"),
        ("paper plane", "paper"),
        ("P\u00e4per", "paper"),
        ("Schere \u2702\ufe0f", "scissors"),
        ("s\u77f3", "scissors"),
    ],
)
async def test_hands_by_their_first_letter(duel, said, hand):
    """A hand is known by its first letter, in either case; the rest is ignored."""
    room = await duel()
    ann, bob = await room.started()
    await ann.call("choose_hand", said)
    await bob.call("choose_hand", "r")
    assert await bob.until("player_chose_hand") == ("player_chose_hand", 0, hand)


@pytest.mark.parametrize("said", ["", " rock", "x", "1", "\u0440ock", "\uff32", "\U0001f44a"])
async def test_hands_that_are_none(duel, said):
    """Anything else is no hand: it is refused, and the hand may still be chosen."""
    room = await duel()
    ann, bob = await room.started()
    assert await refusal(ann, "choose_hand", said) == (1000, "action/bad_hand")
    await ann.call("choose_hand", "paper")
    await bob.call("choose_hand", "rock")
    assert await bob.until("end_game") == ("end_game", [0], "wins")


async def test_a_second_hand(duel):
    """A hand that is in may not be changed."""
    room = await duel()
    ann, bob = await room.started()
    await ann.call("choose_hand", "rock")
    assert await refusal(ann, "choose_hand", "paper") == (1000, "action/already_thrown")
    await bob.call("choose_hand", "scissors")
    assert await bob.until("player_chose_hand") == ("player_chose_hand", 0, "rock")


async def test_hands_are_shown_together(duel):
    """Both hands are shown in one message, to the seats and to observers, and nothing before."""
    room = await duel()
    ann, bob = await room.started()
    eve = await room.enter(None)
    await ann.call("choose_hand", "scissors")
    for one in (bob, eve):
        assert await one.until("hand_in") == ("hand_in", 0)
        await one.settle()
        assert "scissors" not in "".join(one.texts)
    await bob.call("choose_hand", "paper")
    for one in (ann, bob, eve):
        await one.until("end_game")
        shown = [
            [(each["method"], *each["params"]) for each in message if each.get("params")]
            for message in one.messages
            if any(each.get("method") == "player_chose_hand" for each in message)
        ]
        assert len(shown) == 1
        hands = [word for word in shown[0] if word[0] == "player_chose_hand"]
        assert hands == [
            ("player_chose_hand", 0, "scissors"),
            ("player_chose_hand", 1, "paper"),
        ]


async def test_matched_throws_that_count(duel):
    """With no_ties 0 a matched throw is a win for both, which can end in a draw."""
    room = await duel(no_ties=0, best_of=1)
    ann, bob = await room.started()
    await ann.call("choose_hand", "r")
    await bob.call("choose_hand", "r")
    assert await ann.until("throw_ended") == ("throw_ended", 1, [0, 1], True)
    assert await ann.until("end_game") == ("end_game", [], "draw")


async def test_matched_throws_that_do_not_count(duel):
    """With no_ties 1 a matched throw does not count, and both throw again."""
    room = await duel(no_ties=1, best_of=1)
    ann, bob = await room.started()
    await ann.call("choose_hand", "p")
    await bob.call("choose_hand", "p")
    assert await ann.until("throw_ended") == ("throw_ended", 1, [], False)
    assert await ann.until("throw_started") == ("throw_started", 2)
    await ann.call("choose_hand", "p")
    await bob.until(lambda word: word == ("throw_started", 2))
    await bob.call("choose_hand", "s")
    assert await ann.until("end_game") == ("end_game", [1], "wins")


async def test_more_than_half(duel):
    """The duel ends when a player has more wins than half of best_of."""
    room = await duel(best_of=3)
    ann, bob = await room.started()
    for number in (1, 2):
        await ann.call("choose_hand", "rock")
        await bob.call("choose_hand", "scissors")
        assert await ann.until("score") == ("score", number, 0)
        await bob.until("score")
    assert await ann.until("end_game") == ("end_game", [0], "wins")


async def test_out_of_turn(duel):
    """A call that does not go with where the duel is, is refused and changes nothing."""
    room = await duel()
    ann, bob = await room.seated()
    for method, params in (("choose_hand", ["r"]), ("resign", []), ("suspend_game", [])):
        assert await refusal(ann, method, *params) == (1000, "action/not_in_phase")
    for one in (ann, bob):
        await one.call("ready")
    await ann.until("throw_started")
    for method in ("stand", "unready", "rematch", "resume_game"):
        assert await refusal(ann, method) == (1000, "action/not_in_phase")


async def test_suspension(duel):
    """A duel is suspended when both ask, resumes when both are ready, and keeps a hand."""
    room = await duel()
    ann, bob = await room.started()
    await ann.call("choose_hand", "paper")
    await ann.call("suspend_game")
    assert await refusal(ann, "suspend_game") == (1000, "action/already_asked")
    await bob.until("suspension_asked")
    await bob.call("suspend_game")
    for one in (ann, bob):
        await one.until("suspend_game")
    assert await refusal(bob, "choose_hand", "rock") == (1000, "action/not_in_phase")
    await ann.call("resume_game")
    await bob.call("resume_game")
    for one in (ann, bob):
        await one.until("resume_game")
    await bob.call("choose_hand", "rock")
    assert await ann.until("end_game") == ("end_game", [0], "wins")


async def test_resigning(duel):
    """A player who resigns loses."""
    room = await duel(best_of=9)
    ann, bob = await room.started()
    await bob.call("resign")
    assert await ann.until("end_game") == ("end_game", [0], "resigned")


async def test_rematch(server, duel):
    """A rematch is another duel, with both on their seats; its name is told to both."""
    room = await duel()
    ann, bob = await room.started()
    await ann.call("resign")
    await bob.until("end_game")
    await bob.call("rematch")
    name = (await ann.until("rematch"))[2]
    assert (await bob.until("rematch"))[2] == name
    again = type(room)(server, name)
    first = await again.enter(0)
    assert [word[1] for word in first.words if word[0] == "player_sat"] == [0, 1]
    await first.call("ready")
    await first.until("throw_started")
    await again.end()


# State --------------------------------------------------------------------------------------


async def test_recovery(duel):
    """A state that is asked for is what one was told so far, and the own hand besides."""
    room = await duel(best_of=5, no_ties=1)
    ann, bob = await room.started()
    await ann.call("choose_hand", "r")
    await bob.call("choose_hand", "p")
    for one in (ann, bob):
        await one.until(lambda word: word == ("throw_started", 2))
    await ann.call("choose_hand", "s")
    assert await ann.call("send_state") is True
    assert await bob.call("send_state") is True
    mine, theirs = (state(one) for one in (ann, bob))
    assert ("your_hand", "scissors") in mine
    assert [word for word in mine if word[0] != "your_hand"] == theirs
    for word in (
        ("receive_state", "active"),
        ("best_of", None, 5),
        ("no_ties", None, 1),
        ("start_game",),
        ("player_chose_hand", 0, "rock"),
        ("player_chose_hand", 1, "paper"),
        ("throw_ended", 1, [1], True),
        ("score", 0, 1),
        ("throw_started", 2),
        ("hand_in", 0),
    ):
        assert word in theirs
    back = await room.enter(1)
    assert state(back) == theirs


def state(one: Program) -> list[tuple[Any, ...]]:
    """Return the last state that was sent, without the clock."""
    first = max(n for n, word in enumerate(one.words) if word[0] == "receive_state")
    last = max(n for n, word in enumerate(one.words) if word[0] == "state_sent")
    return [word for word in one.words[first:last] if word[0] != "clock"]


async def test_two_processes(server, duel):
    """Programs at different processes of a site are told the same, once and in order."""
    if server.second == server.url:
        pytest.skip("a single process is given")
    room = await duel(best_of=9, no_ties=1)
    ann, bob = await room.enter(0), await room.enter(1, second=True)
    await ann.call("sit", 0)
    await bob.until(lambda word: word[:2] == ("player_sat", 0))
    await bob.call("sit", 1)
    await ann.until(lambda word: word[:2] == ("player_sat", 1))
    for one in (ann, bob):
        await one.call("ready")
    for number, (first, second) in enumerate(("rs", "pp", "sr", "rs", "ps"), start=1):
        for one, hand in ((ann, first), (bob, second)):
            await one.until(lambda word, n=number: word == ("throw_started", n))
            await one.call("choose_hand", hand)
    await bob.call("resign")
    for one in (ann, bob):
        await one.until("end_game")
    heard = [[w for w in one.words if w[0] != "clock"] for one in (ann, bob)]
    first = next(n for n, word in enumerate(heard[0]) if word[0] == "player_ready")
    second = next(n for n, word in enumerate(heard[1]) if word[0] == "player_ready")
    assert heard[0][first:] == heard[1][second:]


# The envelope -------------------------------------------------------------------------------

CALL = '{"jsonrpc":"2.0","method":"server_time"}'
MALFORMED = [
    ("", -32700),
    ("{", -32700),
    ("nonsense", -32700),
    ('{"jsonrpc":"2.0","method":"server_time","params":[NaN],"id":1}', -32700),
    ("[" * 3000, -32700),
    ('{"jsonrpc":"2.0","method":"\\ud800","id":1}', -32700),
    ("[]", -32600),
    ("1", -32600),
    ('"text"', -32600),
    ("null", -32600),
    ("{}", -32600),
    ('{"jsonrpc":"1.0","method":"server_time","id":1}', -32600),
    ('{"method":"server_time","id":1}', -32600),
    ('{"jsonrpc":"2.0","method":5,"id":1}', -32600),
    ('{"jsonrpc":"2.0","method":"server_time","params":5,"id":1}', -32600),
    ('{"jsonrpc":"2.0","method":"server_time","id":[1]}', -32600),
    ('{"jsonrpc":"2.0","method":"server_time","id":"%s"}' % ("x" * 65), -32600),
    ("[" + ",".join([CALL] * 21) + "]", -32600),
    ('{"jsonrpc":"2.0","method":"no_such_method","id":1}', -32601),
    ('{"jsonrpc":"2.0","method":"__init__","id":1}', -32601),
    ('{"jsonrpc":"2.0","method":"list_duels","id":1}', -32601),
    ('{"jsonrpc":"2.0","method":"choose_hand","id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"choose_hand","params":["r","p"],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"choose_hand","params":[5],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"choose_hand","params":{"fist":"r"},"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"no_ties","params":[true],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"no_ties","params":[2],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"best_of","params":["3"],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"best_of","params":[3.0],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"best_of","params":[-1],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"sit","params":[2],"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"sit","params":{"user":2},"id":1}', -32602),
    ('{"jsonrpc":"2.0","method":"stand","params":[1],"id":1}', -32602),
]


async def test_malformed_calls(duel):
    """Each malformed call gets the standard's error; nothing changes and the socket stays open."""
    room = await duel()
    ann = await room.enter(0)
    for text, code in MALFORMED:
        answer = await ann.ask(text)
        assert answer["error"]["code"] == code, text
        assert isinstance(answer["error"]["message"], str)
        has_id = code in (-32601, -32602) or ('"id":1}' in text and code == -32600)
        assert answer["id"] == (1 if has_id else None), text
        await asyncio.sleep(0.02)
    assert since(ann) == []
    assert (await ann.call("sit"))["seat_id"] == 0


async def test_binary_messages(duel):
    """A binary message is not JSON."""
    room = await duel()
    ann = await room.enter(0)
    await ann.line.socket.send(b'{"jsonrpc":"2.0","method":"server_time","id":1}')
    assert (await ann.answer(None))["error"]["code"] == -32700


async def test_mixed_batches(duel):
    """A batch is answered element by element; an invalid element gets its own answer."""
    room = await duel()
    ann = await room.enter(0)
    answers = await ann.ask(
        json.dumps(
            [
                {"jsonrpc": "2.0", "method": "sit", "params": [1], "id": "a"},
                {"jsonrpc": "2.0", "method": "best_of", "params": [3]},
                7,
                {"jsonrpc": "2.0", "method": "nothing", "id": 2},
                {"jsonrpc": "2.0", "method": "nothing"},
                {"jsonrpc": "2.0", "method": "choose_hand", "params": ["r"], "id": 3.5},
                {"jsonrpc": "2.0", "method": "server_time", "id": None},
            ]
        )
    )
    by_id = {one["id"]: one for one in answers if one["id"] is not None}
    assert by_id["a"]["result"]["seat_id"] == 1
    assert by_id[2]["error"]["code"] == -32601
    assert by_id[3.5]["error"]["data"]["token"] == "action/not_in_phase"
    nulls = [one for one in answers if one["id"] is None]
    assert sorted("error" in one for one in nulls) == [False, True]
    assert len(answers) == 5
    assert await ann.until("best_of") == ("best_of", 1, 3)


async def test_a_batch_of_invalid_elements(duel):
    """Each invalid element of a batch is answered with Invalid Request and the id null."""
    room = await duel()
    ann = await room.enter(0)
    answers = await ann.ask("[1,2,3]")
    assert [(one["error"]["code"], one["id"]) for one in answers] == [(-32600, None)] * 3


async def test_notifications_are_carried_out_and_never_answered(duel):
    """A call without an id is carried out, and answered neither with a result nor an error."""
    room = await duel()
    ann = await room.enter(0)
    await ann.tell("sit", 1)
    assert (await ann.until("player_sat"))[1] == 1
    await ann.tell("sit", 0)
    await ann.tell("no_such_method")
    await ann.tell("choose_hand")
    await ann.line.send('[{"jsonrpc":"2.0","method":"best_of","params":[7]}]')
    await ann.until("configuration")
    await ann.settle()
    unasked = [each for message in ann.messages for each in message if "method" not in each]
    assert len(unasked) == 1, "only the last call had an id"


@pytest.mark.parametrize("number", [0, -1, 10**15, 1.5, "", "\u043a\u043b\u044e\u0447", None])
async def test_ids_are_echoed(duel, number):
    """An id comes back as it was: a text, a number or null."""
    room = await duel()
    ann = await room.enter(None)
    answer = await ann.ask(json.dumps({"jsonrpc": "2.0", "method": "server_time", "id": number}))
    assert answer["id"] == number
    assert "result" in answer


async def test_the_same_id_twice(duel):
    """Ids are only echoed: two calls with one id are two calls."""
    room = await duel()
    ann = await room.enter(0)
    one = {"jsonrpc": "2.0", "method": "sit", "params": [0], "id": 1}
    two = {"jsonrpc": "2.0", "method": "stand", "id": 1}
    answers = await ann.ask(json.dumps([one, two]))
    assert [answer["result"]["repeated"] for answer in answers] == [False, False]
    await ann.until("player_stood")


async def test_exactly_once(duel):
    """A call that carries an action_id is done once, however often it is sent."""
    room = await duel()
    ann, again = await room.enter(0), await room.enter(0)
    assert (await ann.call("sit", seat=1, action_id="conform-sit-1"))["repeated"] is False
    assert (await again.call("sit", seat=1, action_id="conform-sit-1"))["repeated"] is True
    with pytest.raises(Refused) as conflict:
        await again.call("sit", seat=0, action_id="conform-sit-1")
    assert (conflict.value.code, conflict.value.token) == (1002, "conflict")


async def test_discovery(server, duel):
    """The interface describes itself, and the description names what a player may call."""
    room = await duel()
    eve = await room.enter(None)
    document = await eve.call("rpc.discover")
    names = {method["name"] for method in document["methods"]}
    handbook = {
        *("choose_hand", "no_ties", "best_of", "sit", "stand", "ready", "unready"),
        *("suspend_game", "resume_game", "send_state"),
    }
    assert document["openrpc"].startswith("1.")
    assert handbook <= names
    if server.hand is not None:
        assert len(eve.texts[-1]) > 8192, "what goes out may be longer than what comes in"


# Who may call -------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["nonsense", "rrt_" + "x" * 43])
async def test_wrong_tokens(server: Server, duel, token):
    """A wrong token opens no socket, and over HTTP it is 401."""
    room = await duel()
    with pytest.raises(Exception, match="403"):
        await server.socket(room.public_id, token)
    status, _ = await server.post({"jsonrpc": "2.0", "method": "my_duels", "id": 1}, token)
    assert status == 401


async def test_tokens_need_no_origin(server: Server, duel):
    """A program says where it comes from or not; with a token it makes no difference."""
    room = await duel()
    line = await server.socket(room.public_id, server.tokens[0], Origin="https://evil.test")
    assert (await Program(line).begin()).words[0] == ("receive_state", "setup")
    await line.close()
    with pytest.raises(Exception, match="403"):
        await server.socket(room.public_id, None, Origin="https://evil.test", Cookie="sessionid=x")


async def test_unknown_duels(server: Server):
    """A duel that does not exist has no socket."""
    with pytest.raises(Exception, match="403"):
        await server.socket("no-such-duel", server.tokens[0])


async def test_messages_too_big(server: Server, duel):
    """A message of more than 8192 bytes ends the socket with 1009."""
    room = await duel()
    line = await server.socket(room.public_id, server.tokens[0])
    await line.send(" " * 8193)
    await Program(line).until_closed()
    assert line.code == 1009


# Many ---------------------------------------------------------------------------------------

#: Tables at once, and duels one after the other at each; 200 duels at once in the long form.
TABLES, DUELS = form((4, 5), in_long=(200, 1))


async def start(room: Duel) -> list[Program]:
    """Seat both programs, also where they sit already, and begin."""
    pair = [await room.enter(player) for player in (0, 1)]
    for seat, one in enumerate(pair):
        await one.call("sit", seat)
    for one in pair:
        await one.call("ready")
    return pair


async def play_through(room: Duel, pair: list[Program], number: int) -> int:
    """Play duels and rematches at one table; return how many were finished."""
    for finished in range(1, DUELS + 1):
        ends = await asyncio.gather(*(throw_until_the_end(one, number) for one in pair))
        assert ends[0] == ends[1]
        if finished < DUELS:
            await pair[0].call("rematch")
            name = (await pair[1].until("rematch"))[2]
        for one in pair:
            await one.line.close()
        if finished < DUELS:
            room = Duel(room.server, name)
            pair = await start(room)
    return finished


async def throw_until_the_end(one: Program, number: int) -> Any:
    """Throw at every start of a throw; return who won."""
    thrown = number
    while True:
        word = await one.until(lambda word: word[0] in ("throw_started", "end_game"))
        if word[0] == "end_game":
            return word[1:]
        thrown = thrown * 7 + hash(one) % 5
        await one.call("choose_hand", "rps"[thrown % 3])


@pytest.mark.slow
async def test_many_duels_at_once(server: Server):
    """Two programs play many duels at once, with rematches; each ends the same for both."""
    rooms = []
    for _ in range(TABLES):
        # Few tables of one user may wait for players; of those that run there may be many.
        room = Duel(server, await server.open_duel(best_of=3, no_ties=1, clock_seconds=300))
        rooms.append((room, await start(room)))
    plays = [play_through(*pair, number) for number, pair in enumerate(rooms)]
    assert sum(await asyncio.gather(*plays)) == TABLES * DUELS
