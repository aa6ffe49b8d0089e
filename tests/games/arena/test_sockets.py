import json
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from accounts.tokens import make_token
from games.arena import queries
from games.arena.models import Choice, Fight, Grant, Lease, Player, Presence, Round
from games.arena.rules.actions import Choose, Join
from games.arena.rules.moves import Move
from games.arena.rules.options import OPTIONS
from games.realtime import bus
from tests.games.arena.kit import allow, ask, new_item, new_people
from tests.games.socket_kit import Browser, log_in, running_site, until_true

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/ws/arena/"
#: A selection that nobody waits for the end of, and one that ends soon.
LONG, SHORT = 60_000, 300
MOVES = ("rock", "paper", "scissors")
UNWANTED = ("blitz", "classic", "team", "survivor")


class Visitor(Browser):
    def __init__(self, cookie: str | None = None) -> None:
        super().__init__(PATH, cookie)

    async def receive(self, patience: float = 60.0) -> dict[str, Any]:
        frame = await super().receive(patience)
        if frame["type"] == "arena":
            assert frame["revision"] == self.revision + 1
            self.revision, self.view = frame["revision"], frame
            frame["phase"] = frame["arena"]["round"]
        return frame

    async def until_arena(self, wanted: Any) -> dict[str, Any]:
        if not (self.view and wanted(self.view)):
            await self.until(lambda frame: frame["type"] == "arena" and wanted(frame))
        return self.view

    async def until_round(self, no: int) -> None:
        await self.until_arena(lambda view: view["arena"]["round"] >= no)

    async def join(self) -> None:
        assert (await self.act(kind="join"))["type"] == "ack"
        await self.until_arena(
            lambda view: view["you"]["is_in"] and view["arena"]["state"] == "selecting"
        )


async def visitor(user: User | None = None) -> Visitor:
    cookie = None if user is None else await sync_to_async(log_in)(user)
    browser = Visitor(cookie)
    assert await browser.open()
    await browser.until_arena(lambda view: True)
    return browser


def prepared(
    number: int, selection_ms: int, unwanted: Iterable[str] = UNWANTED, **figures: int
) -> list[User]:
    """Return people who do not want these options; the first one has these figures already."""
    allow(selection_ms=selection_ms, blitz_ms=selection_ms, result_ms=0)
    people, wishes = new_people(number), json.dumps(dict.fromkeys(unwanted, "off"))
    for user in people:
        Player.objects.create(user=user, preferences=wishes)
    Player.objects.filter(user=people[0]).update(**figures)
    return people


@asynccontextmanager
async def everybody_in(
    number: int, selection_ms: int = LONG, **given: Any
) -> AsyncIterator[tuple[list[User], list[Visitor]]]:
    people = await sync_to_async(prepared)(number, selection_ms, **given)
    async with running_site():
        visitors = [await visitor(user) for user in people]
        for each in visitors:
            await each.join()
        yield people, visitors


@pytest.mark.both_databases
async def test_arena_socket_view_comes_before_the_ack() -> None:
    async with everybody_in(2) as ((ann, bob), (one, _)):
        ack = await one.act(kind="choose", move="rock")
        assert ack == {"type": "ack", "id": ack["id"], "repeated": False}
        assert one.view["you"]["choice"] == "rock"
        stored = await Choice.objects.aget(user=ann)
        assert (stored.move, stored.round_no) == ("rock", one.view["arena"]["round"])
        await one.act(kind="choose", move=None)
        assert one.view["you"]["choice"] is None
        await one.until_arena(lambda view: view["arena"]["people"] == 2)
        names = one.view["arena"]["names"]
        assert {"name": bob.username, "bot": False} in names
        assert sum(name["bot"] for name in names) == one.view["arena"]["bots"] > 0


async def test_arena_socket_rounds_go_on_and_everybody_gets_each_result() -> None:
    async with everybody_in(4, SHORT) as (people, visitors):
        guest = await visitor()
        for number in range(3):
            for place, each in enumerate(visitors):
                await each.act(kind="choose", move=MOVES[(place + number) % 3])
            shown = visitors[0].view["arena"]["round"]
            for each in (*visitors, guest):
                await each.until_round(shown + 1)
        last = guest.view["arena"]["last"]
        assert guest.view["you"] is None
        assert (last["players"], sum(last["counts"].values())) == (4, 4)
        for user, each in zip(people, visitors, strict=True):
            fight = await Fight.objects.aget(user=user, round_no=each.view["you"]["last"]["round"])
            assert each.view["you"]["last"]["score_delta"] == fight.score_delta
            assert each.view["you"]["score"] == fight.score


@pytest.mark.plain
async def test_arena_socket_guests_and_those_who_are_out_only_watch() -> None:
    (ann,) = await sync_to_async(prepared)(1, LONG)
    async with running_site():
        guest, watcher = await visitor(), await visitor(ann)
        assert guest.view["arena"]["state"] == "resting"
        assert (await guest.act(kind="join"))["code"] == "unauthenticated"
        assert (await watcher.act(kind="choose", move="rock"))["code"] == "action/not_in_arena"
        assert watcher.view["you"]["is_in"] is False
        assert not await Player.objects.filter(is_in=True).aexists()
        for wrong in (
            {"kind": "choose"},
            {"kind": "choose", "move": "well"},
            {"kind": "choose", "move": "rock", "user": 1},
            {"kind": "prefer", "option": "cancel", "value": "on"},
            {"kind": "prefer", "option": "blitz", "value": True},
            {"kind": "win"},
        ):
            assert (await watcher.act(**wrong))["code"] == "bad_field"
        assert (await watcher.act(kind="join"))["type"] == "ack"


@pytest.mark.plain
async def test_arena_socket_takes_typed_commands() -> None:
    (ann,) = await sync_to_async(prepared)(1, LONG)
    async with running_site():
        one = await visitor(ann)
        assert (await one.command("!join"))["type"] == "ack"
        await one.until(lambda frame: frame["type"] == "reply")
        await one.until_arena(lambda view: view["arena"]["state"] == "selecting")
        round_no = one.view["arena"]["round"]
        assert (await one.command("!paper", phase=round_no - 1))["code"] == "stale"
        assert (await one.command("!rock", phase=round_no))["type"] == "ack"
        assert one.view["you"]["choice"] == "rock"
        assert (await one.command("!prefer blitz on"))["type"] == "ack"
        assert one.view["you"]["preferences"]["blitz"] == "on"
        said = await one.until(lambda frame: frame["type"] == "reply" and ": on" in frame["text"])
        assert said["text"] == "Blitz: on."
        assert "Your choice: rock." in (await one.command("!status"))["text"]
        assert "!scissors" in (await one.command("!help"))["text"]
        assert (await one.command("!prefer blitz maybe"))["code"] == "command/usage"
        assert (await one.command("!atk r bob"))["code"] == "command/unknown"
        assert (await one.command("!reset"))["type"] == "ack"
        assert one.view["you"]["waits_until_round_end"] == "reset"


async def test_arena_socket_a_program_joins_and_plays_by_its_token() -> None:
    (ann,) = await sync_to_async(prepared)(1, LONG)
    _, secret = await sync_to_async(make_token)(user=ann, name="a test")
    async with running_site():
        program = Visitor()
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {secret}".encode())]
        program.line.scope["headers"] = headers
        assert await program.open()
        await program.until_arena(lambda view: True)
        await program.join()
        assert (await program.act(kind="choose", move="paper"))["type"] == "ack"
        assert (await Choice.objects.aget(user=ann)).move == "paper"


async def frames_of_a_world(moves: list[str | None]) -> list[str]:
    """All except the first choose; return the frames sent to the first one and a guest."""
    async with everybody_in(4, unwanted=OPTIONS) as (people, visitors):
        # Opened when all are in, so that both have seen as much in any world.
        watching = first, guest = await visitor(people[0]), await visitor()
        for each in (*visitors, *watching):
            await each.until_arena(lambda view: view["arena"]["people"] == len(people))
        for each in watching:
            each.texts.clear()
        for each, move in zip(visitors[1:], moves, strict=True):
            for last in (*MOVES, move):
                assert (await each.act(kind="choose", move=last))["type"] == "ack"
        # What else might tell: an own wish makes the server write a view again.
        await first.act(kind="prefer", option="count", value="on")
        await first.command("!status")
        await guest.command("!status")
        found = [text for each in watching for text in each.texts]
    # What differs between any two rounds is left out: instants, ids, seeds, names.
    chance = r"\d{4}-\d\d-\d\dT[\d:.]+Z|browser-\d+|[0-9a-f]{64}|fighter\d+"
    return [re.sub(chance, "X", text) for text in found]


async def test_arena_a_player_without_a_grant_gets_the_same_bytes_in_two_worlds() -> None:
    one = await frames_of_a_world(["rock", "paper", None])
    for model in (Fight, Choice, Grant, Player, Round, Lease, Presence):
        await model.objects.all().adelete()
    assert one == await frames_of_a_world(["scissors", "scissors", "rock"])
    assert any('"type":"arena"' in text for text in one)


@pytest.mark.plain
@pytest.mark.both_databases
async def test_arena_a_grant_is_recorded_and_shows_the_choices_of_all() -> None:
    async with everybody_in(3, streak=-3) as (people, (granted, one, two)):
        assert granted.view["you"]["bonus"]["sees_choices"]
        await one.act(kind="choose", move="rock")
        await two.act(kind="choose", move="rock")
        chosen = {people[1].username, people[2].username}
        view = await granted.until_arena(
            lambda view: view["you"]["live"] and chosen <= set(view["you"]["live"]["names"]["rock"])
        )
        assert view["you"]["live"]["counts"]["rock"] == len(view["you"]["live"]["names"]["rock"])
        assert [grant.user_id async for grant in Grant.objects.all()] == [people[0].pk]
        seen = [frame for each in (one, two) for frame in each.frames if frame["type"] == "arena"]
        assert not any(frame["you"]["live"] for frame in seen)


@pytest.mark.plain
async def test_arena_no_hint_holds_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    publish = bus.Bus.publish
    monkeypatch.setattr(
        bus.Bus, "publish", lambda line, hints: (told.extend(hints), publish(line, hints))
    )
    async with everybody_in(1, SHORT) as (_, (one,)):
        begun = one.view["arena"]["round"]
        await one.act(kind="choose", move="rock")
        await one.until_round(begun + 2)
    arena = [hint for hint in told if hint[0] == "a"]
    assert arena
    assert all(key == 0 and isinstance(number, int) for _, key, number in arena)
    assert "rock" not in str(told)


@pytest.mark.both_databases
async def test_arena_what_is_done_elsewhere_is_shown_within_a_look() -> None:
    ann, bob = await sync_to_async(prepared)(2, LONG)
    async with running_site() as site:
        one = await visitor(ann)
        await one.join()
        begun = one.view["arena"]["round"]
        await sync_to_async(ask)([new_item(bob, Join(), begun)])
        await one.until_arena(lambda view: view["arena"]["people"] == 2)
        await sync_to_async(ask)([new_item(bob, Choose(Move.ROCK), begun)])
        assert one.view["you"]["choice"] is None
        await until_true(lambda: site.runners["games.arena.hub.ArenaHub"].round_no == begun)
        shown = await sync_to_async(queries.own_view)(bob)
        assert shown["choice"] == "rock"


async def test_arena_socket_a_guest_throws_along_and_nobody_else_learns_of_it() -> None:
    async with everybody_in(4, 1_500, unwanted=OPTIONS) as (people, visitors):
        guest, other = await visitor(), await visitor()
        # The house bots have left.
        await guest.until_arena(
            lambda view: (view["arena"]["people"], view["arena"]["bots"]) == (4, 0)
        )
        no = guest.view["arena"]["round"]
        for each, move in zip(visitors, ("rock", "rock", "rock", "scissors"), strict=True):
            await each.until_round(no)
            await each.act(kind="choose", move=move)
        await guest.until_round(no)
        assert (await guest.act(kind="choose", move="paper"))["type"] == "ack"
        assert guest.view["guest"] == {
            "left": 10, "choice": "paper", "won": 0, "lost": 0, "tied": 0, "last": None,
        }  # fmt: skip
        await guest.until_arena(lambda view: view["guest"]["last"] is not None)
        await other.until_round(no + 1)
        own = guest.view["guest"]["last"]
        assert (own["round"], own["result"], own["score_delta"]) == (no, "won", 0)
        assert own["reason"] == "You beat 3 rocks and lost to 1 scissors."
        assert guest.view["guest"]["left"] == 9
        assert guest.view["arena"]["last"]["counts"] == {"rock": 3, "paper": 0, "scissors": 1}
        assert "guest" not in other.view
        assert guest.view["arena"] == other.view["arena"]
        assert not await Choice.objects.filter(user__in=people, move="paper").aexists()
        assert not any("guest" in each.view for each in visitors)


@pytest.mark.plain
async def test_arena_socket_a_guest_has_ten_rounds_also_while_nobody_is_in() -> None:
    async with running_site():
        guest = await visitor()
        for left in range(9, -1, -1):
            assert (await guest.act(kind="choose", move="rock"))["type"] == "ack"
            assert guest.view["guest"]["left"] == left
        shown = guest.view["guest"]
        assert shown["won"] + shown["lost"] + shown["tied"] == 10
        assert sum(shown["last"]["counts"].values()) == 4
        assert (await guest.act(kind="choose", move="rock"))["code"] == "action/no_rounds_left"
        assert guest.view["arena"]["state"] == "resting"
        assert (await guest.act(kind="reset"))["code"] == "unauthenticated"
        assert not await Player.objects.aexists()


@pytest.mark.plain
async def test_arena_socket_guests_of_one_address_share_an_hours_rounds() -> None:
    await sync_to_async(allow)(guest_rounds_an_hour=3)
    async with running_site():
        one, two = await visitor(), await visitor()
        for each in (one, two, one):
            assert (await each.act(kind="choose", move="rock"))["type"] == "ack"
        assert (await two.act(kind="choose", move="rock"))["code"] == "rate_limited"


@pytest.mark.plain
async def test_arena_socket_a_guest_who_chooses_too_often_is_slowed() -> None:
    async with everybody_in(1):
        guest, late = await visitor(), await visitor()
        for each in (guest, late):
            await each.until_arena(lambda view: view["arena"]["state"] == "selecting")
        late.view["phase"] = 0
        assert (await late.act(kind="choose", move="rock"))["code"] == "stale"
        answers = [await guest.act(kind="choose", move=MOVES[no % 3]) for no in range(20)]
        assert {answer.get("code") for answer in answers} == {None, "rate_limited"}
        # However often it changed, it was one round.
        assert guest.view["guest"]["left"] == 10
