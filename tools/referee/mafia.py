"""Random games of all Mafia games, and the checks that each of their steps must pass. A tool for
tests and for the referee command. Source: docs/rules/agora.md "Secret information".
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from games.engine.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Told, Viewer
from games.engine.structs import Kinded, replace
from games.mafia.common.rules.actions import Post, WriteWill
from games.mafia.common.rules.engine import MafiaRules
from games.mafia.common.rules.phases import Clock, Stage
from games.mafia.common.rules.rooms import RoomLines
from games.mafia.common.rules.roster import MOST_IDLE, NOBODY, Choice, Member
from games.mafia.common.rules.state import TownState
from tools.referee.trials import Chance, Choose, Input, Trial

M = TypeVar("M", bound=Member)
S = TypeVar("S", bound=TownState[Any])

#: One input in this many is a passed deadline, a postponed clock, a voided game, a post, a last
#: will at a table with wills, or, where a seat is open, a take-over.
DEADLINE_IN: Final = 40
POSTPONED_IN: Final = 200
VOIDED_IN: Final = 3_000
POST_IN: Final = 12
WILL_IN: Final = 9
TAKEN_OVER_IN: Final = 10
#: One step in this many is compared in other worlds, and each that begins a phase.
WORLDS_IN: Final = 9


class TownTrial(Trial[S]):
    """Random games of a Mafia game, in whose steps other worlds must look the same."""

    @abstractmethod
    def random_options(self, chance: Chance) -> Any:
        """Return the options of a random game."""

    @abstractmethod
    def random_action(self, chance: Chance, state: S, seat: SeatNo) -> Kinded:
        """Return an action of a seat."""

    def own_violations(self, before: S, after: S) -> Iterator[str]:
        """Yield violations in the states before and after a step, by the game's own rules."""
        yield from ()

    def set_up(self, chance: Chance) -> tuple[Any, Sequence[SeatSetup], Choose[S]]:
        options = self.random_options(chance)
        seats = [SeatSetup(SeatNo(no)) for no in range(options.seats)]
        return options, seats, partial(self._random_input, chance)

    def round_of(self, state: S) -> int:
        return state.round

    def step_violations(self, number: int, before: S, entry: Input, step: Step[S]) -> Iterator[str]:
        """Check a step: its deadline, its phase, the views of viewers who get no fact of it, and,
        in some steps, other worlds. The table announces a take-over to everybody.
        """
        rules, after, is_taken_over = self.rules, step.state, entry.kind == "take_over"
        yield from _way_violations(rules, before, step)
        is_told = is_taken_over or any(told.audience is None for told in step.events)
        if not is_told and rules.open_seats(after) != rules.open_seats(before):
            yield "an offer of a seat tells of something that nobody is told"
        for viewer in (SPECTATOR, *(Viewer(member.no) for member in after.members)):
            is_told = is_taken_over or bool(said_to(step, viewer))
            if not is_told and rules.view(after, viewer) != rules.view(before, viewer):
                yield f"the view of {viewer.seat} changes, and nothing is told"
        yield from self.own_violations(before, after)
        if number % WORLDS_IN == 0 or after.phase != before.phase:
            members = after.members
            viewers = (SPECTATOR, Viewer(members[number % len(members)].no))
            for viewer in viewers:
                worlds = self.other_worlds(after, viewer)
                if any(rules.open_seats(other) != rules.open_seats(after) for other in worlds):
                    yield f"what is open tells {viewer.seat} what it may not know"
            yield from self.view_violations(after, *viewers)

    def _random_input(self, chance: Chance, state: S, at: Instant) -> Input:
        due_at = state.due_at
        assert due_at is not None, "a game that is not over has a deadline"
        if chance.one_in(VOIDED_IN):
            return Input("void", at)
        if chance.one_in(POSTPONED_IN):
            return Input("postpone", Instant(at + chance.below(900_000)))
        at = max(at, state.clock.began_at)
        if chance.one_in(DEADLINE_IN) or at + 50 >= due_at:
            return Input("deadline", Instant(max(at, due_at) + chance.below(2000)))
        at = Instant(at + chance.below(50))
        if chance.one_in(POST_IN) and (post := _random_post(chance, state)):
            return Input("act", at, *post)
        if state.options.last_wills and chance.one_in(WILL_IN):
            writers = [member.no for member in state.living if member.may_act]
            if writers:
                will = WriteWill(f"will {chance.below(1000)}" if chance.below(4) else "")
                return Input("act", at, writers[chance.below(len(writers))], will)
        if (seats := self.rules.open_seats(state)) and chance.one_in(TAKEN_OVER_IN):
            return Input("take_over", at, seats[chance.below(len(seats))])
        seats = self.rules.pending_seats(state) or tuple(m.no for m in state.living if m.may_act)
        if not seats:
            return Input("deadline", due_at)
        seat = seats[chance.below(len(seats))]
        return Input("act", at, seat, self.random_action(chance, state, seat))


def _way_violations(rules: MafiaRules[S], before: S, step: Step[S]) -> Iterator[str]:
    """Check that a state has a deadline or is the end, and that each new phase is announced."""
    after: Any = step.state
    if (rules.deadline(after) is None) != rules.is_over(after):
        yield "a state without a way on that is not the end"
    if after.phase not in (before.phase, before.phase + 1):
        yield f"the phase goes from {before.phase} to {after.phase}"
    if after.phase != before.phase and not any(e.audience is None for e in step.events):
        yield "the phase changes in secret"
    if after.stage != Stage.OVER and after.clock.due_at > after.clock.ends_at:
        yield "a phase lasts longer than is shown"


def _random_post(chance: Chance, state: TownState[Any]) -> tuple[SeatNo, Post] | None:
    talk = state.talk
    ways = [(member.no, room) for member in state.members for room in talk.open_to(member)]
    if not ways:
        return None
    seat, room = ways[chance.below(len(ways))]
    return seat, Post(room, f"line {chance.below(1000)}")


def said_to(step: Step[Any], viewer: Viewer) -> list[Told]:
    """Return the facts of a step that a viewer gets."""
    return [
        told
        for told in step.events
        if told.audience is None or (viewer.seat is not None and viewer.seat in told.audience)
    ]


def other_clock(state: TownState[Any]) -> Clock:
    """Return the clock with its hidden end set if it is clear, and clear if it is set."""
    early_at = None if state.clock.early_at is not None else state.clock.began_at
    return replace(state.clock, early_at=early_at)


def other_lines(state: TownState[Any], viewer: Viewer) -> tuple[RoomLines, ...]:
    """Return the rooms with more posts in those that the viewer may not read in full."""
    shown = state.talk.seen_by(viewer)
    whole = {name for name, room in shown.items() if room.reads_to is None}
    return tuple(
        room if room.room in whole else replace(room, lines=room.lines + 7) for room in state.rooms
    )


def exchanged(state: S, one: Member, other: Member, card: Sequence[str]) -> S:
    """Return the state in which two members have exchanged the fields named by ``card``."""
    mine = {name: getattr(one, name) for name in card}
    theirs = {name: getattr(other, name) for name in card}
    return state.with_member(replace(one, **theirs)).with_member(replace(other, **mine))


def exchanges(state: S, unknown: Sequence[Member], card: Sequence[str]) -> Iterator[S]:
    """Yield states in which two of these members whose first fields of ``card`` differ have
    exchanged all of them.
    """
    for one in unknown:
        mine = getattr(one, card[0])
        later = (each for each in unknown if each.no > one.no and getattr(each, card[0]) != mine)
        if (other := next(later, None)) is not None:
            yield exchanged(state, one, other, card)


def otherwise(member: M, target: Choice = NOBODY) -> M:
    """Return a member of the same role with other actions."""
    return replace(
        member,
        is_done=not member.is_done,
        is_active=not member.is_active,
        idle_phases=_other_idleness(member),
        has_chosen=not member.has_chosen,
        unchosen_phases=member.unchosen_phases + 1,
        target=target if member.target is None else None,
        nights=(*member.nights, (99, target)),
        will="" if member.will else "another will",
    )


def _other_idleness(member: Member) -> int:
    """Return another idle time that looks the same: it is public only if it reaches the limit."""
    if member.idle_phases >= MOST_IDLE:
        return member.idle_phases + 1
    return (member.idle_phases + 1) % MOST_IDLE
