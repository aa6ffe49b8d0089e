"""Plays one game of Showdown: python examples/showdown_client.py URL TOKEN [ID].

URL is like http://127.0.0.1:8000; without ID it opens a table and asks for a bot.  It plays for
points: it matches every bet.  See docs/reference/json-rpc.md.
"""

import random
import sys

from table import Table, open_match


def decide(view):
    """Match each bet; attack each opponent with any weapon that is left, then lock."""
    you = view["game"]["you"]
    if you is None:
        return
    if "call" in you["may"]:
        yield "call", {}
    if "attack" in you["may"]:
        stock = [weapon for weapon, count in you["stock"].items() for _ in range(count)]
        random.shuffle(stock)
        targets = [target for target in you["targets"] if str(target) not in you["attacks"]]
        for target, weapon in zip(targets, stock, strict=False):
            yield "attack", {"weapon": weapon, "target": target}
    if "lock" in you["may"]:
        yield "lock", {}


if __name__ == "__main__":
    url, token, *rest = sys.argv[1:]
    options = {"seats": 2, "ante": 1, "target": 3, "largest_purse": 10}
    public_id = rest[0] if rest else open_match(url, token, "showdown", **options)
    print(f"{url}/matches/{public_id}/", flush=True)
    Table(url, token, "showdown", public_id).play(decide, bots=0 if rest else 1)
