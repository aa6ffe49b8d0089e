"""The check for known faults of packages: what it asks, what it says, and that it never hangs."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.boot import PATIENCE
from tools import known_faults

FAULTY = ("django", "GHSA-aaaa-bbbb-cccc")


class Index(BaseHTTPRequestHandler):
    """Knows one fault, of one package."""

    asked: list[dict] = []
    is_whole = True

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.extend(body["queries"])
        name, fault = FAULTY
        results = [
            {"vulns": [{"id": fault}]} if query["package"]["name"].lower() == name else {}
            for query in body["queries"]
        ]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"results": results[: None if self.is_whole else 1]}).encode())

    def log_message(self, *given) -> None: ...


@pytest.fixture
def index(monkeypatch):
    monkeypatch.setattr(Index, "asked", [])
    with HTTPServer(("127.0.0.1", 0), Index) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_known_fault_fails_the_check_until_it_is_judged_harmless(index, monkeypatch, capsys):
    assert known_faults.main(index, PATIENCE) == 1
    assert FAULTY[1] in capsys.readouterr().out
    asked = {query["package"]["name"].lower(): query["version"] for query in Index.asked}
    pins = known_faults.pinned((known_faults.ROOT / "constraints.txt").read_text())
    assert asked == {name.lower(): version for name, version in pins}
    assert {"django", "celery", "daphne"} <= set(asked)
    monkeypatch.setattr(known_faults, "HARMLESS", {FAULTY[1]: "not used here"})
    assert known_faults.main(index, PATIENCE) == 0
    assert "0 known faults" in capsys.readouterr().out
    # Half an answer is none.
    monkeypatch.setattr(Index, "is_whole", False)
    assert known_faults.main(index, PATIENCE) == 0
    assert "skipped" in capsys.readouterr().out


@pytest.mark.parametrize("listens", [False, True], ids=["no network", "silence"])
def test_without_an_answer_it_is_skipped_says_so_and_waits_for_none(capsys, listens):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        if listens:
            nobody.listen()
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
        assert known_faults.main(address, 0.2 if listens else PATIENCE) == 0
    assert ("no answer within 0.2 s" if listens else "skipped") in capsys.readouterr().out
