"""Counts that do not depend on the machine.  Source: docs/explanation/performance.md."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.matches.journal.loading import match_cache
from games.matches.processing import locked_match, writing
from games.matches.processing.submissions import BatchResult
from games.matches.queries import selectors
from games.realtime import hub as hubs
from games.realtime import protocol
from games.realtime.hub import Hub, Rendering, Room
from tests.games.socket_kit import Browser, Direct, log_in, running_site, until_true
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db(transaction=True)

#: Statements of a batch without points, besides those that begin and end the transaction.
MOST_STATEMENTS = 6
FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def running_tables(count: int) -> list[TableKit]:
    kits = [TableKit(new_user(), new_user(), seats=2) for _ in range(count)]
    for kit in kits:
        kit.start()
        kit.call_all()
    return kits


def statements(kits: list[TableKit], weapon: str) -> list[str]:
    attacks = [
        kit.submission(user, kind="attack", weapon=weapon, target=(seat + 1) % len(kit.people))
        for kit in kits
        for seat, user in enumerate(kit.people)
    ]
    return asked(kits, attacks)


def asked(kits: list[TableKit], batch: list[Any]) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        answers = writing.apply_batch(batch, kits[0].now).answers
    assert all(answer.error is None for answer in answers)
    return [q["sql"] for q in queries.captured_queries if not q["sql"].startswith(FRAME)]


@pytest.mark.both_databases
def test_counts_statements_of_a_batch_are_few_and_do_not_grow(monkeypatch) -> None:
    # As if nobody had looked lately what the sitters own: the batch that costs most.
    monkeypatch.setattr(locked_match, "LOOK_AGAIN", 0)
    kits = running_tables(6)
    few, many = statements(kits[:1], "rock"), statements(kits, "paper")
    assert len(few) == len(many) <= MOST_STATEMENTS, many
    match_cache.forget()
    # What this process has not written itself it must read: matches, seats, and who sits there.
    assert len(statements(kits, "scissors")) <= MOST_STATEMENTS + 3


@pytest.mark.both_databases
def test_counts_statements_of_a_start_do_not_grow_with_the_tables() -> None:
    kits = [TableKit(new_user(), new_user(), seats=2) for _ in range(6)]
    for kit in kits:
        kit.seat_everybody()
    told = []
    for seat in (0, 1):
        ready = [kit.submission(kit.people[seat], kind="ready", configuration=1) for kit in kits]
        told += [len(asked(kits, ready[:1])), len(asked(kits, ready[1:]))]
    assert told[0] == told[1], "getting ready"
    assert told[2] == told[3], "starting"


class Spectator:
    """A socket that keeps the bytes it was shown."""

    def __init__(self, user_id: int | None) -> None:
        self.user_id = user_id
        self.shown: list[bytes] = []

    def show(self, view: bytes, now: str) -> None:
        self.shown.append(view)


def watched_table() -> tuple[TableKit, Hub, list[Spectator]]:
    (kit,) = running_tables(1)
    hub = Hub(None, lambda snapshot: None)
    room = hub.rooms[kit.match.pk] = Room()
    spectators = [Spectator(user.pk) for user in kit.people] + [Spectator(None) for _ in range(50)]
    room.subscribers.update(spectators)
    return kit, hub, spectators


def test_counts_a_view_is_encoded_once_an_audience(monkeypatch) -> None:
    kit, hub, spectators = watched_table()
    encoded: list[object] = []
    encode = hubs.encode_view
    monkeypatch.setattr(hubs, "encode_view", lambda view: encoded.append(view) or encode(view))
    hub.publish({kit.match.pk: kit.snapshot})
    common = ["head", "pace", "what everybody may see of the game"]
    own = ["affairs of two seats", "those of all others", "part of the game of two seats"]
    assert len(encoded) == len(common) + 2 + 1 + 2, own
    encoded.clear()
    hub.publish(kit.act(kit.people[0], kind="lock").snapshots)
    assert len(encoded) == len(common[1:]) + 1, "of own parts only that of who moved"
    assert len({id(each.shown[0]) for each in spectators[2:]}) == 1
    assert len({each.shown[0] for each in spectators}) == 3


def test_counts_a_secret_action_is_rendered_for_its_seat_only() -> None:
    kit, hub, spectators = watched_table()
    hub.publish({kit.match.pk: kit.snapshot})
    ann = kit.people[0]
    result: BatchResult = kit.act(ann, kind="attack", weapon="rock", target=1)
    hub.publish(result.snapshots)
    assert [len(each.shown) for each in spectators] == [2] + 51 * [1]
    # A viewer who has missed something gets the whole view.
    kit.act(ann, kind="reset")
    hub.publish(kit.act(ann, kind="attack", weapon="rock", target=1).snapshots)
    assert [len(each.shown) for each in spectators] == [3] + 51 * [2]


def test_counts_bytes_for_an_audience_are_its_view() -> None:
    kit, _, _ = watched_table()
    snapshots = [kit.snapshot, kit.act(kit.people[0], kind="lock").snapshots[kit.match.pk]]
    kit.play_to_the_end()
    for snapshot in [*snapshots, kit.snapshot, TableKit(new_user()).snapshot]:
        presence = {"seats": [1], "watching": 3}
        shown = Rendering(snapshot, presence)
        for seat in (0, 1, None):
            view = selectors.match_view(snapshot, seat, presence)
            assert json.loads(shown.view(seat)) == json.loads(protocol.encode_view(view))


async def play_by_sockets(actions: int) -> tuple[Counter[str], int]:
    """Act by two sockets; return the created tasks and the Redis commands."""
    (kit,) = await sync_to_async(running_tables)(1)
    cookies = [await sync_to_async(log_in)(user) for user in kit.people]
    made: Counter[str] = Counter()

    def make_task(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        made[work.__qualname__] += 1
        return asyncio.Task(work, loop=loop, **options)

    async with running_site() as site:
        browsers = [Browser(f"/ws/match/{kit.match.public_id}/", cookie) for cookie in cookies]
        for browser in browsers:
            browser.line.scope["direct"] = Direct(browser.line)
            assert await browser.open()
            await browser.until_view(lambda view: view["match"]["status"] == "running")
        await until_true(lambda: site.bus.is_listening)
        sent = 0
        write = site.bus._write

        async def count(message: str) -> None:
            nonlocal sent
            sent += 1
            await write(message)

        site.bus._write = count
        asyncio.get_running_loop().set_task_factory(make_task)
        ann = browsers[0]
        for number in range(actions):
            weapon = ("rock", "paper")[number % 2]
            assert (await ann.act(kind="attack", weapon=weapon, target=1))["type"] == "ack"
            await ann.send(type="seen", revision=ann.revision)
        asyncio.get_running_loop().set_task_factory(None)
        for browser in browsers:
            await browser.leave()
    return made, sent


@pytest.mark.plain
async def test_counts_no_task_a_message_and_one_redis_command_a_batch() -> None:
    made, sent = await play_by_sockets(actions=20)
    ours = {name: count for name, count in made.items() if count >= 10}
    assert ours == {}
    assert 0 < sent <= 20
