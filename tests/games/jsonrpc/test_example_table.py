import json
import runpy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

TABLE = Path(__file__).resolve().parents[3] / "examples" / "table.py"
BUSY = {"code": 1007, "message": "busy", "data": {"token": "busy", "retry_ms": 10}}


def state(status: str, *may: str) -> dict[str, Any]:
    return {"match": {"status": status}, "you": {"may": list(may)}, "game": None}


@contextmanager
def site(script: Callable[[ServerConnection], None]) -> Iterator[str]:
    with serve(script, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()


def tell(line: ServerConnection, **message: Any) -> None:
    line.send(json.dumps({"jsonrpc": "2.0", **message}))


@pytest.mark.timeout(60)
def test_example_repeats_an_unanswered_call_until_it_is_answered() -> None:
    # The answer is lost, then the site restarts (4412), then it is busy: the same call each time.
    lines, readied = iter(range(9)), []

    def script(line: ServerConnection) -> None:
        number = next(lines)
        tell(line, method="state", params=state("open", "ready"))
        if number == 1:
            return line.close(4412)
        for text in line:
            call = json.loads(text)
            if call["method"] == "ready":
                readied.append(call)
                if number == 0:
                    return line.close_socket()
                if len(readied) == 2:
                    tell(line, id=call["id"], error=BUSY)
                    continue
            if call["method"] == "send_state":
                told = state("over") if number else state("open", "ready")
                tell(line, method="state", params=told)
            tell(line, id=call["id"], result={"repeated": False})
        return None

    with site(script) as url:
        runpy.run_path(str(TABLE))["Table"](url, "rrt_x", "showdown", "a-match").play(list)
    assert len(readied) == 3
    assert readied[0] == readied[1] == readied[2]
    assert len(readied[0]["params"]["action_id"]) >= 8
