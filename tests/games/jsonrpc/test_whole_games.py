"""Whole games over sockets: programs are told what ``rpc.discover`` says, and nothing else."""

import random
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from jsonschema import Draft202012Validator

from games import registry
from games.engine.choices import bounds_of, chosen_options
from games.engine.draws import hash_of_salt
from games.jsonrpc.consumer import ProgramConsumer
from games.jsonrpc.generated import interface_of
from games.matches import services as matches
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.bots import choose
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.realtime.runtime import Runtime
from tests.games.contract.kit import OF_THE_SITE
from tests.games.jsonrpc.kit import leave, player
from tests.games.jsonrpc.program import Program
from tests.games.match_kit import new_user
from tests.games.socket_kit import begin_soon, running_site, until_true

pytestmark = pytest.mark.django_db(transaction=True)
#: How much later the site's clock is than ours.
SHIFT = [timedelta()]
DONE = {"repeated": False}


@pytest.fixture(autouse=True)
def _short_waits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SOCKET_RATE = settings.SOCKET_BURST = 10_000
    monkeypatch.setattr(ProgramConsumer, "_limit_large", lambda self: None)
    begin_soon(monkeypatch)
    real, SHIFT[0] = timezone.now, timedelta()
    monkeypatch.setattr(timezone, "now", lambda: real() + SHIFT[0])


def table(slug: str) -> tuple[Match, list[Any]]:
    """Open a table for the fewest, with short clocks, so that few minutes are passed over."""
    game = registry.table(slug)
    users = [new_user() for _ in range(game.newest.min_seats)]
    chosen = chosen_options(game.options)
    clocks = [name for name in chosen if name.endswith("_seconds")]
    options = {name: bounds_of(game.options, name)["least"] + 30 for name in clocks}
    if "seats" in chosen:
        options["seats"] = len(users)
    return matches.open_match(opened_by=users[0], options=options, game=slug), users


async def call(slug: str, one: Program, kind: str, **given: Any) -> Any:
    """Call the method of an action, by its own names."""
    method = next(each for each in interface_of(slug).methods.values() if each.kind == kind)
    names = {each.field or each.name: each.name for each in method.parameters}
    return await one.call(method.name, **{names[field]: value for field, value in given.items()})


async def begin(match: Match, users: list[Any], players: list[Program]) -> None:
    """Sit down, change an option from elsewhere, get ready with salts, and reveal them."""
    slug, salts = match.game, [f"{seat:02x}" * 32 for seat in range(len(users))]
    assert await call(slug, players[0], "sit")
    assert await call(slug, players[0], "stand") == DONE
    for one in players:
        assert (await call(slug, one, "sit"))["repeated"] is False
    unlisted = {"kind": "configure", "listed": False}
    change = Submission(match.pk, unlisted, "from-elsewhere", users[0].pk)
    await sync_to_async(writing.submit)(change)
    for one, salt in zip(players, salts, strict=True):
        given = {"configuration": 2, "salt_hash": hash_of_salt(salt)}
        assert await call(slug, one, "ready", **given) == DONE
    for one, salt in zip(players, salts, strict=True):
        assert await call(slug, one, "reveal", salt=salt) == DONE


async def play(site: Runtime, match: Match, players: list[Program]) -> None:
    """Play like bots until the game is over; where nobody ends a phase, its time is passed over."""
    chance, room = random.Random(match.game), site.hub.rooms[match.pk]

    def is_later(status: str, phase: int) -> bool:
        now = room.snapshot and room.snapshot.match
        return now is not None and (now.status, now.phase) != (status, phase)

    await until_true(lambda: is_later("open", 0))
    while (snapshot := await sync_to_async(selectors.snapshot_of)(match)).match.is_live:
        now = snapshot.match.status, snapshot.match.phase
        for seat in snapshot.table.rules.pending_seats(snapshot.state.play):
            # For bots that have their own times it is the last moment of the phase.
            at = snapshot.due_at and snapshot.due_at - 1
            view = {**selectors.match_view(snapshot, seat), "at": at, "posts": []}
            for action in choose(view, chance):
                if not is_later(*now):
                    await call(match.game, players[seat], **action)
        match = await Match.objects.aget(pk=match.pk)
        if (match.status, match.phase) == now and match.due_at is not None:
            SHIFT[0] += match.due_at - timezone.now() + timedelta(seconds=0.1)
            site.writer.keep_beating()
            site.writer.sweep()
            await until_true(partial(is_later, *now))


def require_told(whole: dict[str, Any], word: dict[str, Any]) -> None:
    """Check one notification against the description that the program itself was given."""
    listed = {each["name"]: each["params"] for each in whole["x-notifications"]}
    params, given = listed[word["method"]], word.get("params", {})
    names = [each["name"] for each in params]
    if isinstance(given, list):
        assert len(given) == len(names), word
        given = dict(zip(names, given, strict=True))
    required = {each["name"] for each in params if each["required"]}
    assert required <= given.keys() <= {*names}, word
    for each in params:
        if each["name"] in given:
            schema = {**each["schema"], "components": whole["components"]}
            Draft202012Validator(schema).validate(given[each["name"]])


@pytest.mark.parametrize("slug", OF_THE_SITE)
async def test_openrpc_every_notification_of_a_whole_game_is_as_its_document_says(
    slug: str,
) -> None:
    match, users = await sync_to_async(table)(slug)
    async with running_site() as site:
        players = [await player(match, user) for user in users]
        guest = await player(match, None)
        await begin(match, users, players)
        await play(site, match, players)
        assert await call(slug, players[0], "rematch") == DONE
        told = []
        for one in (*players, guest):
            assert await one.call("send_state") is True
            whole = await one.call("rpc.discover")
            told += (
                words := [each for message in one.messages for each in message if "method" in each]
            )
            for word in words:
                require_told(whole, word)
        await leave(*players, guest)
    assert len({word["method"] for word in told}) > 15
