import json
from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from bench.peers.sitters import BoardgameSitter, ColyseusSitter
from bench.sitter import Sitter, throw_in_duel
from bench.tally import Tally
from bench.wire import BINARY, CLOSE, PING, TEXT, decode, encode, handshake


def server_frame(payload: bytes, opcode: Opcode = Opcode.TEXT) -> bytes:
    return Frame(opcode, payload).serialize(mask=False)


@given(st.lists(st.binary(max_size=70_000), max_size=4), st.data())
def test_bench_frames_are_read_however_they_are_cut(payloads, data):
    stream = b"".join(server_frame(payload) for payload in payloads)
    cut = data.draw(st.integers(0, len(stream)))
    first, rest = decode(stream[:cut])
    second, rest = decode(rest + stream[cut:])
    assert [payload for _, payload in first + second] == payloads
    assert rest == b""


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_bench_frames_are_written_as_the_standard_says(size):
    """A server unmasks with the key that stands in the frame: zeros."""
    payload = b"x" * size
    frame = encode(payload)
    assert (frame[0], frame[1] & 0x80) == (0x81, 0x80)
    unmasked = bytes((frame[0], frame[1] & 0x7F)) + frame[2 : -size - 4 or -4] + payload
    assert decode(unmasked) == ([(TEXT, payload)], b"")


def test_bench_control_frames_are_told_apart():
    stream = server_frame(b"", Opcode.PING) + server_frame(b"\x0f\xa1", Opcode.CLOSE)
    assert decode(stream)[0] == [(PING, b""), (CLOSE, b"\x0f\xa1")]


@pytest.mark.parametrize("frame", [b"\x01\x01x", b"\xc1\x01x", b"\x81\x81\0\0\0\0x"])
def test_bench_fragments_extensions_and_masks_of_a_server_are_refused(frame):
    with pytest.raises(ValueError):
        decode(frame)


def test_bench_handshake_names_the_server_as_its_origin():
    request = handshake("127.0.0.1:8000", "/ws/lobby/", {"Cookie": "a=b"}).decode()
    first, *headers, last, end = request.split("\r\n")
    assert (first, last, end) == ("GET /ws/lobby/ HTTP/1.1", "", "")
    assert {"Origin: http://127.0.0.1:8000", "Cookie: a=b"} <= set(headers)


def duel_view(phase: int, hand: str | None = None) -> bytes:
    view = {
        "phase": phase,
        "match": {"status": "running", "options_revision": 1},
        "you": {"seat": 0, "may": []},
        "game": {"stage": "throwing", "you": {"hand": hand, "legal": [] if hand else ["throw"]}},
    }
    return json.dumps({"type": "view", "revision": phase, "now": "", "view": view}).encode()


def active(kind, *more):
    """Return a sitter, what it sends, and its tally."""
    tally, sent = Tally(), []
    tally.is_open = True
    sitter = kind(tally, *more)
    sitter.line = SimpleNamespace(send=lambda payload, opcode=TEXT: sent.append(payload))
    sitter.is_active = True
    return sitter, sent, tally


def test_bench_a_sitter_throws_once_a_phase_and_waits_for_its_ack():
    """One that is refused waits for another view."""
    sitter, sent, tally = active(Sitter, throw_in_duel)
    sitter.take(duel_view(1))
    sitter.take(duel_view(1))
    (frame,) = map(json.loads, sent)
    assert (frame["type"], frame["phase"], frame["action"]["kind"]) == ("act", 1, "throw")
    sitter.take(duel_view(2))
    assert len(sent) == 1
    sitter.take(json.dumps({"type": "ack", "id": frame["id"], "repeated": False}).encode())
    assert (tally.done, len(sent)) == (1, 2)
    refusal = {"type": "error", "id": json.loads(sent[1])["id"], "code": "stale"}
    sitter.take(json.dumps(refusal).encode())
    assert (tally.refused, len(sent)) == ({"stale": 1}, 2)
    sitter.take(duel_view(3))
    assert len(sent) == 3


def test_bench_a_sitter_confirms_views_before_the_server_holds_them_back():
    sitter, sent, _ = active(Sitter, lambda sitter, view: None)
    sitter.take(duel_view(32))
    assert json.loads(sent[0]) == {"type": "seen", "revision": 32}


def boardgame(number: int, hands: list[str | None]) -> bytes:
    state = {"G": {"number": number, "hands": hands}, "_stateID": 7, "ctx": {}}
    return b"42/rps," + json.dumps(["update", "m", state, []], separators=(",", ":")).encode()


def colyseus(number: int, hands: list[str | None]) -> bytes:
    content = msgspec.msgpack.encode({"number": number, "hands": hands, "in": []})
    return ColyseusSitter._STATE + content


@pytest.mark.parametrize(
    ("kind", "state"), [(BoardgameSitter, boardgame), (ColyseusSitter, colyseus)]
)
def test_bench_a_throw_at_another_server_counts_when_it_is_shown(kind, state):
    sitter, sent, tally = active(kind)
    sitter._match, sitter._credentials = "m", "c"
    sitter.take(state(1, [None, None]))
    assert len(sent) == 1
    sitter.take(state(1, [None, None]))
    assert tally.done == 0
    sitter.take(state(1, ["rock", None]))
    assert tally.done == 1
    sitter.take(state(2, [None, None]))
    assert len(sent) == 2


def test_bench_colyseus_messages_are_a_byte_a_name_and_the_content():
    sitter, sent, _ = active(ColyseusSitter)
    sitter.throw("rock")
    assert sent == [b"\x0d\xa5throw\xa4rock"]
    assert BINARY == 2
