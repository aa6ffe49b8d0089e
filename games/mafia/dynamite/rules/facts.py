"""What becomes true in Rock, Paper, Scissors, Dynamite.

Source: docs/protocol.md, "Events"; docs/rules/dynamite.md.
"""

from __future__ import annotations

from typing import Annotated

from games.engine.facts import ClockPostponed, Fact, SeatNo, SecretFact
from games.engine.structs import SECRET
from games.mafia.common.rules.facts import (
    AwardEarned,
    CheckedIn,
    CheckInWithdrawn,
    DayBegan,
    NightBegan,
    Posted,
    Voted,
)
from games.mafia.dynamite.rules.state import Cause, Reason
from games.mafia.dynamite.rules.teams import Team


class GameStarted(Fact, frozen=True):
    """The game began: who plays, how many of each team there are, seconds of a phase."""

    seats: tuple[SeatNo, ...]
    teams: tuple[tuple[Team, int], ...]
    phase_seconds: int
    award: int


class TeamDealt(SecretFact, frozen=True):
    """A seat belongs to this team; told to that seat."""

    seat: SeatNo
    team: Annotated[Team, SECRET]


class MatesNamed(SecretFact, frozen=True):
    """These are a mafia; told to all of them."""

    team: Annotated[Team, SECRET]
    members: Annotated[tuple[SeatNo, ...], SECRET]


class PointsGained(SecretFact, frozen=True):
    """A mafia gained action points for votes and for its dead; told to the living of it."""

    team: Annotated[Team, SECRET]
    by_votes: Annotated[int, SECRET]
    by_dead: Annotated[int, SECRET]
    points: Annotated[int, SECRET]


class DangerChanged(SecretFact, frozen=True):
    """A townie who survived a day has so many danger points now; told to that seat."""

    seat: SeatNo
    danger: Annotated[int, SECRET]


class ConfrontationDeclared(SecretFact, frozen=True):
    """A mafioso will confront somebody tonight, or somebody else; told to the living team."""

    seat: SeatNo
    target: Annotated[SeatNo, SECRET]


class ConfrontationWithdrawn(SecretFact, frozen=True):
    """A mafioso will confront nobody tonight; told to the living team."""

    seat: SeatNo


class LeavingTown(SecretFact, frozen=True):
    """A seat has left, and dies of it when the phase ends; told to that seat."""

    seat: SeatNo


class PlayerDied(Fact, frozen=True):
    """A player died: what it was, and everything that killed it."""

    seat: SeatNo
    team: Team
    causes: tuple[Cause, ...]


class NobodyDied(Fact, frozen=True):
    """A night or a day is over, and nobody died."""

    round: int


class GameEnded(Fact, frozen=True):
    """The game is over: which mafias won, all seats that won, and who was what."""

    reason: Reason
    teams: tuple[Team, ...]
    winners: tuple[SeatNo, ...]
    players: tuple[tuple[SeatNo, Team], ...]


class GameVoided(Fact, frozen=True):
    """The game ended as if it had not been."""

    players: tuple[tuple[SeatNo, Team], ...]


DynamiteFact = (
    GameStarted
    | TeamDealt
    | MatesNamed
    | NightBegan
    | DayBegan
    | Voted
    | CheckedIn
    | CheckInWithdrawn
    | Posted
    | PointsGained
    | DangerChanged
    | ConfrontationDeclared
    | ConfrontationWithdrawn
    | LeavingTown
    | PlayerDied
    | NobodyDied
    | GameEnded
    | AwardEarned
    | GameVoided
    | ClockPostponed
)
