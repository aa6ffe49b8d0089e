"""The socket of one match, for the examples; plays the part that all table games share."""

import json
import time
import urllib.request
import uuid
from contextlib import suppress

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
    """A match: `view` is the last state that was sent, `has_news` when facts came after it."""

    def __init__(self, url, token, game, public_id):
        self.address = f"{url.replace('http', 'ws', 1)}/ws/rpc/{game}/{public_id}/"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.view, self.has_news = None, False
        self.connect()

    def connect(self):
        """Connect, in a while if the site is away; it sends the whole state first."""
        while True:
            try:
                self.socket = connect(self.address, additional_headers=self.headers)
            except (OSError, InvalidHandshake) as problem:
                if isinstance(problem, InvalidStatus) and problem.response.status_code == 403:
                    raise  # a refusal, which a retry would not change
                time.sleep(1)
            else:
                return

    def receive(self):
        """Take one message and return it if it is an answer; connect again if the line is lost."""
        try:
            message = json.loads(self.socket.recv())
        except ConnectionClosed:
            time.sleep(1)
            return self.connect()
        for told in message if isinstance(message, list) else [message]:
            if "method" not in told:
                return told
            print(told["method"], "" if told["method"] == "state" else told.get("params", ""))
            self.has_news = told["method"] != "state"
            if not self.has_news:
                self.view = told["params"]
        return None

    def call(self, method, **params):
        """Call and return the answer; the action_id makes a repeated call count once."""
        if method != "send_state":
            params["action_id"] = uuid.uuid4().hex
        call = {"jsonrpc": "2.0", "method": method, "params": params, "id": uuid.uuid4().hex}
        while True:
            socket, answer = self.socket, None
            with suppress(ConnectionClosed):  # receive() connects again
                socket.send(json.dumps(call))
            while self.socket is socket and answer is None:
                answer = self.receive()
            error = (answer or {}).get("error", {})
            retry_ms = error.get("data", {}).get("retry_ms")
            if answer and retry_ms is None:
                print(f"{method}:", error or "ok", flush=True)
                return answer
            time.sleep((retry_ms or 0) / 1000)

    def look(self):
        """Wait for news, and return the new state."""
        seen = self.view
        while self.view is seen:
            if self.has_news:
                self.call("send_state")
            else:
                self.receive()
        return self.view

    def play(self, decide, bots=0):
        """Sit down, ask for bots, and do what `decide` says of each view until the match is over.

        `decide` returns pairs of a method and its parameters.
        """
        self.call("sit")
        for _ in range(bots):
            self.call("add_bot")
        view = self.look()
        while view["match"]["status"] in ("open", "running"):
            may = view["you"]["may"]
            general = [(kind, {}) for kind in ("ready", "play_out") if kind in may]
            for method, params in general or (decide(view) if view["game"] else []):
                self.call(method, **params)
            view = self.look()
        print(view["match"]["status"], view["game"] and view["game"]["result"], flush=True)
