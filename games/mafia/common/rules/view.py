"""The parts of a view that all Mafia games have.
Source: docs/explanation/agora.md "The view".
"""

from typing import Any, TypedDict

from games.engine.facts import iso
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.rooms import TOWN, lines_in
from games.mafia.common.rules.roster import Choice, Member, tally
from games.mafia.common.rules.state import TownState


class TownView(TypedDict):
    """The common part of the public view; ``tally`` are choices and their votes."""

    stage: str
    phase: int
    round: int
    due_at: str | None
    is_played_out: bool
    quiet_phases: int
    living: int
    tally: list[tuple[Choice, int]]
    town_lines: int


class RoomView(TypedDict):
    """A room that the viewer reads: the number of posts, and whether the viewer may post now."""

    room: str
    lines: int
    may_post: bool


def town_view(state: TownState[Any]) -> TownView:
    living = state.living
    return {
        "stage": state.stage,
        "phase": state.phase,
        "round": state.round,
        # The latest end: a hidden early one tells nobody.
        "due_at": None if state.stage == Stage.OVER else iso(state.clock.ends_at),
        "is_played_out": state.is_played_out,
        "quiet_phases": state.quiet_phases,
        "living": len(living),
        "tally": list(tally([member.vote for member in living])),
        "town_lines": lines_in(state.rooms, TOWN),
    }


def rooms_of(state: TownState[Any], own: Member) -> list[RoomView]:
    talk = state.talk
    open_now = talk.open_to(own)
    return [
        {"room": room, "lines": lines, "may_post": room in open_now}
        for room, lines in talk.readable(own).items()
    ]
