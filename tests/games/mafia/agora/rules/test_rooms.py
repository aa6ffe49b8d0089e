"""Rooms: who reads, who posts, from when to when.  Source: docs/rules/agora.md."""

import pytest

from games.engine.errors import BadField, NotInPhase
from games.engine.facts import SPECTATOR, SeatNo, Viewer
from games.engine.structs import reader_of
from games.mafia.agora.rules.actions import AgoraAction
from games.mafia.agora.rules.roles import Role
from games.mafia.common.rules.actions import LONGEST_POST, BlankPost, Post, RoomClosed
from tests.games.mafia.agora.rules.kit import RULES, Town

pytestmark = pytest.mark.plain

ROOMS = ("town", "mafia", "dead", "spectators", "table", "nowhere")


def may_post(town: Town, seat: int) -> list[str]:
    """Return the rooms that accept a post of a seat; does not change the game."""
    taken = []
    for room in ROOMS:
        try:
            RULES.apply(town.state, SeatNo(seat), Post(room, "x"), town.at)
        except RoomClosed:
            continue
        taken.append(room)
    shown = town.view(seat)["you"]["rooms"]
    assert sorted(taken) == sorted(room["room"] for room in shown if room["may_post"])
    return taken


def test_agora_the_town_posts_by_day_the_mafia_always_and_the_dead_among_themselves() -> None:
    town = Town(9)
    dead = [town.one(Role.CITIZEN), town.are(Role.MAFIOSO)[1]]
    seats = [town.one(role) for role in (Role.DOCTOR, Role.MAFIOSO, Role.AGENT)]
    assert [may_post(town, seat) for seat in seats] == [[], ["mafia"], ["mafia"]]
    for seat in dead:
        town.leave(seat)
    assert [may_post(town, seat) for seat in dead] == [["dead"], ["dead"]]
    town.late()
    assert [may_post(town, seat) for seat in dead] == [["dead"], ["dead"]]
    assert [may_post(town, seat) for seat in seats[:2]] == [["town"], ["town", "mafia"]]


def test_agora_a_post_is_numbered_in_its_room_and_told_to_those_who_read_there() -> None:
    town = Town(9)
    mafia, agent = {*town.are(Role.MAFIOSO), town.one(Role.AGENT)}, town.one(Role.AGENT)
    gone, first, second = town.are(Role.MAFIOSO)[0], *town.are(Role.CITIZEN)[:2]
    town.post(agent, "mafia", "who?")
    town.leave(gone)
    town.leave(first)
    town.post(gone, "dead", "boo")
    town.post(agent, "mafia", "and now?")
    town.late()
    town.post(second, "town", "a canary")
    assert [(t.data["room"], t.data["no"], t.audience) for t in town.told_of("posted")] == [
        ("mafia", 1, mafia),
        ("dead", 1, {gone, first}),
        ("mafia", 2, mafia - {gone}),
        ("town", 1, None),
    ]
    assert town.view()["town_lines"] == 1
    for kept in (town.view(), town.view(0), town.state.rooms, town.told[-1]):
        assert "canary" not in repr(kept)
    assert "canary" not in repr(Post("town", "a canary"))


def test_agora_a_dead_mafioso_reads_no_further_than_the_moment_of_death() -> None:
    town = Town(9)
    gone, other = town.are(Role.MAFIOSO)
    town.post(gone, "mafia")
    town.leave(gone)
    before = town.view(gone)
    town.post(other, "mafia")
    town.post(other, "mafia")
    assert town.view(gone) == before
    rooms = RULES.rooms(town.state, Viewer(SeatNo(gone)))
    assert (rooms["mafia"].reads_to, rooms["town"].reads_to) == (1, None)
    lines = {room["room"]: room["lines"] for room in before["you"]["rooms"]}
    assert lines == {"town": 0, "mafia": 1, "dead": 0}
    assert RULES.rooms(town.state, Viewer(SeatNo(other)))["mafia"].reads_to is None


def test_agora_each_knows_of_the_own_rooms_alone_and_spectators_chat() -> None:
    """A line of chat is numbered elsewhere than a post: no room takes both."""
    town = Town(9)
    gone = town.one(Role.CITIZEN)
    town.leave(gone)
    doctor, agent = town.one(Role.DOCTOR), town.one(Role.AGENT)
    known = {
        seat: sorted(RULES.rooms(town.state, Viewer(None if seat is None else SeatNo(seat))))
        for seat in (doctor, agent, gone, None, 11)
    }
    assert known == {
        doctor: ["town"],
        agent: ["mafia", "town"],
        gone: ["dead", "town"],
        None: ["spectators", "town"],
        11: ["spectators", "town"],
    }
    for viewer in (SPECTATOR, *(Viewer(citizen.no) for citizen in town.state.citizens)):
        spoken = [r for r, room in RULES.rooms(town.state, viewer).items() if room.may_speak]
        assert spoken == (["spectators"] if viewer == SPECTATOR else [])


def test_agora_after_the_end_all_rooms_are_open_to_everybody_and_take_no_more_posts() -> None:
    town = Town(5)
    mafioso = town.one(Role.MAFIOSO)
    town.post(mafioso, "mafia")
    town.leave(mafioso)
    for viewer, room in ((SPECTATOR, "spectators"), (Viewer(SeatNo(0)), "table")):
        rooms = RULES.rooms(town.state, viewer)
        assert {"town", "mafia", "dead"} < set(rooms)
        assert all(each.reads_to is None for each in rooms.values())
        assert [name for name, each in rooms.items() if each.may_speak] == [room]
    town.refuses(NotInPhase, 0, Post("town", "x"))


def test_agora_a_post_says_something_and_has_its_length() -> None:
    town = Town()
    town.late()
    town.refuses(BlankPost, 0, *(Post("town", text) for text in (" ", "\n\t ", "\u2003")))
    read = reader_of(AgoraAction).made_of
    for text in ("", "x" * (LONGEST_POST + 1), "a\0b"):
        with pytest.raises(BadField):
            read({"kind": "post", "room": "town", "text": text})
    longest = {"kind": "post", "room": "town", "text": "é" * LONGEST_POST}
    assert len(read(longest).text) == LONGEST_POST
