import asyncio
import collections
import json
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.faults.client import SEEN_EVERY, Client, eventually
from tests.faults.rig import Rig, Web
from tests.forms import form

pytestmark = [pytest.mark.processes, pytest.mark.slow]

MOVES = ("rock", "paper", "scissors")
PLAYERS = 6
#: Seconds within which another process leads.
TAKEN_OVER = 5.0


class Fighter(Client):
    """A browser in the arena; ``asked`` holds the moves asked for, by round, with their ids."""

    def __init__(self, web: Web, who: dict[str, Any]) -> None:
        super().__init__(web, "", who["cookie"])
        self.user = int(who["id"])
        self.asked: dict[int, list[tuple[str, str]]] = collections.defaultdict(list)

    @property
    def path(self) -> str:
        return "/ws/arena/"

    @property
    def round_no(self) -> int:
        return int(self.view["phase"]) if self.view else 0

    async def _take(self, text: str) -> None:
        await super()._take(text)
        frame = self.frames[-1]
        if frame["type"] == "arena":
            self.view = {**frame, "phase": frame["arena"]["round"]}
            self.views.append(self.view)
            self._news.set()
            if frame["revision"] % SEEN_EVERY == 0:
                await self.line.send(json.dumps({"type": "seen", "revision": frame["revision"]}))

    async def choose(self, move: str) -> None:
        frame_id = self.prepare(kind="choose", move=move)
        self.asked[self.round_no].append((frame_id, move))
        await self.send(frame_id)
        await self.answer(frame_id)

    async def send(self, frame_id: str | None = None, **action: Any) -> str:
        await self.line.send(json.dumps(self.sent[frame_id]))
        return frame_id

    def may_be(self, no: int) -> set[str] | None:
        """Return what this player's move of a round may be: the last one acknowledged or later."""
        asked = self.asked[no]
        known = [n for n, (frame_id, _) in enumerate(asked) if frame_id in self.acks]
        later = asked[known[-1] :] if known else []
        return {move for frame_id, move in later if frame_id not in self.errors} or None


async def fight(fighter: Fighter, done: asyncio.Event, webs: list[Web]) -> None:
    """Choose one move after the other until it is enough; come back by a living process."""
    number = fighter.user
    while not done.is_set():
        number += 1
        try:
            await fighter.choose(MOVES[number % 3])
            await asyncio.sleep(0.02)
        except (AssertionError, ConnectionClosed):
            fighter.web = next(web for web in webs if web.is_alive)
            await fighter.come_back()


def assert_every_ack_counts(rig: Rig, fighters: list[Fighter]) -> None:
    """Check that each acknowledged choice is in its round once, and that figures match rounds."""
    fights = rig.hand("arena_fights")
    pairs = [(row["round_no"], row["user"]) for row in fights]
    assert len(pairs) == len(set(pairs)), "a round was counted twice"
    by_pair = dict(zip(pairs, fights, strict=True))
    over = {row["no"] for row in rig.hand("arena_rounds") if row["state"] == "resolved"}
    known = [(no, each.user, each.may_be(no)) for each in fighters for no in over & {*each.asked}]
    checked = [(by_pair[no, user], allowed) for no, user, allowed in known if allowed]
    assert all(f["how"] == "chosen" and f["move"] in allowed for f, allowed in checked)
    assert len(checked) > len(fighters)
    for user, player in rig.hand("arena_players").items():
        mine = [row for row in fights if row["user"] == int(user)]
        counted = player["round_wins"] + player["round_losses"] + player["round_ties"]
        assert counted == sum(row["result"] != "none" for row in mine)
        assert player["score"] == sum(row["score_delta"] for row in mine)


@pytest.mark.both_databases
@pytest.mark.fault_profile
async def test_fault_the_arena_goes_on_when_its_leader_is_killed(make_rig: Any) -> None:
    limits = {"SOCKET_RATE": "1000", "SOCKET_BURST": "1000", "SOCKETS_PER_ADDRESS": "500"}
    with make_rig(**limits) as rig:
        people = rig.people(PLAYERS)
        rig.hand("allow", arena__selection_ms=1500, arena__blitz_ms=1000, arena__result_ms=300)
        rig.hand("allow", arena__idle_rounds=1000)
        webs = rig.webs()
        fighters = [Fighter(webs[n % 2], who) for n, who in enumerate(people)]
        await asyncio.gather(*(fighter.open() for fighter in fighters))
        for fighter in fighters:
            frame_id = fighter.prepare(kind="join")
            assert (await fighter.answer(await fighter.send(frame_id)))["type"] == "ack"
        done = asyncio.Event()
        playing = [asyncio.create_task(fight(each, done, webs)) for each in fighters]
        for _ in range(form(2, in_long=10)):
            await kill_the_leader(rig, webs, fighters)
        done.set()
        await asyncio.gather(*playing)
        last = fighters[0].round_no
        await until_round(rig, last + 1)
        for fighter in fighters:
            await fighter.leave()
        assert_every_ack_counts(rig, fighters)
        rounds = rig.hand("arena_rounds")
        assert [row["no"] for row in rounds] == list(range(1, len(rounds) + 1))
        assert {row["state"] for row in rounds[:-1]} == {"resolved"}, "none was dropped"
        assert rig.alarms() == []


def newest(rig: Rig) -> int:
    return int(max((row["no"] for row in rig.hand("arena_rounds")), default=0))


async def until_round(rig: Rig, no: int) -> None:
    try:
        await eventually(lambda: newest(rig) >= no)
    except AssertionError as problem:
        raise AssertionError(f"round {newest(rig)}, {rig.hand('arena_state')}") from problem


async def kill_the_leader(rig: Rig, webs: list[Web], fighters: list[Fighter]) -> None:
    await until_round(rig, newest(rig) + 2)
    pid = int(rig.hand("arena_leader").split(":")[1])
    leader = next(web for web in webs if web.pid == pid)
    under_way = rig.hand("arena_rounds")[-1]
    leader.kill()
    killed_at = time.time()
    await until_round(rig, under_way["no"] + 1)
    after = next(row for row in rig.hand("arena_rounds") if row["no"] == under_way["no"] + 1)
    late = after["began_at"] - max(killed_at, under_way["ends_at"])
    print(f"killed in round {under_way['no']}; the next one began {late:.2f} s late")
    assert late < TAKEN_OVER
    webs.remove(leader)
    # Beside the players, who would else be idle for so long that they are moved to watching.
    webs.append(await asyncio.to_thread(rig.web))
    gone = after["no"]
    await eventually(lambda: all(fighter.round_no > gone for fighter in fighters))
