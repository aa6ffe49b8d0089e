"""Members: who lives, who is done, and the deal of roles.
Source: docs/rules/agora.md "Roles", "Night".
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeVar

from games.engine.draws import draw_below
from games.engine.facts import SeatNo
from games.engine.structs import SECRET, Hidden, replace
from games.mafia.common.rules.ballots import Choice, Vote

Card = TypeVar("Card")

#: A choice of one night: (night, choice).
Chosen = tuple[int, Choice]

#: A seat idle for this many phases in a row may be offered to a substitute.
MOST_IDLE = 2


class Member(Hidden, frozen=True):
    """The common state of one seat; each game adds its own fields.

    ``vote`` is the vote of the current day, ``target`` the choice of the current night, None while
    it is open; ``nights`` are the choices of past nights.

    Invariants: the dead are never done; ``reads_to`` is set at death if the seat has a team room.
    """

    no: SeatNo
    is_alive: bool = True
    has_left: bool = False
    is_done: Annotated[bool, SECRET] = False
    #: Whether an action of it was accepted in this phase, posts aside.
    is_active: Annotated[bool, SECRET] = False
    #: The number of phases in a row without such an action.
    idle_phases: Annotated[int, SECRET] = 0
    #: Whether it chose anything in this phase; a post or being done is no choice.
    has_chosen: Annotated[bool, SECRET] = False
    #: Phases running, those that ended while it lived, in which it did not.
    unchosen_phases: Annotated[int, SECRET] = 0
    #: The last line of the team's room that it may read; None: no limit, or no such room.
    reads_to: Annotated[int | None, SECRET] = None
    died_round: int = 0
    #: The last will while its owner lives.
    will: Annotated[str, SECRET] = ""
    vote: Vote = None
    target: Annotated[Choice | None, SECRET] = None
    nights: Annotated[tuple[Chosen, ...], SECRET] = ()

    @property
    def may_act(self) -> bool:
        """Whether it may act in the game."""
        return self.is_alive


M = TypeVar("M", bound=Member)


def find(members: Iterable[M], no: int) -> M | None:
    """Return the member on a seat, None if the seat does not play."""
    for member in members:
        if member.no == no:
            return member
    return None


def are_all_done(members: Iterable[Member]) -> bool:
    """Whether every living member has checked in."""
    return all(member.is_done for member in members if member.is_alive)


def in_next_phase(member: M) -> M:
    """Return a member at the start of the next phase; a phase without an action counts as idle."""
    idle = 0 if member.is_active else member.idle_phases + 1
    return replace(without_choices(member), is_active=False, idle_phases=idle, has_chosen=False)


def after_choices(member: M) -> M:
    """Return a member whose phase ends, before anybody dies of it: has it chosen, or not again."""
    if not member.is_alive:
        return member
    return replace(member, unchosen_phases=0 if member.has_chosen else member.unchosen_phases + 1)


def without_choices(member: M) -> M:
    """Return a member without vote, target and check-in."""
    return replace(member, is_done=False, vote=None, target=None)


def idle_seats(members: Iterable[Member]) -> tuple[SeatNo, ...]:
    """Return the living seats that have been idle for two phases in a row."""
    return tuple(m.no for m in members if m.is_alive and m.idle_phases >= MOST_IDLE)


def deal(seed: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Shuffle the cards by the seed; all orders are equally likely."""
    dealt = list(cards)
    for last in range(len(dealt) - 1, 0, -1):
        other = draw_below(seed, f"role/{last}", last + 1)
        dealt[last], dealt[other] = dealt[other], dealt[last]
    return tuple(dealt)
