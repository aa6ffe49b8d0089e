"""The facts of Rock, Paper, Scissors, Dynamite.
Source: docs/reference/protocol.md, "Events"; docs/rules/dynamite.md.
"""

from typing import Annotated

from games.engine.facts import Fact, SeatNo, SecretFact
from games.engine.structs import SECRET
from games.mafia.common.rules.facts import TownFact
from games.mafia.dynamite.rules.state import Cause, Reason
from games.mafia.dynamite.rules.teams import Team


class GameStarted(Fact, frozen=True):
    """The game began: seats, the size of each team, the length of a phase in seconds."""

    seats: tuple[SeatNo, ...]
    teams: tuple[tuple[Team, int], ...]
    phase_seconds: int
    award: int


class TeamDealt(SecretFact, frozen=True):
    """A seat was dealt this team; told to that seat."""

    seat: SeatNo
    team: Annotated[Team, SECRET]


class MatesNamed(SecretFact, frozen=True):
    """The members of a mafia; told to all of them."""

    team: Annotated[Team, SECRET]
    members: Annotated[tuple[SeatNo, ...], SECRET]


class PointsGained(SecretFact, frozen=True):
    """A mafia gained action points by votes and by its dead; told to its living members."""

    team: Annotated[Team, SECRET]
    by_votes: Annotated[int, SECRET]
    by_dead: Annotated[int, SECRET]
    points: Annotated[int, SECRET]


class DangerChanged(SecretFact, frozen=True):
    """The danger points of a townie who survived a day; told to that seat."""

    seat: SeatNo
    danger: Annotated[int, SECRET]


class ConfrontationDeclared(SecretFact, frozen=True):
    """A mafioso declared a confrontation tonight or changed its target; told to the living team."""

    seat: SeatNo
    target: Annotated[SeatNo, SECRET]


class ConfrontationWithdrawn(SecretFact, frozen=True):
    """A mafioso withdrew the confrontation of tonight; told to the living team."""

    seat: SeatNo


class LeavingTown(SecretFact, frozen=True):
    """A seat has left and dies when the phase ends; told to that seat."""

    seat: SeatNo


class PlayerDied(Fact, frozen=True):
    """A player died: its team and all causes."""

    seat: SeatNo
    team: Team
    causes: tuple[Cause, ...]


class NobodyDied(Fact, frozen=True):
    """A night or a day is over without a death."""

    round: int


class GameEnded(Fact, frozen=True):
    """The game is over: the mafias that won, all winning seats, and all teams."""

    reason: Reason
    teams: tuple[Team, ...]
    winners: tuple[SeatNo, ...]
    players: tuple[tuple[SeatNo, Team], ...]


class GameVoided(Fact, frozen=True):
    """The game was voided."""

    players: tuple[tuple[SeatNo, Team], ...]


DynamiteFact = (
    GameStarted
    | TownFact
    | TeamDealt
    | MatesNamed
    | PointsGained
    | DangerChanged
    | ConfrontationDeclared
    | ConfrontationWithdrawn
    | LeavingTown
    | PlayerDied
    | NobodyDied
    | GameEnded
    | GameVoided
)
