"""What every Mafia game's state has, and what is done with that alone: to check in, to post.

Source: docs/rules/agora.md "Night", "Secret information".
"""

from __future__ import annotations

from typing import Annotated, Self, TypeVar

from games.kernel.facts import Instant, SeatNo, Step, Told
from games.kernel.structs import SECRET, Hidden, replace
from games.mafia.rules.actions import Post
from games.mafia.rules.errors import BlankPost, RoomClosed
from games.mafia.rules.facts import CheckedIn, CheckInWithdrawn, Posted
from games.mafia.rules.phases import Clock, Stage, armed
from games.mafia.rules.rooms import RoomLines, Talk, lines_in, with_line
from games.mafia.rules.roster import Member, are_all_done


class Gathering(Hidden, frozen=True, kw_only=True):
    """The part of a state that all Mafia games have; each adds its members and the rest.

    ``phase`` counts nights, days and the end.
    """

    seed: Annotated[str, SECRET]
    clock: Clock
    stage: Stage
    phase: int = 1
    rooms: tuple[RoomLines, ...]

    @property
    def members(self) -> tuple[Member, ...]:
        """Who plays, in seat order."""
        raise NotImplementedError

    @property
    def teams(self) -> dict[SeatNo, str]:
        """The room of each seat that has a team with one."""
        raise NotImplementedError

    def with_member(self, changed: Member) -> Self:
        """Return the state with one member replaced."""
        raise NotImplementedError

    @property
    def talk(self) -> Talk:
        """The rooms as they stand."""
        return Talk(self.stage, self.members, self.teams, self.rooms)


S = TypeVar("S", bound=Gathering)


def check_in(state: S, own: Member, *, is_done: bool) -> Step[S]:
    """Let a member be done with the phase, or not; nothing is told where that is so already."""
    if own.is_done is is_done:
        return Step(state)
    fact = CheckedIn(own.no) if is_done else CheckInWithdrawn(own.no)
    return Step(state.with_member(replace(own, is_done=is_done)), (Told(fact, {own.no}),))


def rearmed(state: S, at: Instant, *, may_end_early: bool) -> S:
    """Return a night with its hidden end set while all who live are done; a day as it is."""
    if state.stage != Stage.NIGHT:
        return state
    is_wanted = may_end_early and are_all_done(state.members)
    return replace(state, clock=armed(state.clock, is_wanted=is_wanted, at=at))


def post(state: S, own: Member, action: Post) -> Step[S]:
    """Let a member say something in a room; told to those who read there now.

    Raises:
        RoomClosed: the seat may not post there now, if there is such a room at all.
        BlankPost: the text says nothing.
    """
    talk = state.talk
    if action.room not in talk.open_to(own):
        raise RoomClosed("you cannot post there now")
    if not action.text.strip():
        raise BlankPost("a post says something")
    said = Posted(own.no, action.room, lines_in(state.rooms, action.room) + 1, action.text)
    rooms = with_line(state.rooms, action.room)
    return Step(replace(state, rooms=rooms), (Told(said, talk.audience(action.room)),))
