"""Other worlds: parts of states that differ from one only in what a viewer may not know.

A tool for tests and for random games.

Source: docs/rules/agora.md "Secret information"; docs/durability.md S1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from games.kernel.facts import Step, Told, Viewer
from games.kernel.structs import replace
from games.mafia.rules.ballots import NOBODY, Choice
from games.mafia.rules.gathering import Gathering
from games.mafia.rules.phases import Clock
from games.mafia.rules.rooms import RoomLines
from games.mafia.rules.roster import MOST_IDLE, Member

M = TypeVar("M", bound=Member)
S = TypeVar("S", bound=Gathering)


def said_to(step: Step[Any], viewer: Viewer) -> list[Told]:
    """Return the facts of a step that a viewer hears of."""
    return [
        told
        for told in step.events
        if told.audience is None or (viewer.seat is not None and viewer.seat in told.audience)
    ]


def other_clock(state: Gathering) -> Clock:
    """Return the clock with its hidden end set where there is none, and none where it is set."""
    early_at = None if state.clock.early_at is not None else state.clock.began_at
    return replace(state.clock, early_at=early_at)


def other_lines(state: Gathering, viewer: Viewer) -> tuple[RoomLines, ...]:
    """Return the rooms with more posts in those that are none of the viewer's business."""
    shown = state.talk.seen_by(viewer)
    whole = {name for name, room in shown.items() if room.reads_to is None}
    return tuple(
        room if room.room in whole else replace(room, lines=room.lines + 7) for room in state.rooms
    )


def exchanged(state: S, one: Member, other: Member, card: Sequence[str]) -> S:
    """Return the state in which two members are each what the other one was."""
    mine = {name: getattr(one, name) for name in card}
    theirs = {name: getattr(other, name) for name in card}
    return state.with_member(replace(one, **theirs)).with_member(replace(other, **mine))


def otherwise(member: M, target: Choice = NOBODY) -> M:
    """Return a member who has done other things, of the same role."""
    return replace(
        member,
        is_done=not member.is_done,
        is_active=not member.is_active,
        idle_phases=_other_idleness(member),
        target=target if member.target is None else None,
        nights=(*member.nights, (99, target)),
    )


def _other_idleness(member: Member) -> int:
    """Return for how long somebody may have been idle as well: who is for too long is known."""
    if member.idle_phases >= MOST_IDLE:
        return member.idle_phases + 1
    return (member.idle_phases + 1) % MOST_IDLE
