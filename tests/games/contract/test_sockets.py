"""Sockets of each game: each viewer is sent what is its own, and of all else not one frame."""

import asyncio
import random
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.engine.structs import plain
from games.jsonrpc.consumer import ProgramConsumer
from games.matches.journal.entries import read_facts
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, WebProcess
from games.matches.queries import selectors
from games.realtime import feeds
from games.realtime.runtime import Runtime
from tests.forms import form
from tests.games.contract.kit import Tried
from tests.games.jsonrpc.kit import leave, player
from tests.games.mafia.common.listening import Listeners, heard, listening
from tests.games.match_kit import MatchKit
from tests.games.socket_kit import log_in, running_site

pytestmark = pytest.mark.django_db(transaction=True)

#: How many entries a match goes on.
ACTIONS = form(15, in_all=40, in_long=60)
#: They end a game, or a seat's part in it.
LAST = ("leave", "resign", "suspend", "fold")


def begun(game: Tried) -> MatchKit:
    """Return a match that began a moment ago, without the process that its kit stands for."""
    if game.data.begin is None:
        assert not game.is_of_the_site
        pytest.skip("a game of the tests has no kit")
    kit: MatchKit = game.data.begin(age=30)
    # Else the site would take what the kit's own process left for an outage.
    WebProcess.objects.all().delete()
    return kit


def next_action(
    kit: MatchKit, chance: random.Random, played: int
) -> tuple[int, dict[str, Any]] | None:
    """Return a random action of a seat that goes on with the game, None once it was played."""
    snapshot = kit.snapshot
    rules, play = snapshot.table.rules, snapshot.state.play
    if played > ACTIONS or snapshot.state.is_finished or not rules.pending_seats(play):
        return None
    seat = chance.choice(rules.pending_seats(play))
    kinds: dict[str, list[Any]] = {}
    for action in rules.legal_actions(play, seat):
        if action.kind not in LAST:
            kinds.setdefault(action.kind, []).append(plain(action))
    return seat, chance.choice(kinds[chance.choice(list(kinds))])


def entitled(kit: MatchKit, since: int) -> list[int]:
    """Return who may learn of the entries after one: seats, and behind them the spectator."""
    facts = told_since(kit, since)
    everybody = range(len(kit.people) + 1)
    return [no for no in everybody if any(f.audience is None or no in f.audience for f in facts)]


def told_since(kit: MatchKit, since: int) -> list[Any]:
    entries = Entry.objects.filter(match=kit.match, no__gt=since).order_by("no")
    return [fact for entry in entries for fact in read_facts(entry.facts)]


def last_entry(kit: MatchKit) -> int:
    return kit.row.action_count


def check(kit: MatchKit, shown: list[dict[str, Any]]) -> None:
    """Compare what was shown last with the one view function and the journal."""
    for seat, view in enumerate(shown):
        now = selectors.match_view(kit.snapshot, seat if seat < len(kit.people) else None)
        assert view["game"] == plain(now["game"])
    assert replay_match(kit.row).is_same


async def settle(site: Runtime, listeners: Listeners) -> None:
    """Take all that is sent, and what the bell tells a moment later."""
    await site.user_feed._look(set(site.user_feed.watchers))
    await asyncio.gather(*(heard(browser) for browser in listeners.all))


async def test_contract_an_action_is_sent_to_whom_it_concerns_and_to_nobody_else(
    game: Tried, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal is sent to nobody but who asked."""
    settings.SOCKET_RATE = settings.SOCKET_BURST = 10_000
    # A look that began before an action would tell of what was.
    monkeypatch.setattr(feeds, "COMPARE", 3600.0)
    kit = await sync_to_async(begun)(game)
    cookies = await sync_to_async(lambda: [log_in(user) for user in kit.people])()
    chance = random.Random(game.slug)
    first = since = await sync_to_async(last_entry)(kit)
    async with running_site() as site:
        listeners = await listening(f"/ws/match/{kit.match.public_id}/", cookies)
        await settle(site, listeners)
        while move := await sync_to_async(next_action)(kit, chance, since - first):
            seat, action = move
            answer = await listeners.at_match[seat].act(**action)
            assert answer["type"] == "ack" or "stock" in answer["code"]
            hear = await sync_to_async(entitled)(kit, since)
            if len(hear) > len(kit.people):
                await settle(site, listeners)
            else:
                await listeners.only_hear(*hear)
            since = await sync_to_async(last_entry)(kit)
        await sync_to_async(check)(kit, [browser.view for browser in listeners.at_match])
        for browser in listeners.all:
            await browser.leave()
    facts = await sync_to_async(told_since)(kit, first)
    assert any(fact.audience is not None for fact in facts)


async def test_contract_programs_hear_the_facts_that_are_theirs(game, settings, monkeypatch):
    if game.game.rpc is not None:
        return  # It has names of its own for programs, and tests of them.
    settings.SOCKET_RATE = settings.SOCKET_BURST = 10_000
    monkeypatch.setattr(ProgramConsumer, "_limit_large", lambda self: None)
    kit = await sync_to_async(begun)(game)
    chance = random.Random(game.slug)
    first = since = await sync_to_async(last_entry)(kit)
    async with running_site():
        programs = [await player(kit.match, user) for user in (*kit.people, None)]
        while move := await sync_to_async(next_action)(kit, chance, since - first):
            seat, action = move
            before = [len(each.texts) for each in programs]
            answer = await programs[seat].call(action.pop("kind"), **action)
            assert answer == {"repeated": False} or "stock" in answer
            hear = await sync_to_async(entitled)(kit, since)
            for no, each in enumerate(programs):
                await each.call("server_time")
                # An answer alone: not even that something was done tells.
                assert no in hear or no == seat or len(each.texts) == before[no] + 1
            since = await sync_to_async(last_entry)(kit)
        for each in programs:
            await each.look()
        facts = await sync_to_async(told_since)(kit, first)
        for no, each in enumerate(programs):
            own = [f for f in facts if f.audience is None or no in f.audience]
            assert each.facts == [(fact.kind, fact.data) for fact in own]
        await sync_to_async(check)(kit, [each.state for each in programs])
        await leave(*programs)
