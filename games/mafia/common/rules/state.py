"""The common state of all Mafia games and its transitions: check in, post, die, begin a phase.
Source: docs/rules/agora.md "Night", "Secret information".
"""

from typing import Annotated, Any, Final, Generic, Self, TypeVar

from msgspec import UNSET

from games.engine.errors import refuse
from games.engine.facts import IdentityCache, Instant, SeatNo, Step, Told
from games.engine.structs import SECRET, Hidden, replace
from games.mafia.common.rules.actions import Done, Post, Undone, WriteWill
from games.mafia.common.rules.facts import (
    CheckedIn,
    CheckInWithdrawn,
    DayBegan,
    NightBegan,
    Posted,
    WillWritten,
)
from games.mafia.common.rules.phases import PLAYED_OUT, SECOND, Clock, Stage, armed, started
from games.mafia.common.rules.rooms import TOWN, RoomLines, Talk, lines_in
from games.mafia.common.rules.roster import (
    NOBODY,
    Choice,
    Member,
    after_choices,
    are_all_done,
    find,
    in_next_phase,
    without_choices,
)

M = TypeVar("M", bound=Member)


class TownState(Hidden, Generic[M], frozen=True, kw_only=True):
    """The common part of a game's state. ``phase`` counts nights, days and the end; ``round`` pairs
    of a night and a day, in the game's order.
    """

    #: The game's own options; all have ``phase_seconds`` and ``substitutes``.
    options: Any
    seed: Annotated[str, SECRET]
    clock: Clock
    stage: Stage
    phase: int = 1
    rooms: tuple[RoomLines, ...]
    round: int = 1
    #: Phases in a row without a death, and whether somebody died in the current phase.
    quiet_phases: int = 0
    has_seen_death: bool = False
    #: Whether only bots live and the rest is played in seconds.
    is_played_out: bool = False

    @property
    def members(self) -> tuple[M, ...]:
        """The members, dead or alive, in seat order."""
        raise NotImplementedError

    @property
    def teams(self) -> dict[SeatNo, str]:
        """The team room of each seat that has one."""
        raise NotImplementedError

    def with_members(self, members: tuple[M, ...]) -> Self:
        raise NotImplementedError

    @property
    def may_end_early(self) -> bool:
        """Whether a night ends early when all the living are done."""
        return True

    @property
    def has_substitutes(self) -> bool:
        return bool(self.options.substitutes)

    @property
    def living(self) -> tuple[M, ...]:
        return tuple([member for member in self.members if member.is_alive])

    @property
    def due_at(self) -> Instant | None:
        """The current end of the phase, None when the game is over."""
        return None if self.stage == Stage.OVER else self.clock.due_at

    @property
    def talk(self) -> Talk:
        return _TALK.of(self)

    def member(self, no: int) -> M | None:
        return find(self.members, no)

    def with_member(self, changed: M) -> Self:
        return self.with_members(
            tuple([changed if member.no == changed.no else member for member in self.members])
        )


#: Who reads what, found once for all seats.
_TALK: Final[IdentityCache[TownState[Any], Talk]] = IdentityCache(
    lambda state: Talk(state.stage, state.members, state.teams, state.rooms)
)
S = TypeVar("S", bound=TownState[Any])


def check_in(state: S, own: Member, *, is_done: bool) -> Step[S]:
    """Set a member's check-in; without a change there is no fact."""
    if own.is_done is is_done:
        return Step(state)
    fact = CheckedIn(own.no) if is_done else CheckInWithdrawn(own.no)
    return Step(state.with_member(replace(own, is_done=is_done)), (Told(fact, {own.no}),))


def check_in_by_night(state: S, own: Member, action: Done | Undone, at: Instant) -> Step[S]:
    step = check_in(state, own, is_done=isinstance(action, Done))
    return Step(rearmed(step.state, at), step.events)


def rearmed(state: S, at: Instant) -> S:
    """Return a night with its hidden end set while all the living are done; a day unchanged."""
    if state.stage != Stage.NIGHT:
        return state
    is_wanted = state.may_end_early and are_all_done(state.members)
    return replace(state, clock=armed(state.clock, is_wanted=is_wanted, at=at))


def require_choice(state: TownState[Any], choice: Choice) -> None:
    """Raise action/bad_target for a seat without a living member."""
    if choice == NOBODY:
        return
    target = state.member(int(choice))
    if target is None or not target.is_alive:
        refuse("action/bad_target", "nobody lives there", seat=int(choice))


def after_death(state: TownState[M], dying: M, *, has_left: bool) -> M:
    """Return a member after its death: without choices, will or later lines of its team room."""
    return replace(
        without_choices(dying),
        is_alive=False,
        has_left=has_left,
        reads_to=state.talk.limit_at_death(dying.no),
        died_round=state.round,
        died_stage=dying.died_stage if dying.died_stage is UNSET else state.stage,
        will="",
    )


def post(state: S, own: Member, action: Post, at: Instant) -> Step[S]:
    """Post in a room, told to its readers; no activity. Raises action/room_closed, whether the room
    exists or not, and action/blank_post.
    """
    talk = state.talk
    if action.room not in talk.open_to(own):
        refuse("action/room_closed", "you cannot post there now")
    if not action.text.strip():
        refuse("action/blank_post", "a post says something")
    no = lines_in(state.rooms, action.room) + 1
    return _posted(state, Posted(own.no, action.room, no, action.text))


def write_will(state: S, own: Member, action: WriteWill, at: Instant) -> Step[S]:
    """Write a last will; like a post no activity. Raises action/no_wills, action/not_alive."""
    if not state.options.last_wills:
        refuse("action/no_wills", "this table plays without last wills")
    if not own.may_act:
        refuse("action/not_alive", "you have no part in this any more")
    text = action.text.strip()
    if text == own.will:
        return Step(state)
    return Step(state.with_member(replace(own, will=text)), (Told(WillWritten(own.no), {own.no}),))


def read_will(state: S, dying: Member) -> Step[S]:
    """Post the last will of a member, as it was before the death, in the town's room."""
    if not dying.will:
        return Step(state)
    no = lines_in(state.rooms, TOWN) + 1
    return _posted(state, Posted(dying.no, TOWN, no, dying.will, is_will=True))


def _posted(state: S, said: Posted) -> Step[S]:
    rooms = tuple(
        replace(room, lines=said.no) if room.room == said.room else room for room in state.rooms
    )
    return Step(replace(state, rooms=rooms), (Told(said, state.talk.audience(said.room)),))


def count_choices(state: S) -> S:
    """Count for all who live a phase that ends, before anybody dies of it."""
    return state.with_members(tuple(after_choices(member) for member in state.members))


def count_quiet(state: S) -> S:
    """Count the phase that ends as quiet if nobody died in it."""
    quiet = 0 if state.has_seen_death else state.quiet_phases + 1
    return replace(state, quiet_phases=quiet, has_seen_death=False)


def next_phase(state: S, stage: Stage, at: Instant) -> Step[S]:
    state = state.with_members(tuple(in_next_phase(member) for member in state.members))
    limit = PLAYED_OUT if state.is_played_out else SECOND * state.options.phase_seconds
    clock = started(at, limit)
    state = replace(state, stage=stage, phase=state.phase + 1, clock=clock)
    return Step(state, (Told(phase_began(state)),))


def phase_began(state: TownState[Any]) -> NightBegan | DayBegan:
    began = NightBegan if state.stage == Stage.NIGHT else DayBegan
    return began(state.round, state.clock.ends_at)


def closed(state: S) -> S:
    """Return the state of a game that is over: without choices, votes and check-ins."""
    state = state.with_members(tuple(without_choices(member) for member in state.members))
    return replace(state, stage=Stage.OVER, phase=state.phase + 1)
