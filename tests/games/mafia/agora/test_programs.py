"""Programs in a town: each is told what its own role may know, and nothing else is sent."""

import pytest
from asgiref.sync import sync_to_async

from games.jsonrpc.story import Fact, Position
from games.mafia.agora.rules.roles import Role
from games.matches.queries.match_view import FULL
from games.realtime.chat_limits import ChatLimits
from tests.games.jsonrpc.kit import leave, player
from tests.games.mafia.agora.test_sockets import assert_names_no_role, begun
from tests.games.mafia.common.listening import CANARY
from tests.games.socket_kit import running_site

pytestmark = pytest.mark.django_db(transaction=True)


async def test_hostile_40_programs_in_a_night_are_sent_only_what_is_theirs() -> None:
    kit, _, seats = await sync_to_async(begun)()
    async with running_site():
        town = [await player(kit.match, user) for user in kit.people]
        guest = await player(kit.match, None)
        agent, mafiosi, (first, *_) = seats[Role.AGENT][0], seats[Role.MAFIOSO], seats[Role.CITIZEN]
        (doctor,), post = seats[Role.DOCTOR], {"room": "mafia", "text": CANARY}
        for seat, kind, params, entitled in (
            (doctor, "choose", {"target": first}, [doctor]),
            (mafiosi[1], "choose", {"target": first}, mafiosi),
            (mafiosi[0], "post", post, [*mafiosi, agent]),
            (first, "done", {}, [first]),
        ):
            before = [(len(each.texts), len(each.facts)) for each in (*town, guest)]
            assert await town[seat].call(kind, **params) == {"repeated": False}
            for no, each in enumerate((*town, guest)):
                await each.call("server_time")
                # An answer alone: not even that something was done tells.
                assert no in entitled or len(each.texts) == before[no][0] + 1
            for no in entitled:
                while len(town[no].facts) == before[no][1]:
                    await town[no].receive()
        told, data = town[agent].facts[-1]
        assert (told, {name: data[name] for name in post}) == ("posted", post)
        assert await town[first].call("post", "mafia", "and I?") == "action/room_closed"
        await town[first].look()
        late = await player(kit.match, None)
        for each in (*town, guest, late):
            sizes = {len(text.encode()) % FULL for text in each.texts if '"method"' in text}
            assert sizes == {0}, "the length of a message tells nothing"
        for each in (town[first], guest, late):
            told = "".join(each.texts)
            assert CANARY not in told
            assert "target_chosen" not in told
            assert_names_no_role(each.state)
        await leave(*town, guest, late)


async def test_hostile_63_posts_of_programs_are_limited_like_chat() -> None:
    kit, _, seats = await sync_to_async(begun)()
    async with running_site() as site:
        # A stopped clock: however slow a machine is, all is said at once.
        site.chat_limits = ChatLimits(lambda: 1_000.0)
        seat = seats[Role.MAFIOSO][0]
        one = await player(kit.match, kit.people[seat])
        answers = [await one.call("post", "mafia", f"line {number}") for number in range(7)]
        assert answers[:5] == [{"repeated": False}] * 5
        assert set(answers[5:]) == {"rate_limited"}
        await leave(one)


def test_rpc_agora_who_is_replaced_hears_no_more_of_the_seat() -> None:
    """A seat's private fact goes to the user who holds the seat at that time."""
    position = Position(1, 1, 1, {0: 10, 1: 11})
    position.note(Fact(2, 1, "seat_taken_over", {"seat": 1, "name": "x"}, None, 12))
    assert [position.seat_of(user) for user in (10, 11, 12, None)] == [0, None, 1, None]
    position.note(Fact(3, 1, "stood", {"seat": 0, "reason": "stood"}, None, None))
    assert position.seat_of(10) is None
