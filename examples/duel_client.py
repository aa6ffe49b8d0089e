"""Plays one duel at random, for no points: python examples/duel_client.py URL TOKEN [ID].

URL is like http://127.0.0.1:8000; without ID it opens a duel.  See docs/reference/json-rpc.md.
"""

import asyncio
import json
import random
import sys
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


def open_duel(url, token):
    """Open a duel over HTTP and return its public name."""
    call = b'{"jsonrpc": "2.0", "method": "open_duel", "params": {"best_of": 3}, "id": 1}'
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/rpc/", call, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["result"]["public_id"]


async def play(url, token, public_id):
    """Play to the end; reconnect after a broken connection, which sends the whole state again."""
    address = f"{url.replace('http', 'ws', 1)}/ws/rpc/duel/{public_id}/"
    async for socket in connect(address, additional_headers={"Authorization": f"Bearer {token}"}):
        try:
            await play_here(socket)
        except ConnectionClosed as closed:
            if closed.rcvd and 4000 <= closed.rcvd.code != 4412:  # 4412: the site restarts
                raise  # a refusal, which a retry would not change
            await asyncio.sleep(1)
        else:
            return


async def play_here(socket):
    """Sit down, be ready for any opponent, throw until the end."""
    seat, stake, revision = None, 0, 1  # the program's seat and the table's state
    asked = {}  # the last call of each method, to be sent again when the site was busy

    async def call(method, *params):
        asked[method] = {"jsonrpc": "2.0", "method": method, "params": params, "id": method}
        await socket.send(json.dumps(asked[method]))

    await call("sit")
    while True:
        message = json.loads(await socket.recv())  # one message, or a batch of facts
        for each in message if isinstance(message, list) else [message]:
            name, params = each.get("method"), each.get("params", [])
            print(name or f"{each['id']}:", *(params if name else [each.get("error", "ok")]))
            retry_ms = each.get("error", {}).get("data", {}).get("retry_ms")
            if retry_ms is not None:
                await asyncio.sleep(retry_ms / 1000)
                await call(each["id"], *asked[each["id"]]["params"])
            if each.get("id") == "sit" and "result" in each:
                seat = each["result"]["seat_id"]
            if name == "stake":
                stake = params[1]
            elif name == "configuration":
                revision = params[0]
            elif name == "throw_started":
                await call("choose_hand", random.choice(["rock", "paper", "scissors"]))
            elif name == "suspend_game":
                await call("resume_game")
            elif name in ("end_game", "table_closed") or params == ["closed"]:
                return
            is_company = name == "player_sat" and params[0] != seat
            is_asked = is_company or name == "configuration" or each.get("id") == "sit"
            if is_asked and seat is not None and not stake:
                await call("ready", revision)


if __name__ == "__main__":
    url, token, *rest = sys.argv[1:]
    public_id = rest[0] if rest else open_duel(url, token)
    print(f"{url}/duels/{public_id}/", flush=True)
    asyncio.run(play(url, token, public_id))
