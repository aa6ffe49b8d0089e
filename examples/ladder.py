"""Climbs the ladder: python ladder.py URL TOKEN; needs `pip install websockets`."""

import json
import random
import sys
from collections import defaultdict

from websockets.sync.client import connect

url, token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
ready = json.dumps({"jsonrpc": "2.0", "method": "ladder.ready", "id": "ready"})

with connect(url.replace("http", "ws", 1) + "/rpc/ladder", additional_headers=headers) as socket:
    socket.send(ready)
    for text in socket:
        said = json.loads(text)
        if said.get("method") == "ladder.throw":
            mine, theirs = said["params"]["mine"], said["params"]["theirs"]  # the last hands
            if said["params"]["no"] == 1:
                after, last = defaultdict(lambda: ["r", "p", "s"]), None
            else:
                after[last].append(theirs)  # what the opponent throws after two last hands
            last = (mine, theirs)
            hand = {"r": "p", "p": "s", "s": "r"}[random.choice(after[last])]  # your idea goes here
            socket.send(json.dumps({"jsonrpc": "2.0", "result": hand, "id": said["id"]}))
        elif said.get("method") == "ladder.ended":
            print(json.dumps(said["params"]), flush=True)
            socket.send(ready)
