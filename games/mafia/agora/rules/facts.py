"""The facts of Agoran Mafia.
Source: docs/reference/protocol.md, "Events"; docs/rules/agora.md.
"""

from typing import Annotated

from games.engine.facts import Fact, SeatNo, SecretFact
from games.engine.structs import SECRET
from games.mafia.agora.rules.roles import Role, Side
from games.mafia.agora.rules.state import Cause, Reason
from games.mafia.common.rules.ballots import Choice
from games.mafia.common.rules.facts import TownFact


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
    GameStarted
    | TownFact
    | RoleDealt
    | MafiaNamed
    | TargetChosen
    | CitizenDied
    | NobodyDied
    | NobodyLynched
    | SavedByDoctor
    | FileRead
    | RoleLearned
    | GameEnded
    | GameVoided
)
