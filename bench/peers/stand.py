"""Test stands of other servers, like the site's."""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, Self

from bench.children import Web, free_port, own_cpu
from bench.peers.sitters import BoardgameSitter, ColyseusSitter, PeerSitter
from bench.processes import cpu_seconds
from bench.sitter import Decide
from bench.stand import Setup, Stand
from bench.tally import Tally

HERE = Path(__file__).resolve().parent
MEMORY, FLATFILE, COLYSEUS = "boardgame.io", "boardgame.io-flatfile", "colyseus"
#: In the order in which they are measured.
PEERS = (MEMORY, FLATFILE, COLYSEUS)
INSTALL = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]


def why_not() -> str | None:
    """Return the reason why the other servers cannot be measured; install them on first use."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            return f"{program} is not here"
    if (HERE / "node_modules").is_dir():
        return None
    print("installing the other servers into bench/peers/node_modules", flush=True)
    done = subprocess.run(INSTALL, cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"npm could not install them: {done.stderr.strip().splitlines()[-1:]}"
    return None


class PeerStand(Stand):
    """The test stand of another server, with its storage and protocol."""

    def __init__(self, setup: Setup, directory: Path, people: int) -> None:
        self.setup = setup
        self.var = directory / f"peer-{os.getpid()}-{free_port()}"
        self.webs: list[Web] = []
        self.proxy = None
        self.people = [{"id": number, "cookie": ""} for number in range(people)]
        self._lobby = free_port()

    def __enter__(self) -> Self:
        self.var.mkdir()
        self.start_web()
        self.hand = self._make  # type: ignore[assignment]  # a function in place of a process
        return self

    def __exit__(self, *problem: object) -> None:
        for web in self.webs:
            web.kill()
        if problem[0] is not None:
            for log in self.var.glob("*.log"):
                print(f"== {log.name}\n{log.read_text()[-3000:]}", file=sys.stderr)
        shutil.rmtree(self.var, ignore_errors=True)

    def start_web(self) -> None:
        """Start the server once: matches can be created only while it runs."""
        if self.webs:
            return
        port = free_port()
        command = ["node", str(HERE / "colyseus.mjs"), str(port)]
        if self.setup.kind != COLYSEUS:
            command = ["node", str(HERE / "boardgame.mjs"), str(port), str(self._lobby)]
            command += [str(self.var / "matches")] if self.setup.kind == FLATFILE else []
        environment = {"PATH": os.environ["PATH"], "NODE_ENV": "production"}
        self.webs = [Web(self.var / "web-0.log", environment, command, port)]
        self.webs[0].wait()

    def new_sitter(self, tally: Tally, decide: Decide) -> Any:
        """Return a player of this server; it chooses its throws itself."""
        kind: type[PeerSitter] = BoardgameSitter
        if self.setup.kind == COLYSEUS:
            kind = ColyseusSitter
        return kind(tally)

    def cpu(self) -> dict[str, float]:
        """Return the processor seconds of the server and of the load generator."""
        return {"server": cpu_seconds(web.process.pid for web in self.webs), "client": own_cpu()}

    def _make(self, task: str, users: list[list[int]], **ignored: Any) -> list[dict[str, Any]]:
        """Create a match for each pair."""
        assert task == "tables"
        make = self._new_room if self.setup.kind == COLYSEUS else self._new_match
        return [make() for _ in users]

    def _new_match(self) -> dict[str, Any]:
        games = f"http://127.0.0.1:{self._lobby}/games/rps"
        name = _post(f"{games}/create", {"numPlayers": 2})["matchID"]
        joins = [{"playerID": str(seat), "playerName": f"player{seat}"} for seat in (0, 1)]
        seats = [_post(f"{games}/{name}/join", join) for join in joins]
        return {"public_id": name, "credentials": [seat["playerCredentials"] for seat in seats]}

    def _new_room(self) -> dict[str, Any]:
        matchmaker = f"http://{self.webs[0].address}/matchmake"
        first = _post(f"{matchmaker}/create/rps", {})
        second = _post(f"{matchmaker}/joinById/{first['roomId']}", {})
        return {"public_id": first["roomId"], "seats": [first, second]}


def _post(url: str, content: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        url, json.dumps(content).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        found: dict[str, Any] = json.load(answer)
    return found
