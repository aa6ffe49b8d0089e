"""The state of a game of Agoran Mafia: frozen values; a transition returns a new state. Fields
marked SECRET are known to the seat alone, to its side, or to nobody until the game is over; a test
classifies every field. Source: docs/rules/agora.md "Secret information".
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Final, Self

from games.engine.facts import Points, SeatNo
from games.engine.structs import SECRET, Record, replace
from games.mafia.agora.rules.options import Options
from games.mafia.agora.rules.roles import MAFIA, NIGHT_ROLES, Role, Side, side_of
from games.mafia.common.rules.ballots import NOBODY, Vote
from games.mafia.common.rules.roster import Member
from games.mafia.common.rules.state import TownState

MAFIA_ROOM: Final = "mafia"


class Cause(StrEnum):
    """The cause of a citizen's death."""

    KILLED = "killed"
    LYNCHED = "lynched"
    LEFT = "left"


class Reason(StrEnum):
    """The reason why a game ended."""

    MAFIA_DEAD = "mafia_dead"
    MAFIA_EQUAL = "mafia_equal"
    QUIET = "quiet"
    VOID = "void"


class Citizen(Member, frozen=True, kw_only=True):
    """The state of one seat; all mafiosi have the same ``target``."""

    role: Annotated[Role, SECRET]
    cause: Cause | None = None
    is_file_mafia: Annotated[bool, SECRET]  # the content of the sheriff's file
    read_files: Annotated[tuple[tuple[int, SeatNo, bool], ...], SECRET] = ()  # the sheriff's
    learned: Annotated[tuple[tuple[SeatNo, Role], ...], SECRET] = ()  # the detective's
    saved: Annotated[tuple[int, ...], SECRET] = ()  # the nights in which the doctor saved it

    @property
    def side(self) -> Side:
        """The side with which the citizen wins."""
        return side_of(self.role)

    @property
    def has_night_action(self) -> bool:
        """Whether the citizen's role has a night action."""
        return self.role in NIGHT_ROLES


class DayRecord(Record, frozen=True):
    """The public record of the last day: the final votes, in seat order, and who was lynched."""

    round: int
    votes: tuple[tuple[SeatNo, Vote], ...]
    lynched: SeatNo | None


class NightRecord(Record, frozen=True):
    """The public record of the last night."""

    round: int
    killed: SeatNo | None


class Result(Record, frozen=True):
    """The result of the game; ``awards``: seats that earned points, and their points on an axis."""

    reason: Reason
    winner: Side | None
    awards: tuple[tuple[SeatNo, Points], ...] = ()


class AgoraState(TownState[Citizen], frozen=True, kw_only=True):
    """The state of a game. Invariants: ``citizens`` are in seat order, 3 to 17; ``result`` is set
    only when the game is over; votes are set by day only, choices by night only; only choices of
    the living count.
    """

    options: Options
    citizens: tuple[Citizen, ...]
    last_night: NightRecord | None = None
    last_day: DayRecord | None = None
    result: Result | None = None

    @property
    def mafia(self) -> tuple[Citizen, ...]:
        """The members of the mafia, dead or alive."""
        return tuple([citizen for citizen in self.citizens if citizen.role in MAFIA])

    @property
    def members(self) -> tuple[Citizen, ...]:
        return self.citizens

    @property
    def teams(self) -> dict[SeatNo, str]:
        return dict.fromkeys([citizen.no for citizen in self.mafia], MAFIA_ROOM)

    @property
    def may_end_early(self) -> bool:
        return self.options.early_end

    def with_members(self, members: tuple[Citizen, ...]) -> Self:
        return replace(self, citizens=members)


def with_role(state: AgoraState, role: Role) -> tuple[Citizen, ...]:
    """Return the living citizens with a role."""
    return tuple(citizen for citizen in state.living if citizen.role == role)


def target_of(citizens: Iterable[Citizen]) -> SeatNo | None:
    """Return the night target of citizens of one role, who all chose the same; None for nobody."""
    for citizen in citizens:
        if citizen.target is not None and citizen.target != NOBODY:
            return SeatNo(int(citizen.target))
    return None
