"""Rooms: who reads, who posts, from when to when.  Source: docs/rules/agora.md."""

import pytest

from games.engine.errors import BadField, NotInPhase
from games.engine.facts import SPECTATOR, SeatNo, Viewer
from games.engine.structs import reader_of
from games.mafia.agora.rules.actions import AgoraAction
from games.mafia.agora.rules.roles import Role
from games.mafia.common.rules.actions import LONGEST_POST, BlankPost, Post, RoomClosed
from tests.games.mafia.agora.rules.kit import RULES, Town

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


def test_agora_the_town_posts_by_day_and_the_mafia_always() -> None:
    town = Town()
    citizen, mafioso, agent = (town.one(role) for role in (Role.CITIZEN, Role.MAFIOSO, Role.AGENT))
    assert may_post(town, citizen) == []
    assert may_post(town, mafioso) == may_post(town, agent) == ["mafia"]
    town.late()
    assert may_post(town, citizen) == ["town"]
    assert may_post(town, mafioso) == ["town", "mafia"]


def test_agora_the_dead_post_among_the_dead_alone() -> None:
    town = Town(9)
    dead = [town.one(Role.CITIZEN), town.are(Role.MAFIOSO)[0]]
    for seat in dead:
        town.leave(seat)
    for _ in range(2):
        assert [may_post(town, seat) for seat in dead] == [["dead"], ["dead"]]
        town.late()


def test_agora_a_post_is_numbered_in_its_room_and_told_to_those_who_read_there() -> None:
    town = Town(9)
    mafia = {*town.are(Role.MAFIOSO), town.one(Role.AGENT)}
    gone, first, second = town.are(Role.MAFIOSO)[0], *town.are(Role.CITIZEN)[:2]
    town.post(town.one(Role.AGENT), "mafia", "who?")
    assert town.last("posted").audience == mafia
    town.leave(gone)
    town.leave(first)
    town.post(gone, "dead", "boo")
    assert town.last("posted").audience == {gone, first}
    town.post(town.one(Role.AGENT), "mafia", "and now?")
    assert town.last("posted").audience == mafia - {gone}
    town.late()
    town.post(second, "town", "good day")
    assert town.last("posted").audience is None
    numbers = [(t.data["room"], t.data["no"]) for t in town.told if t.kind == "posted"]
    assert numbers == [("mafia", 1), ("dead", 1), ("mafia", 2), ("town", 1)]


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
    assert {room["room"]: room["lines"] for room in before["you"]["rooms"]} == {
        "town": 0, "mafia": 1, "dead": 0,
    }  # fmt: skip
    assert RULES.rooms(town.state, Viewer(SeatNo(other)))["mafia"].reads_to is None


def test_agora_each_knows_of_the_own_rooms_alone() -> None:
    town = Town(9)
    gone = town.one(Role.CITIZEN)
    town.leave(gone)
    known = {
        name: sorted(RULES.rooms(town.state, viewer))
        for name, viewer in {
            "citizen": Viewer(SeatNo(town.one(Role.DOCTOR))),
            "mafia": Viewer(SeatNo(town.one(Role.AGENT))),
            "dead": Viewer(SeatNo(gone)),
            "spectator": SPECTATOR,
            "a seat without a citizen": Viewer(SeatNo(11)),
        }.items()
    }
    assert known == {
        "citizen": ["town"],
        "mafia": ["mafia", "town"],
        "dead": ["dead", "town"],
        "spectator": ["spectators", "town"],
        "a seat without a citizen": ["spectators", "town"],
    }


def test_agora_chat_is_for_spectators_while_the_game_runs() -> None:
    """A line of chat is numbered elsewhere than a post: no room takes both."""
    town = Town()
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
    with pytest.raises(NotInPhase):
        town.post(0, "town")


@pytest.mark.parametrize("text", [" ", "\n\t ", "\u2003"])
def test_agora_a_post_says_something(text: str) -> None:
    town = Town()
    town.late()
    with pytest.raises(BlankPost):
        town.post(0, "town", text)


@pytest.mark.parametrize("text", ["", "x" * (LONGEST_POST + 1), "a\0b"])
def test_agora_a_post_has_its_length(text: str) -> None:
    with pytest.raises(BadField):
        reader_of(AgoraAction).made_of({"kind": "post", "room": "town", "text": text})
    longest = {"kind": "post", "room": "town", "text": "é" * LONGEST_POST}
    assert len(reader_of(AgoraAction).made_of(longest).text) == LONGEST_POST


def test_agora_a_post_stands_in_no_view_and_no_state() -> None:
    town = Town()
    town.late()
    town.post(0, "town", "a canary")
    assert town.view()["town_lines"] == 1
    assert "canary" not in repr((town.view(), town.view(0), town.state.rooms))
    assert "canary" not in repr((town.told[-1], Post("town", "a canary")))
