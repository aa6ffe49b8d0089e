"""Climbs the ladder: python ladder.py URL TOKEN; needs `pip install websockets`."""

import json
import sys
from collections import Counter

from websockets.sync.client import connect

url, token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
ready = json.dumps({"jsonrpc": "2.0", "method": "ladder.ready", "id": "ready"})
followed, last = Counter(), None

with connect(url.replace("http", "ws", 1) + "/rpc/ladder", additional_headers=headers) as socket:
    socket.send(ready)
    for text in socket:
        said = json.loads(text)
        if said.get("method") == "ladder.throw":
            theirs = said["params"]["theirs"]  # the opponent's last hand: r, p, s, or null
            followed[last, theirs] += 1
            last = theirs
            likely = max("rps", key=lambda hand: followed[last, hand])
            hand = {"r": "p", "p": "s", "s": "r"}[likely]  # your own idea goes here
            socket.send(json.dumps({"jsonrpc": "2.0", "result": hand, "id": said["id"]}))
        elif said.get("method") == "ladder.ended":
            print(json.dumps(said["params"]), flush=True)
            socket.send(ready)
