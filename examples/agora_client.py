"""Plays one game of Agoran Mafia: python examples/agora_client.py URL TOKEN [ID].

URL is like http://127.0.0.1:8000; without ID it opens a town of five and asks for bots.
See docs/reference/json-rpc.md.
"""

import random
import sys

from table import Table, open_match


def decide(view):
    """By night choose anybody else, then be done; by day vote as most do, so that a day ends."""
    game, seat = view["game"], view["you"]["seat"]
    you = game["you"]
    if you is None or not you["is_alive"]:
        return
    others = [each["no"] for each in game["seats"] if each["is_alive"] and each["no"] != seat]
    if "choose" in you["may"] and you["target"] is None:
        yield "choose", {"target": random.choice(others)}
    if "vote" in you["may"]:
        votes = {choice: (count, -choice) for choice, count in game["tally"] if choice in others}
        own, leader = game["seats"][seat]["vote"], max(votes, key=votes.get, default=None)
        if own is None or (leader is not None and votes[leader] > votes.get(own, (0, 0))):
            yield "vote", {"choice": random.choice(others) if leader is None else leader}
    if "done" in you["may"]:
        yield "done", {}


if __name__ == "__main__":
    url, token, *rest = sys.argv[1:]
    options = {"seats": 5, "phase_seconds": 60}
    public_id = rest[0] if rest else open_match(url, token, "agora", **options)
    print(f"{url}/matches/{public_id}/", flush=True)
    Table(url, token, "agora", public_id).play(decide, bots=0 if rest else 4)
