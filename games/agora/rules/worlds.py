"""Other worlds: states that differ from one only in what a viewer may not know.

A tool for tests and for random games.

Source: docs/rules/agora.md "Secret information"; docs/durability.md S1.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.agora.rules.roles import Side
from games.agora.rules.state import MAFIA_ROOM, AgoraState, Citizen
from games.kernel.facts import SeatNo, Step, Told, Viewer
from games.kernel.structs import replace
from games.mafia.rules.ballots import NOBODY
from games.mafia.rules.phases import Stage
from games.mafia.rules.rooms import DEAD, RoomLines
from games.mafia.rules.roster import MOST_IDLE

#: What belongs to a role and goes with it when two exchange theirs.
CARD = ("role", "is_file_mafia", "target", "nights", "read_files", "learned", "reads_to")


def other_worlds(state: AgoraState, viewer: Viewer) -> Iterator[AgoraState]:
    """Return states that must look the same to a viewer; none once the game is over.

    In the first all is other that is no role: seed, hidden end, what others have done and been
    told, rooms that are closed.  In the rest somebody is what somebody else was.
    """
    if state.stage == Stage.OVER:
        return
    own = None if viewer.seat is None else state.citizen(viewer.seat)
    early_at = None if state.clock.early_at is not None else state.clock.began_at
    yield replace(
        state,
        seed=f"{state.seed} another",
        clock=replace(state.clock, early_at=early_at),
        rooms=tuple(_other_lines(room, own) for room in state.rooms),
        citizens=tuple(
            citizen if own is not None and citizen.no == own.no else _otherwise(citizen)
            for citizen in state.citizens
        ),
    )
    unknown = unknown_to(state, own)
    for one in unknown:
        other = next((each for each in unknown if each.no > one.no and each.role != one.role), None)
        if other is not None:
            yield exchanged(state, one, other)


def unknown_to(state: AgoraState, own: Citizen | None) -> list[Citizen]:
    """Return the citizens whose roles a viewer does not know."""
    known = set[SeatNo]() if own is None else {own.no, *(no for no, _ in own.learned)}
    if own is not None and own.side == Side.MAFIA:
        known |= {citizen.no for citizen in state.mafia}
    reveals = state.options.reveal_on_death
    return [c for c in state.citizens if c.no not in known and (c.is_alive or not reveals)]


def exchanged(state: AgoraState, one: Citizen, other: Citizen) -> AgoraState:
    """Return the state in which two citizens are each what the other one was."""
    mine = {name: getattr(one, name) for name in CARD}
    theirs = {name: getattr(other, name) for name in CARD}
    return state.with_member(replace(one, **theirs)).with_member(replace(other, **mine))


def said_to(step: Step[AgoraState], viewer: Viewer) -> list[Told]:
    """Return the facts of a step that a viewer hears of."""
    return [
        told
        for told in step.events
        if told.audience is None or (viewer.seat is not None and viewer.seat in told.audience)
    ]


def _otherwise(citizen: Citizen) -> Citizen:
    """Return a citizen who has done and been told other things, of the same role."""
    return replace(
        citizen,
        is_done=not citizen.is_done,
        is_active=not citizen.is_active,
        idle_phases=_other_idleness(citizen),
        is_file_mafia=not citizen.is_file_mafia,
        target=NOBODY if citizen.target is None else None,
        nights=(*citizen.nights, (99, NOBODY)),
        saved=(*citizen.saved, 99),
    )


def _other_idleness(citizen: Citizen) -> int:
    """Return for how long somebody may have been idle as well: who is for too long is known."""
    if citizen.idle_phases >= MOST_IDLE:
        return citizen.idle_phases + 1
    return (citizen.idle_phases + 1) % MOST_IDLE


def _other_lines(room: RoomLines, own: Citizen | None) -> RoomLines:
    """Return a room with more posts, if they are none of the viewer's business."""
    is_closed = (room.room == DEAD and (own is None or own.is_alive)) or (
        room.room == MAFIA_ROOM
        and (own is None or own.side == Side.TOWN or own.reads_to is not None)
    )
    return replace(room, lines=room.lines + 7) if is_closed else room
