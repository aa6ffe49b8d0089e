"""Members, their votes and the majority, and the deal of roles.
Source: docs/rules/agora.md "Roles", "Night", "Day".
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal, TypeVar

from msgspec import UNSET, UnsetType

from games.engine.draws import draw_below
from games.engine.facts import SeatNo
from games.engine.structs import SECRET, Hidden, SeatGiven, replace
from games.mafia.common.rules.phases import Stage

#: The choice of nobody; None means no opinion.
NOBODY: Final = "none"

Choice = SeatGiven | Literal["none"]
Vote = Choice | None


def majority(voters: int) -> int:
    """Return the smallest number that is more than half of ``voters``.
    >>> [majority(voters) for voters in (2, 3, 4, 7)]
    [2, 2, 3, 4]
    """
    return voters // 2 + 1


def tally(votes: Iterable[Vote]) -> tuple[tuple[Choice, int], ...]:
    """Return the number of votes of each choice: the most first, then by seat, nobody last.
    >>> tally([3, "none", None, 1, 3])
    ((3, 2), (1, 1), ('none', 1))
    """
    counted = Counter([vote for vote in votes if vote is not None])
    return tuple(sorted(counted.items(), key=_rank))


def carried(votes: Iterable[Vote], voters: int) -> Choice | None:
    """Return the choice of more than half of the voters, None if there is none."""
    counted = tally(votes)
    if counted and counted[0][1] >= majority(voters):
        return counted[0][0]
    return None


def _rank(counted: tuple[Choice, int]) -> tuple[int, bool, int]:
    choice, count = counted
    return -count, choice == NOBODY, choice if isinstance(choice, int) else 0


Card = TypeVar("Card")

#: A choice of one night: (night, choice).
Chosen = tuple[int, Choice]

#: A seat idle for this many phases in a row may be offered to a substitute.
MOST_IDLE = 2


class Member(Hidden, frozen=True):
    """The common state of one seat: ``vote`` of this day, ``target`` of this night (None: open),
    ``nights`` the choices of past ones. The dead are never done.
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
    #: The last line of the team's room that it may read, set at death; None: no limit, no room.
    reads_to: Annotated[int | None, SECRET] = None
    died_round: int = 0
    died_stage: Stage | UnsetType | None = UNSET  # unset: by version 1, which does not keep it
    #: The last will while its owner lives.
    will: Annotated[str, SECRET] = ""
    vote: Vote = None
    target: Annotated[Choice | None, SECRET] = None
    nights: Annotated[tuple[Chosen, ...], SECRET] = ()

    @property
    def may_act(self) -> bool:
        return self.is_alive


M = TypeVar("M", bound=Member)


def find(members: Iterable[M], no: int) -> M | None:
    for member in members:
        if member.no == no:
            return member
    return None


def are_all_done(members: Iterable[Member]) -> bool:
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
    return replace(member, is_done=False, vote=None, target=None)


def idle_seats(members: Iterable[Member]) -> tuple[SeatNo, ...]:
    return tuple(m.no for m in members if m.is_alive and m.idle_phases >= MOST_IDLE)


def deal(seed: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Shuffle the cards by the seed; all orders are equally likely."""
    dealt = list(cards)
    for last in range(len(dealt) - 1, 0, -1):
        other = draw_below(seed, f"role/{last}", last + 1)
        dealt[last], dealt[other] = dealt[other], dealt[last]
    return tuple(dealt)
