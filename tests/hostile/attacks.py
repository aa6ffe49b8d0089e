"""Attacks in processes of their own: ``python -m tests.hostile.attacks NAME PORT SECONDS WORD``."""

import contextlib
import http.client
import itertools
import json
import re
import socket
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import psycopg

from tests.faults.pages import Pages
from tests.platform.raw_socket import frame, shake_hands

PIECE = b"x" * 65_536
HUGE = 200 * 2**20
#: What somebody receives, and how often.
Said = Counter[str]
#: Sockets of one account that flood the arena, the frames a second of each, and the seconds after
#: which a closed one comes back.
ARENA_SOCKETS, ARENA_RATE, ARENA_REST = 4, 9, 8.0
#: What they print when their sockets are open.
OPENED = "opened"
#: What they ask for in turn, besides choices.
WISHES = (
    {"kind": "join"}, {"kind": "prefer", "option": "blitz", "value": "on"},
    {"kind": "leave"}, {"kind": "prefer", "option": "blitz", "value": "off"}, {"kind": "reset"},
)  # fmt: skip


def flood(port: int, path: str, until: float, sent: bytes, first: bytes = b"") -> Said:
    """Write as fast as it goes and read nothing, again and again as often as one is ended."""
    said: Said = Counter()
    while time.monotonic() < until:
        try:
            with shake_hands(port, path) as line:
                line.sendall(first)
                while time.monotonic() < until:
                    line.sendall(sent)
                    said["frames"] += 1
        except TimeoutError:
            said["held back"] += 1
        except OSError:
            said["ended"] += 1
    return said


def unread(port: int, until: float, path: str) -> Said:
    """24 sockets of one address ask for answers and never read them."""
    call = {"jsonrpc": "2.0", "method": "server_time", "id": "x" * 64}
    sent = frame(json.dumps(call).encode())
    return together(24, lambda: flood(port, path, until, sent))


def frames(port: int, until: float, _: str) -> Said:
    """10 sockets send heartbeats as fast as they can."""
    return together(10, lambda: flood(port, "/ws/lobby/", until, frame(b'{"type":"seen"}')))


def gigabyte(port: int, until: float, _: str) -> Said:
    """4 sockets send one message without end, in pieces."""
    first, more = frame(b"x" * 4096, 0x01), frame(b"x" * 4096, 0x00)
    return together(4, lambda: flood(port, "/ws/lobby/", until, more, first))


def bodies(port: int, until: float, _: str) -> Said:
    """4 at a time post 200 MB, announced and not."""

    def post(header: str, piece: bytes) -> str:
        with socket.create_connection(("127.0.0.1", port), 5) as line:
            line.sendall(f"POST /theme/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n\r\n".encode())
            with contextlib.suppress(OSError):
                for _ in range(HUGE // len(PIECE)):
                    line.sendall(piece)
            try:
                return line.recv(12)[9:12].decode() or "ended"
            except OSError:
                return "ended"

    def post_often() -> Said:
        said: Said = Counter()
        while time.monotonic() < until:
            said[post(f"Content-Length: {HUGE}", PIECE)] += 1
            said[post("Transfer-Encoding: chunked", b"10000\r\n" + PIECE + b"\r\n")] += 1
        return said

    return together(4, post_often)


def pages(port: int, until: float, _: str, count: int = 100) -> Said:
    """100 at a time, or another number, load a page."""

    def load() -> Said:
        said: Said = Counter()
        browser = Pages(f"127.0.0.1:{port}")
        while time.monotonic() < until:
            said[_status(browser.get, "/leaderboard/", 60.0)] += 1
        return said

    return together(count, load)


many_pages = partial(pages, count=400)


def forms(port: int, until: float, cookie: str) -> Said:
    """100 at a time follow somebody and no longer follow."""
    token = "c" * 32

    def press() -> Said:
        said: Said = Counter()
        browser = Pages(f"127.0.0.1:{port}", f"{cookie}; csrftoken={token}")
        for button in itertools.cycle(("follow", "unfollow")):
            if time.monotonic() > until:
                return said
            said[_status(browser.post, "/people/bob/", {"do": button}, token, 60.0)] += 1
        return said

    return together(100, press)


def _status(ask: Callable[..., int | tuple[int, str]], *given: object) -> str:
    try:
        answer = ask(*given)
    except OSError:
        return "ended"
    return str(answer if isinstance(answer, int) else answer[0])


def log_ins(port: int, until: float, login: str) -> Said:
    """12 at a time log in with a wrong password."""

    def try_often() -> Said:
        said: Said = Counter()
        pages = Pages(f"127.0.0.1:{port}")
        token = pages.token("/accounts/login/")
        while time.monotonic() < until:
            form = {"login": login, "password": "not the password"}
            said[_status(pages.post, "/accounts/login/", form, token)] += 1
        return said

    return together(12, try_often)


def locked(port: int, until: float, database: str) -> Said:
    with _write_lock(database):
        said = log_ins(port, until, "nobody-here")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/healthz")
        said[f"healthz {connection.getresponse().status}"] += 1
    return said


def wishes(port: int, until: float, cookies: str) -> Said:
    """4 sockets of each account, all open at first, send 9 wishes a second and read answers."""
    begun, known = time.monotonic(), cookies.split(",")
    lines = [[_arena_line(port, cookie) for cookie in known] for _ in range(ARENA_SOCKETS)]
    print(OPENED, flush=True)
    until += time.monotonic() - begun
    waiting = iter(lines)
    return together(ARENA_SOCKETS, lambda: _wish(port, until, known, next(waiting)))


def _wish(port: int, until: float, cookies: list[str], opened: list[socket.socket]) -> Said:
    said: Said = Counter()
    lines: list[socket.socket | None] = [*opened]
    rests = [0.0] * len(lines)
    turn, phase = time.monotonic(), 0
    for no in itertools.count():
        place = no % len(lines)
        turn = max(turn + 1 / ARENA_RATE / len(lines), time.monotonic() - 0.05)
        if turn > until:
            return said
        time.sleep(max(0.0, turn - time.monotonic()))
        if turn < rests[place]:
            continue
        try:
            line = lines[place] = lines[place] or _arena_line(port, cookies[place])
            wish = {"id": f"flood-{time.monotonic_ns()}", "type": "act", "phase": phase}
            wish["action"] = WISHES[(place + no // len(lines)) % len(WISHES)]
            line.sendall(frame(json.dumps(wish).encode()))
            line.sendall(frame(b'{"type":"seen","revision":1000000000}') if not no % 7 else b"")
            said["wishes"] += 1
            heard = line.recv(2**20)
        except BlockingIOError:
            continue
        except OSError:
            heard = b""
        if not heard:
            lines[place], rests[place] = None, turn + ARENA_REST
            said["ended"] += 1
        said["acks"] += heard.count(b'"type":"ack"')
        said.update(code.decode() for code in re.findall(rb'"code":"([a-z_/]+)"', heard))
        shown = re.findall(rb'"arena":.{1,40}"round":(\d+)', heard)
        phase = int(shown[-1]) if shown else phase
    return said


def _arena_line(port: int, cookie: str) -> socket.socket:
    line = shake_hands(port, "/ws/arena/", cookie=cookie, room=2**20)
    line.setblocking(False)
    return line


@contextlib.contextmanager
def _write_lock(database: str) -> Iterator[None]:
    scheme, _, path = database.partition("://")
    if scheme == "sqlite":
        held = sqlite3.connect(path.removeprefix("/"), isolation_level=None, timeout=10)
        with contextlib.closing(held):
            held.execute("BEGIN IMMEDIATE")
            yield
            held.execute("ROLLBACK")
        return
    address = database.replace("postgres://", "postgresql://", 1)
    with psycopg.connect(address, autocommit=True) as line:
        rows = line.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = ", ".join(f'"{name}"' for (name,) in rows)
        line.execute("SET deadlock_timeout = '10s'")  # A concurrent writer is aborted.
        with line.transaction(force_rollback=True):
            line.execute(f"LOCK TABLE {tables} IN EXCLUSIVE MODE")
            yield


def together(count: int, work: Callable[[], Said]) -> Said:
    heard: list[Said] = []
    threads = [threading.Thread(target=lambda: heard.append(work())) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(heard, Counter())


def main(name: str, port: str, seconds: str, word: str) -> None:
    attack = globals()[name]
    print(json.dumps(attack(int(port), time.monotonic() + float(seconds), word)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
