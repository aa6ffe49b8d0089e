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


async def test_hostile_40_posts_of_programs_in_a_night_are_sent_only_to_those_who_read_there():
    kit, _, seats = await sync_to_async(begun)()
    async with running_site():
        town = [await player(kit.match, user) for user in (*kit.people, None)]
        guest, post = town[-1], {"room": "mafia", "text": CANARY}
        mafia, first = [*seats[Role.MAFIOSO], *seats[Role.AGENT]], town[seats[Role.CITIZEN][0]]
        before = [len(each.texts) for each in town]
        assert await town[mafia[0]].call("post", **post) == {"repeated": False}
        for no, each in enumerate(town):
            if no in mafia:
                assert post.items() <= (await each.until("posted")).items()
            else:
                await each.call("server_time")
                assert len(each.texts) == before[no] + 1, "an answer alone"
        assert await first.call("post", "mafia", "and I?") == "action/room_closed"
        await first.look()
        late = await player(kit.match, None)
        for each in (*town, late):
            sizes = {len(text.encode()) % FULL for text in each.texts if '"method"' in text}
            assert sizes == {0}, "the length of a message tells nothing"
        for each in (first, guest, late):
            assert CANARY not in "".join(each.texts)
            assert_names_no_role(each.state)
        await leave(*town, late)


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
