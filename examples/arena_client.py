"""Plays rounds of the arena at random: python examples/arena_client.py URL TOKEN [ROUNDS].

It leaves after ROUNDS fought rounds, by default ten.  See docs/reference/json-rpc.md "The arena".
"""

import json
import random
import sys
import time
import uuid

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect


class Arena:
    """A program in the arena; `unanswered` are its frames without an answer, by id."""

    def __init__(self, url, token, rounds):
        self.address = f"{url.replace('http', 'ws', 1)}/ws/arena/"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.rounds, self.fought, self.asked, self.unanswered = rounds, set(), None, {}

    def play(self):
        """Play to the end; after a lost connection send again what has no answer."""
        while True:
            try:
                with connect(self.address, additional_headers=self.headers) as self.socket:
                    for frame in self.unanswered.values():
                        self.socket.send(json.dumps(frame))
                    return self.fight()
            except (OSError, ConnectionClosed, InvalidHandshake) as problem:
                if isinstance(problem, InvalidStatus) and problem.response.status_code == 403:
                    raise  # a refusal, which a retry would not change
                time.sleep(1)

    def act(self, phase, **action):
        """Send an action once for each round; its id makes a repeated frame count once."""
        if self.asked != (phase, action["kind"]):
            self.asked = phase, action["kind"]
            frame = {"type": "act", "id": uuid.uuid4().hex, "phase": phase, "action": action}
            self.unanswered[frame["id"]] = frame
            self.socket.send(json.dumps(frame))

    def fight(self):
        """Join, wish for a plain round, choose in each round, and leave after the last."""
        while True:
            frame = json.loads(self.socket.recv())
            if frame["type"] == "arena":
                self.socket.send(json.dumps({"type": "seen", "revision": frame["revision"]}))
                if self.is_over(frame["arena"], frame["you"]):
                    return
            elif frame.get("id") in self.unanswered:
                if "retry_ms" in frame:
                    time.sleep(frame["retry_ms"] / 1000)
                    self.socket.send(json.dumps(self.unanswered[frame["id"]]))
                else:
                    del self.unanswered[frame["id"]]

    def is_over(self, arena, you):
        """Do what a view asks for; whether all rounds are fought and the player is out."""
        last, is_enough = you["last"], len(self.fought) >= self.rounds
        if last and last["move"] and last["round"] not in self.fought:
            self.fought.add(last["round"])
            print(f"round {last['round']}: {last['move']} {last['result']}", flush=True)
        if is_enough and you["is_in"] and you["waits_until_round_end"] != "leave":
            self.act(arena["round"], kind="leave")
        elif not is_enough and not you["is_in"]:
            self.act(arena["round"], kind="join")
        elif not is_enough and you["preferences"].get("classic") != "on":
            self.act(arena["round"], kind="prefer", option="classic", value="on")
        elif not is_enough and arena["state"] == "selecting" and you["choice"] is None:
            self.act(
                arena["round"], kind="choose", move=random.choice(["rock", "paper", "scissors"])
            )
        return is_enough and not you["is_in"]


if __name__ == "__main__":
    Arena(sys.argv[1], sys.argv[2], int((sys.argv[3:] or ["10"])[0])).play()
