import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from economy import errors as ledger_errors
from economy.texts import UnfitText, clean_text
from games.api.errors import PROBLEMS
from games.engine import errors as rule_errors
from games.engine.input import DEEPEST_MAP, LARGEST_FRAME, Fault, Why, fault_of
from games.engine.structs import LARGEST, replace
from games.realtime import protocol
from games.realtime.protocol import CODES, Close
from tests.architecture.code import modules
from tests.architecture.test_refusals import rows
from tests.economy.kit import all_codes
from tests.forms import form
from tests.games.sample_views import game_view, start
from tests.games.struct_strategies import well_formed

DOCS = Path(__file__).parents[3] / "docs" / "reference" / "protocol.md"
ID = "8f3e-aaaa_BBBB"


def act(**changes: Any) -> dict[str, Any]:
    action = {"kind": "raise_by", "amount": 3}
    return {"id": ID, "type": "act", "phase": 7, "action": action, **changes}


def say(text: Any, room: Any = "table") -> dict[str, Any]:
    return {"id": ID, "type": "say", "room": room, "text": text}


def typed(text: str, **phase: int) -> dict[str, Any]:
    return {"id": ID, "type": "command", "text": text, **phase}


def refused(data: Any) -> protocol.MalformedFrame:
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    with pytest.raises(protocol.MalformedFrame) as refusal:
        protocol.parse(text)
    return refusal.value


READ = {
    "act": (act(), protocol.Act(ID, 7, {"kind": "raise_by", "amount": 3})),
    # A command is what was typed on one line.
    "command": (typed(" !atk\tr  bob\n"), protocol.Typed(ID, "!atk r bob")),
    "command of a phase": (typed("!lock", phase=9), protocol.Typed(ID, "!lock", 9)),
    "say": (say("Wéll played 👏"), protocol.Say(ID, "table", "Wéll played 👏")),
    # Inside of texts they do not count as depth.
    "brackets": (say('\\"[[[[[[[[[[{{{{{{{"'), protocol.Say(ID, "table", '\\"[[[[[[[[[[{{{{{{{"')),
    # Needs no id.
    "seen": ({"type": "seen", "revision": 0}, protocol.Seen(0)),
}


@pytest.mark.parametrize("name", READ)
def test_frame_is_read_by_its_type(name: str) -> None:
    frame, read = READ[name]
    assert protocol.parse(json.dumps(frame)) == read


def test_command_without_a_phase_is_for_that_of_the_view() -> None:
    assert protocol.Typed(ID, "!lock").phase_or(4) == 4
    assert protocol.Typed(ID, "!lock", 9).phase_or(4) == 9


def test_frame_may_be_as_long_and_as_deep_as_the_limit() -> None:
    nested: Any = "x"
    for _ in range(DEEPEST_MAP - 1):
        nested = [nested]
    text = json.dumps(act(action={"kind": "configure", "x": nested}))
    assert protocol.parse(text + " " * (LARGEST_FRAME - len(text)))
    refusal = refused(act(action={"kind": "configure", "x": [nested]}))
    assert (refusal.code, refusal.id, refusal.detail) == ("bad_field", ID, {"field": "action"})


def test_an_action_is_handed_on_as_it_came() -> None:
    action = {"kind": "x", "y": [{"z": None}, True, -LARGEST, "é"], "a": {}, "": LARGEST}
    frame = protocol.parse(json.dumps(act(action=action)))
    assert type(frame.action) is dict
    assert (frame.action, list(frame.action)) == (action, list(action))
    assert frame.action["y"][1] is True


@pytest.mark.parametrize(("name", "most"), [("say", 500), ("command", 200)])
def test_hostile_66_a_text_is_measured_before_it_is_read(name: str, most: int) -> None:
    frame = (say if name == "say" else typed)("x" * most)
    assert protocol.parse(json.dumps(frame))
    refusal = refused({**frame, "text": " " * (most + 1)})
    assert (refusal.code, refusal.id) == ("too_big", ID)


@pytest.mark.parametrize(
    ("missing", "code", "detail"),
    [
        *(("type", "bad_envelope", {}), ("id", "bad_envelope", {})),
        *((key, "bad_field", {"missing": key}) for key in ("phase", "action")),
    ],
)
def test_a_missing_key_is_named_but_in_the_envelope(missing, code, detail) -> None:
    refusal = refused({key: value for key, value in act().items() if key != missing})
    assert refusal.code == code
    assert detail.items() <= refusal.detail.items()


@pytest.mark.plain
@pytest.mark.parametrize(
    "bad", ["short", "x" * 65, "white space", "ünïcödé-", "semi;colon", 12345678, None]
)
def test_an_id_is_8_to_64_plain_characters(bad: Any) -> None:
    refusal = refused(act(id=bad))
    assert (refusal.code, refusal.id) == ("bad_field", None)


def test_an_action_has_a_kind_a_text_says_something_and_what_a_client_wrote_is_not_echoed() -> None:
    assert "img" not in protocol.error(refused(act(**{"<img onerror>": 1})))
    for action in (None, [], "fold", {}, {"kind": 5}, {"kind": None}):
        assert refused(act(action=action)).code == "bad_field"
    for text in ("", "  ", "\u202e\u200b", 5, None, ["a"]):
        assert refused(say(text)).code == "bad_field"


def test_hostile_37_rooms_are_the_servers() -> None:
    for room in ("kitchen", "", None, 1, ["table"]):
        assert refused(say("hello", room)).code == "bad_field"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "type", "phase", "action", "kind", "x"]), inner)
    ),
    max_leaves=12,
)
TYPES = st.sampled_from(["act", "say", "command", "seen"])
ALMOST = st.fixed_dictionaries(
    {"type": TYPES | VALUES, "id": st.just(ID) | VALUES},
    optional=dict.fromkeys(("phase", "action", "text", "room", "revision", "v"), VALUES),
)
GOOD = json.dumps(act())
#: A good frame with one piece cut or put in.
CUT = st.builds(
    lambda place, cut, text: GOOD[:place] + text + GOOD[place + cut :],
    *(st.integers(0, len(GOOD)), st.integers(0, 5), st.text(max_size=5)),
)


ANYTHING = st.text() | st.binary() | st.text(alphabet='{}[]",:\\ue10-.NaNtype')


@pytest.mark.parametrize(
    "frames", [ANYTHING, ALMOST.map(json.dumps), CUT], ids=["anything", "almost", "cut"]
)
@settings(max_examples=form(90, in_all=180, in_long=300), deadline=None)
@given(data=st.data())
def test_fuzz_nothing_but_a_named_refusal_comes_out(frames: Any, data: st.DataObject) -> None:
    try:
        frame = protocol.parse(data.draw(frames))
    except protocol.MalformedFrame as refusal:
        answer = json.loads(protocol.error(refusal))
        assert answer["code"] in CODES
    else:
        assert isinstance(frame, protocol.Act | protocol.Typed | protocol.Say | protocol.Seen)


@settings(max_examples=form(60, in_all=120, in_long=200), deadline=None)
@given(well_formed(protocol.Frame), st.text(max_size=9), st.sampled_from(sorted(protocol.ROOMS)))
def test_fuzz_what_the_types_allow_is_read(frame: protocol.Frame, kind: str, room: str) -> None:
    if isinstance(frame, protocol.Act):
        frame = replace(frame, action={**frame.action, "kind": kind})
    elif isinstance(frame, protocol.Say):
        frame = replace(frame, room=room)
    text = protocol.encode_view(frame).decode()
    assume("\\u0000" not in text and len(text.encode()) <= LARGEST_FRAME)
    if isinstance(frame, protocol.Say | protocol.Typed):
        try:
            cleaned = clean_text(frame.text)
        except UnfitText:
            cleaned = ""
        assume(cleaned)
        frame = replace(frame, text=cleaned)
    assert protocol.parse(text) == frame


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"type":"seen"}', Fault(Why.MISSING, "revision")),
        ('{"type":"seen","revision":1,"<b>":1}', Fault(Why.UNKNOWN)),
        ('{"type":"seen","revision":1,"phase":1}', Fault(Why.UNKNOWN)),
        ('{"type":"seen","revision":-1}', Fault(Why.WRONG, "revision")),
        ('{"type":"seen","revision":1e999}', Fault(Why.ENDLESS, "revision")),
        ('{"type":"seen","revision":%s}' % ("9" * 5000), Fault(Why.ENDLESS, "revision")),
        ('{"type":"say","text":"%s"}' % ("x" * 501), Fault(Why.TOO_LONG, "text", 500)),
        ('{"type":"act","id":"x"}', Fault(Why.WRONG, "id")),
        ('{"type":"<script>"}', Fault(Why.WRONG, "type")),
        ('{"type":"act","action":{"<b>":{"<i>":[1.5]}}}', Fault(Why.WRONG, "action")),
        ("[]", Fault(Why.WRONG)),
    ],
)
def test_what_msgspec_says_is_understood_and_names_no_word_of_a_clients(text, fault) -> None:
    with pytest.raises(msgspec.ValidationError) as problem:
        msgspec.json.decode(text, type=protocol.Frame)
    assert fault_of(problem.value) == fault


def test_view_is_spliced_in_as_it_is() -> None:
    view = protocol.encode_view({"title": 'Back "Room" é', "seats": [1]})
    frame = protocol.view_frame(12, "2026-11-21T13:49:10.123Z", view)
    assert view.decode() in frame
    head = {"type": "view", "revision": 12, "now": "2026-11-21T13:49:10.123Z"}
    assert json.loads(frame) == {**head, "view": {"title": 'Back "Room" é', "seats": [1]}}


def test_ack_reply_said_and_now() -> None:
    assert json.loads(protocol.ack(ID)) == {"type": "ack", "id": ID, "repeated": False}
    assert json.loads(protocol.ack(ID, repeated=True))["repeated"] is True
    reply = json.loads(protocol.reply(ID, "You fold."))
    assert reply == {"type": "reply", "id": ID, "text": "You fold."}
    post = {"room": "table", "no": 3, "name": "bob", "seat": None, "text": "hi", "at": "…Z"}
    assert json.loads(protocol.said(post)) == {"type": "said", **post}
    assert json.loads(protocol.now_frame("…Z")) == {"type": "now", "now": "…Z"}


@pytest.mark.parametrize(
    "problem",
    [
        rule_errors.refusal("action/raise_too_small", "raise by 2 or more", least=2),
        ledger_errors.InsufficientPoints("3 points are missing", least=2),
        protocol.MalformedFrame("bad_field", "no", ID, least=2),
    ],
)
def test_error_takes_any_named_refusal(problem: Any) -> None:
    frame = json.loads(protocol.error(problem, ID))
    told = {"code": problem.code, "message": str(problem), "detail": {"least": 2}}
    assert frame == {"type": "error", "id": ID, **told}


def test_error_finds_the_id_of_a_malformed_frame_and_says_when_to_retry() -> None:
    assert json.loads(protocol.error(protocol.MalformedFrame("bad_type", "no", ID)))["id"] == ID
    assert json.loads(protocol.error(protocol.MalformedFrame("bad_json", "no")))["id"] is None
    busy = json.loads(protocol.refusal("busy", ID, retry_ms=250))
    assert (busy["code"], busy["retry_ms"], busy["message"]) == ("busy", 250, CODES["busy"])
    with pytest.raises(KeyError):
        protocol.refusal("action/out")


def written_codes() -> set[str]:
    pattern = re.compile(r'^    code(?:: ClassVar\[str\])? = "([a-z_/]+)"', re.MULTILINE)
    tops = [DOCS.parents[2] / top for top in ("games", "economy", "accounts")]
    files = [path.read_text() for top in tops for path in top.rglob("*.py")]
    named = {code for text in files for code in pattern.findall(text)}
    tables = (rows(path, "REFUSALS") for path in modules("games", "economy", "accounts"))
    return named.union(PROBLEMS, *tables)


def test_docs_name_every_code_and_type_and_no_other() -> None:
    assert {error.code for error in rule_errors.IllegalAction.__subclasses__()} <= written_codes()
    assert set(all_codes()) <= written_codes()
    page = (DOCS.parent / "errors.md").read_text()
    documented = set(re.findall(r"^\| `([a-z_/]+)` \|", page, re.MULTILINE))
    assert set(CODES) | written_codes() == documented
    assert not [code for code in Close if f"| {code.value} |" not in DOCS.read_text()]
    frames = (DOCS.parent / "frames.md").read_text()
    assert not [name for name in protocol.FRAMES if f"\n| `{name}` | `" not in frames]


def test_docs_name_every_key_of_a_game_view() -> None:
    page = (DOCS.parent / "views.md").read_text()
    showdown = page[page.index("## Showdown") : page.index("## Duel")]
    game = game_view(start(2).state, 0)["game"]
    keys = {*game, *game["you"], *game["seats"][0], *game["bet"]} - {"you"}
    assert not [key for key in keys if f"| `{key}` |" not in showdown]
