"""Other worlds: states that differ from one only in what a viewer may not know.

A tool for tests and for random games.

Source: docs/rules/agora.md "Secret information"; docs/durability.md S1.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.agora.rules.roles import Side
from games.agora.rules.state import AgoraState, Citizen
from games.kernel.facts import SeatNo, Viewer
from games.kernel.structs import replace
from games.mafia.rules import worlds
from games.mafia.rules.phases import Stage

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
    yield replace(
        state,
        seed=f"{state.seed} another",
        clock=worlds.other_clock(state),
        rooms=worlds.other_lines(state, viewer),
        citizens=tuple(
            citizen if own is not None and citizen.no == own.no else _otherwise(citizen)
            for citizen in state.citizens
        ),
    )
    unknown = unknown_to(state, own)
    for one in unknown:
        other = next((each for each in unknown if each.no > one.no and each.role != one.role), None)
        if other is not None:
            yield worlds.exchanged(state, one, other, CARD)


def unknown_to(state: AgoraState, own: Citizen | None) -> list[Citizen]:
    """Return the citizens whose roles a viewer does not know."""
    known = set[SeatNo]() if own is None else {own.no, *(no for no, _ in own.learned)}
    if own is not None and own.side == Side.MAFIA:
        known |= {citizen.no for citizen in state.mafia}
    reveals = state.options.reveal_on_death
    return [c for c in state.citizens if c.no not in known and (c.is_alive or not reveals)]


def _otherwise(citizen: Citizen) -> Citizen:
    """Return a citizen who has done and been told other things, of the same role."""
    return replace(
        worlds.otherwise(citizen),
        is_file_mafia=not citizen.is_file_mafia,
        saved=(*citizen.saved, 99),
    )
