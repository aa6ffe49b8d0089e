"""The readers and writers of each room: the town, a team's room, the graveyard, the spectators. A
room's ``may_speak`` is about chat; posts are actions of the game, numbered in their room.
Source: docs/rules/agora.md "Secret information".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from games.engine.facts import SeatNo, Viewer
from games.engine.protocols import SPECTATORS_ROOM, TABLE_ROOM, Room
from games.engine.structs import SECRET, Hidden
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import Member, find

TOWN: Final = "town"
DEAD: Final = "dead"


class RoomLines(Hidden, frozen=True):
    room: str
    lines: Annotated[int, SECRET] = 0


@dataclass(frozen=True, slots=True)
class Talk:
    """The rooms of a game now; ``teams`` is the team room of each seat that has one."""

    stage: Stage
    members: tuple[Member, ...]
    teams: Mapping[SeatNo, str]
    rooms: tuple[RoomLines, ...]

    def open_to(self, member: Member) -> tuple[str, ...]:
        """Return the rooms in which a member may post now."""
        if self.stage == Stage.OVER:
            return ()
        if not member.is_alive:
            return (DEAD,)
        if not member.may_act:
            return ()
        town = (TOWN,) if self.stage == Stage.DAY else ()
        team = self.teams.get(member.no)
        return town if team is None else (*town, team)

    def audience(self, room: str) -> frozenset[SeatNo] | None:
        """Return the readers of a post made now: None for everybody."""
        if room == TOWN:
            return None
        if room == DEAD:
            return frozenset(member.no for member in self.members if not member.is_alive)
        return frozenset(m.no for m in self.members if m.is_alive and self.teams.get(m.no) == room)

    def limit_at_death(self, no: SeatNo) -> int | None:
        team = self.teams.get(no)
        return None if team is None else lines_in(self.rooms, team)

    def readable(self, member: Member) -> dict[str, int]:
        """Return the rooms that a member may read, each with its last readable line."""
        team = self.teams.get(member.no)
        names = (TOWN, *([] if team is None else [team]), *([] if member.is_alive else [DEAD]))
        lines = {room.room: room.lines for room in self.rooms}
        shown = {name: lines[name] for name in names}
        if team is not None and member.reads_to is not None:
            shown[team] = member.reads_to
        return shown

    def seen_by(self, viewer: Viewer) -> dict[str, Room]:
        """Return the rooms that a viewer may know of; after the end all are open to everybody."""
        member = None if viewer.seat is None else find(self.members, viewer.seat)
        if self.stage == Stage.OVER:
            return {
                **{room.room: _read_only(None) for room in self.rooms},
                TABLE_ROOM: Room(may_speak=member is not None),
                SPECTATORS_ROOM: Room(may_speak=member is None),
            }
        if member is None:
            return {TOWN: _read_only(None), SPECTATORS_ROOM: Room(may_speak=True)}
        team = self.teams.get(member.no)
        return {
            room: _read_only(member.reads_to if room == team else None)
            for room in self.readable(member)
        }


def lines_in(rooms: tuple[RoomLines, ...], name: str) -> int:
    return {room.room: room.lines for room in rooms}[name]


def _read_only(reads_to: int | None) -> Room:
    return Room(may_speak=False, reads_to=reads_to)
