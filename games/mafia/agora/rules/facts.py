"""What becomes true in Agoran Mafia.

Source: docs/protocol.md, "Events"; docs/rules/agora.md.
"""

from __future__ import annotations

from typing import Annotated

from games.engine.facts import ClockPostponed, Fact, SeatNo, SecretFact
from games.engine.structs import SECRET
from games.mafia.agora.rules.roles import Role, Side
from games.mafia.agora.rules.state import Cause, Reason
from games.mafia.common.rules.ballots import Choice
from games.mafia.common.rules.facts import (
    AwardEarned,
    CheckedIn,
    CheckInWithdrawn,
    DayBegan,
    NightBegan,
    Posted,
    Voted,
)


class GameStarted(Fact, frozen=True):
    """The game began: who plays, how many of each role there are, seconds of a phase."""

    seats: tuple[SeatNo, ...]
    roles: tuple[tuple[Role, int], ...]
    phase_seconds: int
    threshold: int
    early_end: bool
    reveal_on_death: bool


class RoleDealt(SecretFact, frozen=True):
    """A seat is this; told to that seat."""

    seat: SeatNo
    role: Annotated[Role, SECRET]


class MafiaNamed(SecretFact, frozen=True):
    """These are the mafia, agent included; told to all of them."""

    members: Annotated[tuple[tuple[SeatNo, Role], ...], SECRET]


class TargetChosen(SecretFact, frozen=True):
    """A seat chose somebody for the night; told to it, a kill to every living mafioso.

    An agent's choice of a citizen turns the sheriff's file on that one round at once.
    """

    seat: SeatNo
    role: Annotated[Role, SECRET]
    target: Annotated[Choice, SECRET]


class CitizenDied(Fact, frozen=True):
    """A citizen died; the role is null unless it is shown."""

    seat: SeatNo
    cause: Cause
    role: Role | None


class NobodyDied(Fact, frozen=True):
    """The night is over, and nobody was killed."""

    round: int


class NobodyLynched(Fact, frozen=True):
    """The day is over without a lynching: the town wanted none, or had no majority in time."""

    round: int
    is_wanted: bool


class SavedByDoctor(SecretFact, frozen=True):
    """A citizen was to be killed, and was saved; told to that one."""

    seat: SeatNo


class FileRead(SecretFact, frozen=True):
    """What the file on a citizen says; told to the sheriff."""

    seat: SeatNo
    target: Annotated[SeatNo, SECRET]
    is_mafia: Annotated[bool, SECRET]


class RoleLearned(SecretFact, frozen=True):
    """What somebody who died was; told to the detective."""

    seat: SeatNo
    dead: SeatNo
    role: Annotated[Role, SECRET]


class GameEnded(Fact, frozen=True):
    """The game is over: who won, if anybody, and who was what."""

    reason: Reason
    winner: Side | None
    roles: tuple[tuple[SeatNo, Role], ...]


class GameVoided(Fact, frozen=True):
    """The game ended as if it had not been."""

    roles: tuple[tuple[SeatNo, Role], ...]


AgoraFact = (
    GameStarted
    | RoleDealt
    | MafiaNamed
    | NightBegan
    | DayBegan
    | TargetChosen
    | CheckedIn
    | CheckInWithdrawn
    | Posted
    | Voted
    | CitizenDied
    | NobodyDied
    | NobodyLynched
    | SavedByDoctor
    | FileRead
    | RoleLearned
    | GameEnded
    | AwardEarned
    | GameVoided
    | ClockPostponed
)
