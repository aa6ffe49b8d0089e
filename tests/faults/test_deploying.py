import asyncio
import http.server
import random
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.boot import PATIENCE
from tests.faults.client import Client, assert_journal, eventually, leave_all, sat_down
from tests.faults.cluster import Cluster
from tests.faults.rig import Rig
from tests.forms import form
from tests.platform.site import environment
from tools.rolling import DISTANCE

MARKS = ("processes", "slow", "fault_profile", "postgres")
pytestmark = [getattr(pytest.mark, name) for name in MARKS]

LIMITS = {"SOCKETS_PER_ADDRESS": "2000", "SOCKET_RATE": "100", "SOCKET_BURST": "200"}
#: Seconds of each throw; who is late throws when so few are left.
CLOCK, LATE = 12, 4.0
#: Seconds before the throws of the others.
PACE = form((1.0, 2.5), in_long=(3.0, 7.0))
#: People who sit down at once.
AT_ONCE = 20


#: What a page waits before it connects again.
COMES_BACK = (0.2, 0.7)


class Player:
    """Plays one seat of a duel; ``thinks`` gives the seconds before a throw, from those left."""

    def __init__(self, client: Client, chance: random.Random, thinks: Callable[[float], float]):
        self.client, self._chance, self._thinks, self.codes = client, chance, thinks, []

    async def play(self) -> None:
        client = self.client
        while not is_over(client.view):
            try:
                view = await client.until_view(lambda view: may_throw(view) or is_over(view), 120)
                if is_over(view):
                    return
                due_at = view["game"]["due_at"]
                left = datetime.fromisoformat(due_at).timestamp() - time.time() if due_at else 0.0
                await asyncio.sleep(self._thinks(left))
                await client.answer(await client.send(kind="throw", hand=self.hand()))
            except (AssertionError, ConnectionClosed):
                # A socket that is open means that an answer did not come.
                assert client.code is not None or client.line.close_code is not None
                await self._come_back()

    async def _come_back(self) -> None:
        self.codes.append(await self.client.until_closed())
        await asyncio.sleep(self._chance.uniform(*COMES_BACK))
        await self.client.come_back()
        for frame_id in await self.client.send_again():
            if self.client.code is None:
                await self.client.answer(frame_id)

    def hand(self) -> str:
        return self._chance.choice(("rock", "paper", "scissors"))


def is_over(view: dict[str, Any]) -> bool:
    return view["game"] is not None and view["game"]["stage"] == "over"


def may_throw(view: dict[str, Any]) -> bool:
    you = view["game"] and view["game"]["you"]
    return bool(you) and "throw" in you["legal"] and you["hand"] is None


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as problem:
        return problem.code


def test_cluster_starts_with_a_database_of_its_own_and_ends_whole(tmp_path):
    with Cluster(tmp_path, environment(tmp_path)) as cluster:
        url = f"http://{cluster.address}"
        assert cluster.ports() == [cluster.first, cluster.first + 1]
        pages = ("/", "/rules/duel/", "/metrics", "/static/staticfiles.json")
        assert [status(url + page) for page in pages] == [200, 200, 404, 404]
        styles = next((tmp_path / "static/css").glob("site.*.css"))
        with urllib.request.urlopen(f"{url}/static/css/{styles.name}", timeout=PATIENCE) as answer:
            assert "immutable" in answer.headers["Cache-Control"]
            assert answer.headers["Server"] == "nginx"
    assert cluster.process.returncode == 0
    assert "Traceback" not in cluster.log.read_text()


async def seated(
    rig: Rig, cluster: Cluster, people: list[dict[str, Any]], **options: Any
) -> tuple[list[dict[str, Any]], list[list[Client]]]:
    users = [[who["id"] for who in people[n : n + 2]] for n in range(0, len(people), 2)]
    duels = await asyncio.to_thread(rig.hand, "start_duels", pairs=users, **options)
    clients = await sat_down(cluster, duels, people)
    return duels, [clients[n : n + 2] for n in range(0, len(people), 2)]


async def until_together(rig: Rig, duels: list[dict[str, Any]]) -> int:
    found: dict[str, list[list[int]]] = {}

    def are_together() -> bool:
        found.update(rig.hand("processes", matches=[duel["pk"] for duel in duels]))
        return all(seats == [[0, 1]] for seats in found.values())

    await eventually(are_together)
    return rig.hand("web_processes", matches=[duel["pk"] for duel in duels])


async def test_cluster_sends_both_seats_of_a_match_to_one_process(make_rig) -> None:
    with make_rig(**LIMITS) as rig:
        names = [f"player{n}" for n in range(16)]
        people = rig.hand("people", names=names, password="a long password")
        with Cluster(rig.var, rig.environment) as cluster:
            # The form's token and the page's origin hold behind the proxy.
            assert rig.hand("log_in_again", address=cluster.address, seconds=1, names=names)
            duels, clients = await seated(rig, cluster, people, best_of=3, clock_seconds=60)
            assert await until_together(rig, duels) == 2
            players = [Player(client, random.Random(7), lambda _: 0.0) for client in clients[0]]
            players[0].hand, players[1].hand = (lambda: "rock"), (lambda: "scissors")
            await asyncio.gather(*(player.play() for player in players))
            assert rig.hand("match", match=duels[0]["pk"])["status"] == "over"
            await leave_all(client for pair in clients for client in pair)
        rig.prove_calm()


async def finished(command: "subprocess.Popen[str]") -> str:
    said, _ = await asyncio.to_thread(command.communicate, timeout=10 * PATIENCE)
    assert command.returncode == 0, said
    return said


async def test_deployment_and_return_under_load_lose_no_action_and_no_clock(make_rig) -> None:
    chance = random.Random(11)
    is_ending = False
    duels, clients, players, playing = [], [], [], []

    def soon(left: float) -> float:
        # The duels must not end before the deployments.
        return 0.0 if is_ending else chance.uniform(*PACE)

    def late(left: float) -> float:
        return 0.0 if is_ending else max(0.0, left - LATE)

    with make_rig(**LIMITS) as rig:
        count = form(16, in_long=400)
        people = rig.people(count)
        with Cluster(rig.var, rig.environment, drain=form(3, in_long=20)) as cluster:
            first, side_by_side = cluster.first, form(2, in_long=30)
            old, new = [first, first + 1], [first + DISTANCE, first + DISTANCE + 1]
            for begin in range(0, count, AT_ONCE):
                # A few at a time: their clocks run from now on.
                few = people[begin : begin + AT_ONCE]
                some, theirs = await seated(rig, cluster, few, best_of=99, clock_seconds=CLOCK)
                duels += some
                clients += theirs
                for number, pair in enumerate(theirs):
                    thinks = late if number % 2 else soon
                    players += [Player(client, chance, thinks) for client in pair]
                    playing += [asyncio.create_task(each.play()) for each in players[-2:]]
            for _ in range(form(1, in_long=2)):
                await finished(cluster.tell("deploy", side_by_side))
                assert cluster.ports() == new
                # An operator sees something that is not liked: the old ones are still there.
                command = cluster.tell("deploy", 300)
                lines = asyncio.to_thread(any, ("new clients come to" in s for s in command.stdout))
                assert await lines
                await finished(cluster.tell("back"))
                assert await asyncio.to_thread(command.wait, PATIENCE) == 1
                assert cluster.ports() == new
                # Too late for that: the former release comes back in the same way.
                await finished(cluster.tell("back", side_by_side))
                assert cluster.ports() == old
            await until_together(rig, duels)
            is_ending = True
            await asyncio.wait_for(asyncio.gather(*playing), form(8, in_long=20) * PATIENCE)
            await leave_all(client for pair in clients for client in pair)
        codes = {code for player in players for code in player.codes}
        closed = sum(len(player.codes) for player in players)
        house = [rig.hand("house_actions", match=duel["pk"]) for duel in duels]
        postponed = sum(kinds.count("postpone") for kinds in house)
        acked = sum(len(player.client.acks) for player in players)
        print(f"{acked} acknowledged, {closed} closed, {postponed} clocks postponed")
        assert codes == {4412}
        assert closed >= 2 * len(players)
        assert postponed > 0
        assert sum(kinds.count("deadline") for kinds in house) == 0
        for duel, pair in zip(duels, clients, strict=True):
            assert rig.hand("match", match=duel["pk"])["status"] == "over"
            assert_journal(rig, duel["pk"], pair)
            assert [client.errors for client in pair] == [{}, {}]
        rig.prove_calm()


class Foreign(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *words: object) -> None: ...


def test_deployment_with_a_foreign_site_on_a_port_is_refused_and_changes_nothing(tmp_path):
    with Cluster(tmp_path, environment(tmp_path)) as cluster:
        old = cluster.ports()
        upstreams = tmp_path / "nginx/upstreams.conf"
        before = upstreams.read_text()
        port = old[1] + DISTANCE
        with http.server.ThreadingHTTPServer(("127.0.0.1", port), Foreign) as foreign:
            threading.Thread(target=foreign.serve_forever, daemon=True).start()
            refused = cluster.tell("deploy")
            said, _ = refused.communicate(timeout=10 * PATIENCE)
            foreign.shutdown()
        assert refused.returncode == 1
        assert f"port {port} is in use" in said
        assert (cluster.ports(), upstreams.read_text()) == (old, before)
        assert status(f"http://{cluster.address}/") == 200
        assert cluster.tell("back", 1.0).wait(10 * PATIENCE) == 0
        assert cluster.ports() == [each + DISTANCE for each in old]
        assert status(f"http://{cluster.address}/") == 200
