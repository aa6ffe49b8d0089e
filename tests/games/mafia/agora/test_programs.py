"""Programs in a town: each is told what its own role may know, and nothing else is sent."""

import pytest
from asgiref.sync import sync_to_async

from games.engine.facts import SeatNo, Told
from games.engine.table.facts import SeatTakenOver, Stood
from games.mafia.agora.rules.roles import Role
from games.mafia.common.rules.facts import CheckedIn
from games.matches.journal.entries import EntryRow, write_facts
from games.matches.journal.story import Holders
from games.matches.queries.match_view import FULL
from games.realtime.limits import ChatLimits
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
    own, everybody = Told(CheckedIn(SeatNo(1)), {1}), (10, 11, 12, None)
    facts = write_facts([own, Told(SeatTakenOver(SeatNo(1))), own, Told(Stood(SeatNo(0), "stood"))])
    entry = EntryRow(1, 2, None, None, 12, "taken-over", "", None, 1, facts, 0, 4, 2, True)
    holders = Holders({0: 10, 1: 11})
    before, _, after, _ = holders.facts_of(entry)
    assert [before.is_for(user) for user in everybody] == [False, True, False, False]
    assert [after.is_for(user) for user in everybody] == [False, False, True, False]
    assert holders.users == {1: 12}
