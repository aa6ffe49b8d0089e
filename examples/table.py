"""The socket of one match, for the examples; plays the part that all table games share."""

import json
import time
import urllib.request
import uuid

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect


def open_match(url, token, game, **options):
    """Open a match over HTTP and return its public name."""
    call = {"jsonrpc": "2.0", "method": "open_match", "params": options, "id": 1}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/rpc/{game}/", json.dumps(call).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["result"]["public_id"]


class Table:
    """A match: `view` is the last state, `has_news` whether more than an asked-for state came."""

    def __init__(self, url, token, game, public_id):
        self.address = f"{url.replace('http', 'ws', 1)}/ws/rpc/{game}/{public_id}/"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.socket, self.view, self.has_news = None, None, True

    def receive(self):
        """Take one message; return it if it is an answer."""
        message = json.loads(self.socket.recv())
        for told in message if isinstance(message, list) else [message]:
            if "method" not in told:
                return told
            self.view = told["params"] if told["method"] == "state" else self.view
            self.has_news = (told["method"], self.sent["method"]) != ("state", "send_state")
        return None

    def call(self, method, **params):
        """Call and return the answer; a lost call is sent again, and its action_id counts once."""
        if method != "send_state":
            params["action_id"] = uuid.uuid4().hex
        self.sent = {"jsonrpc": "2.0", "method": method, "params": params, "id": uuid.uuid4().hex}
        while True:
            try:
                self.socket = self.socket or connect(self.address, additional_headers=self.headers)
                self.socket.send(json.dumps(self.sent))
                while not (answer := self.receive()):
                    pass
            except (OSError, ConnectionClosed, InvalidHandshake) as problem:
                if isinstance(problem, InvalidStatus) and problem.response.status_code == 403:
                    raise  # a refusal, which a retry would not change
                self.socket = None
                time.sleep(1)
                continue
            error = answer.get("error", {})
            if "retry_ms" not in error.get("data", {}):
                print(f"{method}:", error or "ok", flush=True)
                return answer
            time.sleep(error["data"]["retry_ms"] / 1000)

    def look(self):
        """Wait for news, and return the new state; a new connection has it too."""
        try:
            while not self.has_news:
                self.receive()
        except ConnectionClosed:
            self.socket = None
        self.call("send_state")
        return self.view

    def play(self, decide, bots=0):
        """Sit down, ask for bots, then call what `decide(view)` says, until the match is over."""
        for method in ["sit", *["add_bot"] * bots]:
            self.call(method)
        while (view := self.look())["match"]["status"] in ("open", "running"):
            general = [(kind, {}) for kind in ("ready", "play_out") if kind in view["you"]["may"]]
            for method, params in general or (decide(view) if view["game"] else []):
                self.call(method, **params)
        print(view["match"]["status"], view["game"] and view["game"]["result"], flush=True)
