"""Plays one game of Dynamite: python examples/dynamite_client.py URL TOKEN [ID].

URL is like http://127.0.0.1:8000; without ID it opens a town of five and asks for bots.
See docs/reference/json-rpc.md.
"""

import random
import sys

from table import Table, open_match


def decide(view):
    """By day vote for anybody else; by night confront somebody if points allow; then be done."""
    game, seat = view["game"], view["you"]["seat"]
    you = game["you"]
    if you is None or not you["is_alive"]:
        return
    no_foes = {seat, *(you["mates"] or ())}
    living = [each["no"] for each in game["seats"] if each["is_alive"]]
    if "vote" in you["may"] and game["seats"][seat]["vote"] is None:
        yield "vote", {"choice": random.choice([no for no in living if no != seat])}
        yield "done", {}
    if "confront" in you["may"] and you["target"] is None:
        yield "confront", {"target": random.choice([no for no in living if no not in no_foes])}
    if "done" in you["may"]:
        yield "done", {}


if __name__ == "__main__":
    url, token, *rest = sys.argv[1:]
    options = {"seats": 5, "phase_seconds": 60}
    public_id = rest[0] if rest else open_match(url, token, "dynamite", **options)
    print(f"{url}/matches/{public_id}/", flush=True)
    Table(url, token, "dynamite", public_id).play(decide, bots=0 if rest else 4)
