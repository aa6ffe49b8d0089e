"""The sockets of the ladder.  Source: docs/explanation/ladder.md."""

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.devices import note
from accounts.models import User
from accounts.services import freeze
from games.ladder import pool, results
from games.ladder.models import Encounter, Entrant, PlayedMatch, Pooled
from games.ladder.rules.match import unpack
from games.matches.models import Rating
from games.realtime import runtime
from games.realtime.leases import HELD, moment
from games.realtime.protocol import Close
from tests.boot import PATIENCE
from tests.games.jsonrpc.kit import InsideLine, bearer
from tests.games.ladder.kit import PATH, Player, allow, enter, new_program, open_ladder
from tests.games.match_kit import new_user
from tests.games.socket_kit import until_true

pytestmark = pytest.mark.django_db(transaction=True)

make = sync_to_async(new_program)


async def pair(**given: Any) -> tuple[User, User, Player, Player]:
    """Return two programs of two addresses, and let them be paired."""
    ann, bob = await make(**given), await make(**given)
    return ann, bob, await enter(ann, address="192.0.2.1"), await enter(bob, address="192.0.2.2")


async def begun(*players: Player) -> None:
    for each in players:
        await each.next("ladder.throw")


@pytest.mark.plain
@pytest.mark.both_databases
async def test_ladder_two_programs_play_a_match_that_is_stored_and_rated(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch, throws=21):
        ann, bob, one, two = await pair()
        first, second = await asyncio.gather(
            one.play(lambda told: "rps"[told["no"] % 3]), two.play(lambda told: "r")
        )
        began = next(each for each in one.told if each.get("method") == "ladder.began")["params"]
        assert began["opponent"] == bob.username
        assert began["throws"] == 21
        throws = [each["params"] for each in one.told if each.get("method") == "ladder.throw"]
        assert [each["no"] for each in throws] == list(range(1, 22))
        assert throws[0] == {"no": 1, "mine": None, "theirs": None}
        assert throws[4] == {"no": 5, "mine": "p", "theirs": "r"}
        told = first["params"]
        assert (told["wins"], told["losses"], told["ties"]) == (7, 7, 7)
        assert (told["reason"], told["forfeit"]) == ("played", None)
        assert told["rating"]["before"] == 1500
        assert second["params"]["match"] == told["match"]
    row = await PlayedMatch.objects.select_related("first__user", "second__user").aget()
    seats = [entrant.user_id for entrant in row.entrants]
    hands = unpack(row.hands)
    assert hands[seats.index(bob.pk)] == [0] * 21
    assert "".join("rps"[code] for code in hands[seats.index(ann.pk)]) == "psr" * 7
    assert (row.throws, row.won_first, row.won_second, row.seed) == (21, 7, 7, "")
    changes = json.loads(row.ratings)
    for user, change in zip(seats, changes, strict=True):
        rating = await Rating.objects.aget(user=user, game="ladder")
        assert (rating.mu, rating.sigma, rating.games) == (*change[2:], 1)
        entrant = await Entrant.objects.aget(user=user)
        assert (entrant.matches, entrant.throws, entrant.won) == (1, 21, 7)
        assert entrant.rated == 21
    met = await Encounter.objects.aget()
    assert (met.matches, met.throws, met.won_one, met.won_other) == (1, 21, 7, 7)


async def test_ladder_a_new_program_meets_the_house_at_once(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch) as running:
        user = await make(rated=0)
        other = await make(rated=0)
        one, two = await enter(user), await enter(other)
        told = await asyncio.gather(one.play(lambda _: "r"), two.play(lambda _: "p"))
        assert all(each["params"]["rating"] for each in told)
        assert not running.games
    rows = [row async for row in PlayedMatch.objects.select_related("second").order_by("pk")]
    assert len(rows) == 2
    assert all(row.second.house and row.seed for row in rows)
    # Both may have met the same one.
    house = await Entrant.objects.aget(pk=rows[-1].second_id)
    assert (house.mu, house.sigma) == tuple(json.loads(rows[-1].ratings)[1][2:])
    assert not await Rating.objects.filter(game="ladder").exclude(user__in=[user, other]).aexists()


async def test_ladder_a_rating_is_the_one_of_the_stored_rows_again(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch, throws=9, rest=0):
        user = await make(rated=0)
        one = await enter(user)
        for number in range(6):
            await one.play(lambda told, number=number: "rps"[(told["no"] * number) % 3])
    ratings = await sync_to_async(recomputed)()
    row = await Rating.objects.aget(user=user, game="ladder")
    entrant = await Entrant.objects.aget(user=user)
    assert ratings[entrant.pk] == (row.mu, row.sigma)
    assert row.games >= 6
    for house in [each async for each in Entrant.objects.exclude(house=None)]:
        assert ratings.get(house.pk, (house.mu, house.sigma)) == (house.mu, house.sigma)


def recomputed() -> dict[int, tuple[float, float]]:
    """Rate all stored matches again."""
    found: dict[int, Rating] = {}
    for row in PlayedMatch.objects.exclude(ratings="").order_by("pk"):
        seats = {no: found.setdefault(pk, results.new_rating(pk, "ladder"))
                 for no, pk in enumerate((row.first_id, row.second_id))}  # fmt: skip
        winner = None if row.won_first == row.won_second else int(row.won_second > row.won_first)
        winner = winner if row.forfeit is None else 1 - row.forfeit
        before = [[each.mu, each.sigma] for each in seats.values()]
        results.rate_game(seats, results.PLACES[winner], 0, row.ended_at)
        after = [[each.mu, each.sigma] for each in seats.values()]
        assert json.loads(row.ratings) == [b + a for b, a in zip(before, after, strict=True)]
    return {pk: (each.mu, each.sigma) for pk, each in found.items()}


@pytest.mark.parametrize("shared", ["address", "network", "owner", "device"])
async def test_ladder_two_of_one_owner_device_or_address_meet_unrated(monkeypatch, shared) -> None:
    def share() -> list[User]:
        two, owner = [new_program(), new_program()], new_user()
        for each in two:
            if shared == "owner":
                User.objects.filter(pk=each.pk).update(owner=owner)
            elif shared == "device":
                note(user_id=each.pk, token="t" * 43, address="", at=timezone.now())
        return two

    addresses = {
        "address": ("192.0.2.1", "192.0.2.1"),
        "network": ("2001:db8::1", "2001:db8::2"),
    }.get(shared, ("192.0.2.1", "192.0.2.2"))
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch, throws=3):
        users = await sync_to_async(share)()
        one, two = [
            await enter(user, address=address)
            for user, address in zip(users, addresses, strict=True)
        ]
        told = await asyncio.gather(one.play(lambda _: "r"), two.play(lambda _: "p"))
        assert [each["params"]["rating"] for each in told] == [None, None]
    assert (await PlayedMatch.objects.aget()).ratings == ""
    assert not await Rating.objects.filter(game="ladder").aexists()


# What is no answer ------------------------------------------------------------------------

#: What a program sends instead of an answer to a request -> the reason of its forfeit.
WRONG = {
    "a wrong hand": ([{"result": "x", "id": "…"}], "bad_hand"),
    "no text": ([{"result": 7, "id": "…"}], "bad_hand"),
    "an error": ([{"error": {"code": 1, "message": "no"}, "id": "…"}], "bad_hand"),
    "two answers": ([{"result": "r", "id": "…"}, {"result": "p", "id": "…"}], "bad_answer"),
    "another request's": ([{"result": "r", "id": 999}], "bad_answer"),
    "no id": ([{"result": "r", "id": None}], "bad_answer"),
    "neither answer nor call": ([{"hello": 1}], "bad_answer"),
}


@pytest.mark.parametrize(("messages", "reason"), WRONG.values(), ids=WRONG)
async def test_ladder_something_else_forfeits_and_needs_another_ready(
    monkeypatch, messages: list[dict[str, Any]], reason: str
) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch) as running:
        _, _, one, two = await pair()
        request = await one.next("ladder.throw")
        await two.next("ladder.throw")
        for message in messages:
            filled = {key: request["id"] if value == "…" else value
                      for key, value in message.items()}  # fmt: skip
            await one.send(**filled)
        mine = (await one.next("ladder.ended"))["params"]
        theirs = (await two.next("ladder.ended"))["params"]
        assert (mine["reason"], mine["forfeit"]) == (reason, "you")
        assert (theirs["reason"], theirs["forfeit"]) == (reason, "opponent")
        assert mine["rating"]["after"] < 1500 < theirs["rating"]["after"]
        by_name = {each.name: each for each in running.entered.values()}
        assert sorted(each.is_ready for each in by_name.values()) == [False, True]
    assert (await PlayedMatch.objects.aget()).forfeit is not None


async def test_ladder_broken_json_and_long_frames_forfeit(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        long = '{"jsonrpc":"2.0","result":"' + "r" * 9000 + '","id":1}'
        for text, reason in (("{", "bad_answer"), ('["r"]', "bad_answer"), (long, "bad_hand")):
            _, _, one, two = await pair()
            await begun(one, two)
            await one.line.send(text)
            assert (await two.next("ladder.ended"))["params"]["reason"] == reason
            assert (await one.next("ladder.ended"))["params"]["forfeit"] == "you"
            await one.line.close()
            await two.line.close()


async def test_ladder_a_mute_program_forfeits_when_its_bank_is_used_up(monkeypatch) -> None:
    monkeypatch.setattr("games.ladder.rules.match.BANK", 0.1)
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        _, _, one, two = await pair()
        await one.answer(await one.next("ladder.throw"))
        told = (await one.next("ladder.ended"))["params"]
        assert (told["reason"], told["forfeit"]) == ("clock", "opponent")
        # Its answer comes too late for the match, and is no fault.
        await two.answer(await two.next("ladder.throw"))
        await two.next("ladder.ended")
        assert (await two.call("ladder.ready"))["result"] is True


async def test_ladder_a_flood_is_closed_and_forfeits(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        _, _, one, two = await pair()
        await begun(one, two)
        for _ in range(200):
            await one.send(method="ladder.ready", id=1)
        assert (await two.next("ladder.ended"))["params"]["reason"] == "flood"
        assert await one.code() == Close.FLOOD


async def test_ladder_who_disconnects_in_a_match_forfeits(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch) as running:
        _, _, one, two = await pair()
        await begun(one, two)
        await one.line.close()
        told = (await two.next("ladder.ended"))["params"]
        assert (told["reason"], told["forfeit"]) == ("left", "opponent")
        assert len(running.entered) == 1


# Who may be here ---------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["a person", "frozen", "of a frozen owner"])
async def test_ladder_a_person_and_a_frozen_program_are_told_forbidden(monkeypatch, who) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        person = await sync_to_async(new_user)()
        user = person if who == "a person" else await make()
        if who == "of a frozen owner":
            await User.objects.filter(pk=user.pk).aupdate(owner=person)
            await sync_to_async(freeze)(user_id=person.pk, reason="")
        elif who == "frozen":
            await sync_to_async(freeze)(user_id=user.pk, reason="")
        player = await enter(user, is_ready=False)
        assert (await player.receive())["params"] == {"why": "forbidden"}
        assert await player.code() == Close.BANNED


async def test_ladder_nobody_comes_in_without_a_valid_token(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        for headers in ((), (bearer("rrt_wrong"),)):
            assert not await InsideLine(PATH, *headers).open()


async def test_ladder_a_second_socket_replaces_the_first_but_not_in_a_match(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch) as running:
        ann, bob = await make(), await make()
        old = await enter(ann, is_ready=False)
        one = await enter(ann)
        assert (await old.receive())["params"] == {"why": "replaced"}
        assert await old.code() == Close.TOO_MANY_SOCKETS
        two = await enter(bob)
        await begun(one, two)
        late = await enter(ann, is_ready=False)
        assert (await late.receive())["params"] == {"why": "in_match"}
        assert await late.code() == Close.TOO_MANY_SOCKETS
        assert len(running.games) == 1


async def test_ladder_an_address_has_five_programs(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        five = [await enter(await make(), is_ready=False, address="192.0.2.9") for _ in range(5)]
        sixth = await enter(await make(), is_ready=False, address="192.0.2.9")
        assert (await sixth.receive())["params"] == {"why": "too_many"}
        await enter(await make(), address="192.0.2.8")
        await five[0].line.close()
        await enter(await make(), address="192.0.2.9")


async def test_ladder_a_revoked_token_ends_the_socket(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        user = await make()
        player = await enter(user, is_ready=False)
        user.set_password("another long password")
        await sync_to_async(user.save)()
        assert await player.code() == Close.SESSION_ENDED


# Coming and going --------------------------------------------------------------------------


async def test_ladder_leave_in_a_match_is_for_after_it(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch, throws=5) as running:
        _, _, one, two = await pair()
        await one.next("ladder.began")
        await one.send(method="ladder.leave", id=7)
        told = await asyncio.gather(one.play(lambda _: "r"), two.play(lambda _: "r"))
        assert [each["params"]["reason"] for each in told] == ["played"] * 2
        by_name = {each.waiting.user: each.is_ready for each in running.entered.values()}
        assert sorted(by_name.values()) == [False, True]


async def test_ladder_is_closed_by_its_switch(monkeypatch) -> None:
    await sync_to_async(allow)(open=0)
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch) as running:
        one = await enter(await make(rated=0), is_ready=False)
        await until_true(lambda: not running.numbers["ladder.open"])
        error = (await one.call("ladder.ready"))["error"]
        assert (error["code"], error["data"]["token"]) == (1010, "maintenance")


async def test_ladder_a_program_rests_when_it_has_played_enough(monkeypatch) -> None:
    await sync_to_async(allow)(hourly=2)
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch, throws=3, rest=0) as running:
        one = await enter(await make(rated=0))
        for _ in range(2):
            await one.play(lambda _: "r")
        for _ in range(3):
            await running._step()
        assert not running.games
        await sync_to_async(allow)(hourly=3)
        await one.play(lambda _: "r")


async def test_ladder_bad_calls_get_the_standard_errors(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        one = await enter(await make(), is_ready=False)
        assert (await one.call("ladder.win"))["error"]["code"] == -32601
        assert (await one.call("ladder.leave", now=True))["error"]["code"] == -32602
        for source in ("javascript:alert(1)", "http://a.example/", "https://a b", 'https://a"b'):
            assert (await one.call("ladder.ready", source=source))["error"]["code"] == -32602
        assert (await one.call("ladder.ready", source="https://a.example/b"))["result"] is True


async def test_ladder_is_told_to_go_elsewhere_where_another_process_has_it(monkeypatch) -> None:
    def lend(holder: str) -> None:
        Pooled.objects.update_or_create(
            name="ladder", defaults={"holder": holder, "until": moment() + HELD * 100}
        )

    await sync_to_async(lend)("other")
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch) as running:
        one = await enter(await make(), is_ready=False)
        assert (await one.next("ladder.closed"))["params"] == {"why": "elsewhere"}
        assert await one.code() == Close.RESTART
        await sync_to_async(lend)(running.name)
        _, _, one, two = await pair()
        await begun(one, two)
        await sync_to_async(lend)("other")
        for each in (one, two):
            await each.next("ladder.dropped")
            assert await each.code() == Close.RESTART
    assert not await PlayedMatch.objects.aexists()


async def test_ladder_a_draining_process_plays_its_matches_to_the_end(
    monkeypatch, settings
) -> None:
    settings.DRAIN_SECONDS = 30
    monkeypatch.setattr(runtime.outage, "is_alone", lambda: False)
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch, throws=9) as running:
        _, _, one, two = await pair()
        first, second = await one.next("ladder.throw"), await two.next("ladder.throw")
        idle = await enter(await make(), is_ready=False)
        draining = asyncio.create_task(runtime.drain())
        assert await idle.code() == Close.RESTART
        await until_true(lambda: sum(each._ends_after for each in running.entered.values()) == 2)
        assert not draining.done()
        await one.answer(first)
        await two.answer(second)
        told = await asyncio.gather(one.play(lambda _: "r"), two.play(lambda _: "p"))
        assert [each["params"]["reason"] for each in told] == ["played"] * 2
        for each in (one, two):
            assert (await each.next("ladder.closed"))["params"] == {"why": "draining"}
            assert await each.code() == Close.RESTART
        await draining
        assert not running.games


async def test_ladder_a_process_that_ends_drops_its_matches(monkeypatch) -> None:
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch):
        _, _, one, two = await pair()
        await begun(one, two)
        await runtime.stop()
        for each in (one, two):
            await each.next("ladder.dropped")
            assert await each.code() == Close.RESTART
    assert not await PlayedMatch.objects.aexists()


async def test_ladder_a_drained_process_drops_long_matches(monkeypatch) -> None:
    monkeypatch.setattr(pool, "FAREWELL", 0.0)
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch) as running:
        _, _, one, two = await pair()
        await begun(one, two)
        running._runtime.hub.is_closing = True
        for each in (one, two):
            await each.next("ladder.dropped")


async def test_ladder_more_throws_than_the_limit_wait(monkeypatch) -> None:
    await sync_to_async(allow)(throws=20)
    async with asyncio.timeout(PATIENCE), open_ladder(monkeypatch, throws=8):
        one, two = await enter(await make()), await enter(await make())
        before = asyncio.get_running_loop().time()
        told = await asyncio.gather(one.play(lambda _: "r"), two.play(lambda _: "p"))
        assert [each["params"]["reason"] for each in told] == ["played"] * 2
        assert asyncio.get_running_loop().time() - before > 0.3
