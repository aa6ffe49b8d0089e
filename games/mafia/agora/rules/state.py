"""The options, the state and the facts of a game of Agoran Mafia; a SECRET field is known to the
seat alone, to its side, or to nobody until the game is over.
Source: docs/rules/agora.md "Options", "Secret information".
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Final, Self

from games.engine.choices import number, switch
from games.engine.errors import refuse
from games.engine.facts import Fact, Points, SeatNo, SecretFact
from games.engine.structs import SECRET, Record, replace
from games.mafia.agora.rules.roles import (
    LEAST_CITIZENS,
    MAFIA,
    MOST_CITIZENS,
    NIGHT_ROLES,
    Role,
    Side,
    side_of,
)
from games.mafia.common.rules.facts import TownFact
from games.mafia.common.rules.phases import LONGEST_PHASE, QUICK_PHASE, SHORTEST_PHASE
from games.mafia.common.rules.roster import NOBODY, Choice, Member, Vote
from games.mafia.common.rules.state import TownState

#: Games with fewer citizens are for contests only: with three, one kill ends the game before the
#: town has acted.
LEAST_AT_A_TABLE: Final = 5

#: The options of a game in one sitting.
QUICK: Final[Mapping[str, int | bool]] = {"seats": 7, **QUICK_PHASE}


class Options(Record, frozen=True):
    """All options of a game; the defaults are the rule book's. The rules do not use ``listed`` and
    ``spectators``. Raises action/bad_option for too few seats at a table.
    """

    seats: Annotated[int, number(LEAST_CITIZENS, MOST_CITIZENS, chosen=True)] = 7
    phase_seconds: Annotated[
        int, number(SHORTEST_PHASE, LONGEST_PHASE, chosen=True, site="agora.phase")
    ] = 86_400
    threshold: Annotated[int, number(1, 60, site="agora.threshold")] = 60
    quiet_limit: Annotated[int, number(1, 30, site="agora.quiet_limit")] = 3
    early_end: Annotated[bool, switch(chosen=True)] = True
    reveal_on_death: Annotated[bool, switch(chosen=True)] = False
    last_wills: Annotated[bool, switch(chosen=True)] = False
    substitutes: Annotated[bool, switch()] = False
    contest: Annotated[bool, switch()] = False
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True

    def __post_init__(self) -> None:
        if self.seats < LEAST_AT_A_TABLE and not self.contest:
            least, most = LEAST_AT_A_TABLE, MOST_CITIZENS
            message = f"at least {least} play at a table"
            refuse("action/bad_option", message, option="seats", least=least, most=most)


MAFIA_ROOM: Final = "mafia"


class Cause(StrEnum):
    KILLED = "killed"
    LYNCHED = "lynched"
    LEFT = "left"


class Reason(StrEnum):
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
        return side_of(self.role)

    @property
    def has_night_action(self) -> bool:
        return self.role in NIGHT_ROLES


class DayRecord(Record, frozen=True):
    """The last day: the final votes, in seat order, and who was lynched."""

    round: int
    votes: tuple[tuple[SeatNo, Vote], ...]
    lynched: SeatNo | None


class NightRecord(Record, frozen=True):
    round: int
    killed: SeatNo | None


class Result(Record, frozen=True):
    """The result of the game; ``awards``: seats that earned points, and their points on an axis."""

    reason: Reason
    winner: Side | None
    awards: tuple[tuple[SeatNo, Points], ...] = ()


class AgoraState(TownState[Citizen], frozen=True, kw_only=True):
    """Invariants: ``citizens`` are in seat order, 3 to 17; ``result`` is set only when the game is
    over; votes are set by day only, choices by night only; only choices of the living count.
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
    def roles(self) -> tuple[tuple[SeatNo, Role], ...]:
        """The role of each citizen, in seat order."""
        return tuple((citizen.no, citizen.role) for citizen in self.citizens)

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


class GameStarted(Fact, frozen=True):
    """The game began: seats, role counts, and the length of a phase in seconds."""

    seats: tuple[SeatNo, ...]
    roles: tuple[tuple[Role, int], ...]
    phase_seconds: int
    threshold: int
    early_end: bool
    reveal_on_death: bool


class RoleDealt(SecretFact, frozen=True):
    """A seat was dealt this role; told to that seat."""

    seat: SeatNo
    role: Annotated[Role, SECRET]


class MafiaNamed(SecretFact, frozen=True):
    """The members of the mafia, agent included; told to all of them."""

    members: Annotated[tuple[tuple[SeatNo, Role], ...], SECRET]


class TargetChosen(SecretFact, frozen=True):
    """A seat chose a target for the night; told to it, a kill to every living mafioso. An agent's
    choice of a citizen turns that citizen's file round at once.
    """

    seat: SeatNo
    role: Annotated[Role, SECRET]
    target: Annotated[Choice, SECRET]


class CitizenDied(Fact, frozen=True):
    """A citizen died; the role is null unless the options reveal it."""

    seat: SeatNo
    cause: Cause
    role: Role | None


class NobodyDied(Fact, frozen=True):
    """The night is over and nobody was killed."""

    round: int


class NobodyLynched(Fact, frozen=True):
    """The day is over without a lynching: by a vote for nobody, or without a majority in time."""

    round: int
    is_wanted: bool


class SavedByDoctor(SecretFact, frozen=True):
    """The doctor saved a citizen who was attacked; told to that citizen."""

    seat: SeatNo


class FileRead(SecretFact, frozen=True):
    """The content of the file on a citizen; told to the sheriff."""

    seat: SeatNo
    target: Annotated[SeatNo, SECRET]
    is_mafia: Annotated[bool, SECRET]


class RoleLearned(SecretFact, frozen=True):
    """The role of a citizen who died; told to the detective."""

    seat: SeatNo
    dead: SeatNo
    role: Annotated[Role, SECRET]


class GameEnded(Fact, frozen=True):
    """The game is over: the winning side, if any, and all roles."""

    reason: Reason
    winner: Side | None
    roles: tuple[tuple[SeatNo, Role], ...]


class GameVoided(Fact, frozen=True):
    """The game was voided."""

    roles: tuple[tuple[SeatNo, Role], ...]


AgoraFact = (
    GameStarted | TownFact | RoleDealt | MafiaNamed | TargetChosen | CitizenDied | NobodyDied
    | NobodyLynched | SavedByDoctor | FileRead | RoleLearned | GameEnded | GameVoided
)  # fmt: skip
