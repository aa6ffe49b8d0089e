import asyncio

import pytest
from channels.testing import WebsocketCommunicator

from games.realtime import socket
from games.realtime.socket import SendBuffer
from rpsite.routing import websocket_application
from tests.boot import PATIENCE
from tests.games.socket_kit import Direct, running_site, until_true

SEEN = '{"type":"seen","revision":1}'


class Wire:
    bytes = drops = 0
    is_deaf = False

    def unsent(self) -> int:
        return self.bytes

    def deafen(self) -> None:
        self.is_deaf = True

    def drop(self) -> None:
        self.drops += 1


async def lobby_line(wire: Wire, *, is_direct: bool = False) -> WebsocketCommunicator:
    line = WebsocketCommunicator(websocket_application, "/ws/lobby/", [(b"host", b"localhost")])
    line.scope["wire"] = wire
    if is_direct:
        line.scope["direct"] = Direct(line)
    assert (await line.connect(timeout=PATIENCE))[0]
    return line


async def messages_of(line: WebsocketCommunicator, last: str = "") -> list[str]:
    """Return the texts up to one with a word, or up to a close frame, whose code comes last."""
    found: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while (message := await line.output_queue.get())["type"] != "websocket.close":
            found.append(message["text"])
            if last and last in found[-1]:
                return found
    return [*found, str(message["code"])]


def sent(lag: SendBuffer, text: str) -> None:
    assert lag.take(text)
    lag.handed_over([text])


def test_a_backlog_is_full_by_what_waits_here_or_below():
    wire = Wire()
    lag = SendBuffer({"wire": wire}, limit=100)
    assert lag.take("x" * 5000)
    assert not lag.take("x"), "one message of any size fits, and none after it"
    lag.handed_over(["x" * 5000])
    assert lag.take("x")
    lag.handed_over(["x"])
    wire.bytes = 101
    assert not lag.take("x")
    assert lag.waiting() == 101, "what is not taken does not wait"


def test_what_is_unsent_for_fifteen_seconds_is_stuck(clock):
    wire = Wire()
    lag = SendBuffer({"wire": wire}, limit=1000)
    sent(lag, "x" * 50)
    assert not lag.is_stuck()
    wire.bytes = 50
    sent(lag, "y" * 50)
    clock.now += 14
    wire.bytes = 100
    assert not lag.is_stuck()
    clock.now += 2
    assert lag.is_stuck()


def test_who_reads_slowly_but_reads_is_not_stuck(clock):
    wire = Wire()
    lag = SendBuffer({"wire": wire}, limit=1000)
    for _ in range(20):
        sent(lag, "x" * 10)
        wire.bytes = 10
        clock.now += 5
        assert not lag.is_stuck()


@pytest.mark.parametrize("is_direct", [False, True])
@pytest.mark.django_db(transaction=True)
async def test_a_socket_that_reads_nothing_is_closed_with_4408_and_dropped(
    settings, monkeypatch, is_direct
):
    monkeypatch.setattr(socket, "FAREWELL", 0.0)
    # Fewer bytes than the answers have together: those that are handed over no longer count.
    settings.SOCKET_UNSENT = 200
    wire = Wire()
    async with running_site():
        line = await lobby_line(wire, is_direct=is_direct)
        # The lobby's own frame, so that no two frames are in the outbox together.
        await messages_of(line, '"type":"lobby"')
        # A guest may leave a quarter of it unread.
        wire.bytes = settings.SOCKET_UNSENT // 4
        for _ in range(3):
            await line.send_to(text_data=SEEN)
            await messages_of(line, '"now"')
        wire.bytes += 1
        await line.send_to(text_data=SEEN)
        assert (await messages_of(line))[-1] == "4408"
        assert wire.is_deaf
        await until_true(lambda: wire.drops)


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
async def test_who_floods_is_told_so_and_not_read_any_more(settings, monkeypatch):
    monkeypatch.setattr(socket, "FAREWELL", 0.0)
    wire = Wire()
    async with running_site():
        line = await lobby_line(wire)
        for _ in range(settings.SOCKET_BURST // 2):
            await line.send_to(text_data=SEEN)
        assert not wire.is_deaf
        for _ in range(settings.SOCKET_BURST):
            await line.send_to(text_data=SEEN)
        assert (await messages_of(line))[-1] == "4429"
        assert wire.is_deaf
        await until_true(lambda: wire.drops)


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
async def test_what_a_socket_is_told_in_one_turn_is_written_in_one_piece_before_its_close_frame(
    settings,
):
    async with running_site():
        line = await lobby_line(Wire(), is_direct=True)
        direct = line.scope["direct"]
        await until_true(lambda: direct.pieces)
        direct.pieces.clear()
        (take,) = direct.takers
        for _ in range(2):
            take(SEEN)
        for _ in range(settings.BAD_FRAMES + 5):
            take("{")
        assert not direct.pieces
        texts = await messages_of(line)
        (piece,) = direct.pieces
        assert [text[:12] for text in piece[:2]] == ['{"type":"now'] * 2
        assert ["bad_json" in text for text in piece[2:]] == [True] * settings.BAD_FRAMES
        assert (texts[-1], texts[-1 - len(piece) : -1]) == ("4429", piece)
        take(SEEN)
        await line.disconnect()
        assert len(direct.pieces) == 1
        assert direct.takers == [take, None], "an ended socket would stay in memory"
