"""The options, the state and the facts of Rock, Paper, Scissors, Dynamite; a SECRET field is known
to the seat alone, to its team, or to nobody until the game is over.
Source: docs/rules/dynamite.md "Setup", "What each viewer sees".
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Self

from games.engine.choices import number, switch
from games.engine.facts import Fact, Points, SeatNo, SecretFact
from games.engine.structs import SECRET, Hidden, Record, replace
from games.mafia.common.rules.facts import TownFact
from games.mafia.common.rules.phases import LONGEST_PHASE, QUICK_PHASE, SHORTEST_PHASE
from games.mafia.common.rules.roster import Member, Vote
from games.mafia.common.rules.state import TownState
from games.mafia.dynamite.rules.teams import LEAST_PLAYERS, MAFIAS, MOST_PLAYERS, Team

#: The options of a game in one sitting.
QUICK: Final[Mapping[str, int | bool]] = {"seats": 8, **QUICK_PHASE}


class Options(Record, frozen=True):
    """All options of a game; the defaults are the rule book's. ``quiet_limit`` counts days and
    nights together. The rules do not use ``contest``, ``listed`` and ``spectators``.
    """

    seats: Annotated[int, number(LEAST_PLAYERS, MOST_PLAYERS, chosen=True)] = 8
    phase_seconds: Annotated[
        int, number(SHORTEST_PHASE, LONGEST_PHASE, chosen=True, site="dynamite.phase")
    ] = 86_400
    award: Annotated[int, number(1, 60, site="dynamite.award")] = 5
    quiet_limit: Annotated[int, number(2, 60, site="dynamite.quiet_limit")] = 6
    last_wills: Annotated[bool, switch(chosen=True)] = False
    substitutes: Annotated[bool, switch()] = False
    contest: Annotated[bool, switch()] = False
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True


#: Action points: the price of a confrontation, and the most that a team keeps after a night.
PRICE: Final = 2
MOST_KEPT: Final = 2


class Cause(StrEnum):
    """A cause of a player's death; there can be several at one moment."""

    STAPLER = "stapler"
    EXPLOSION = "explosion"
    CONFRONTED = "confronted"  # by a team to which the player is vulnerable
    TOWNIE = "townie"  # confronted a townie
    LEFT = "left"


class Reason(StrEnum):
    ELIMINATED = "eliminated"
    QUIET = "quiet"
    VOID = "void"


class Player(Member, frozen=True, kw_only=True):
    """The state of one seat. ``danger`` is for townies, ``points_known`` the last points of the
    team that a dead mafioso knew; ``is_leaving``: it dies when the phase ends.
    """

    team: Annotated[Team, SECRET]
    has_left: bool = False
    causes: tuple[Cause, ...] = ()
    danger: Annotated[int, SECRET] = 0
    points_known: Annotated[int | None, SECRET] = None
    is_leaving: Annotated[bool, SECRET] = False

    @property
    def may_act(self) -> bool:
        return self.is_alive and not self.is_leaving

    @property
    def is_mafia(self) -> bool:
        return self.team in MAFIAS


class TeamPoints(Hidden, frozen=True):
    """The action points of a mafia, reserved ones included."""

    team: Team
    points: Annotated[int, SECRET] = 0


class DayRecord(Record, frozen=True):
    """The last day: the final votes, in seat order, and who died."""

    round: int
    votes: tuple[tuple[SeatNo, Vote], ...]
    died: tuple[SeatNo, ...]


class NightRecord(Record, frozen=True):
    round: int
    died: tuple[SeatNo, ...]


class Result(Record, frozen=True):
    """The result of the game: winning mafias, all winning seats, and each award."""

    reason: Reason
    teams: tuple[Team, ...] = ()
    winners: tuple[SeatNo, ...] = ()
    awards: tuple[tuple[SeatNo, Points], ...] = ()


class DynamiteState(TownState[Player], frozen=True, kw_only=True):
    """Invariants: ``players`` are in seat order, 4 to 40; ``points`` in the order of the mafias;
    ``result`` is set only when the game is over; votes are set by day only, targets by night only;
    a team's points pay for all of its targets.
    """

    options: Options
    players: tuple[Player, ...]
    points: tuple[TeamPoints, ...] = tuple(TeamPoints(team) for team in MAFIAS)
    last_night: NightRecord | None = None
    last_day: DayRecord | None = None
    result: Result | None = None

    @property
    def members(self) -> tuple[Player, ...]:
        return self.players

    @property
    def dealt(self) -> tuple[tuple[SeatNo, Team], ...]:
        """The team of each player, in seat order."""
        return tuple((player.no, player.team) for player in self.players)

    @property
    def teams(self) -> dict[SeatNo, str]:
        return {player.no: player.team.value for player in self.players if player.team in MAFIAS}

    def with_members(self, members: tuple[Player, ...]) -> Self:
        return replace(self, players=members)

    def team(self, team: Team) -> tuple[Player, ...]:
        """Return the members of a team, dead or alive."""
        return tuple([player for player in self.players if player.team == team])

    def points_of(self, team: Team) -> int:
        """Return a mafia's action points, reserved ones included; 0 for the town."""
        return next((purse.points for purse in self.points if purse.team == team), 0)

    def with_points(self, points: dict[Team, int]) -> Self:
        purses = (TeamPoints(p.team, points.get(p.team, p.points)) for p in self.points)
        return replace(self, points=tuple(purses))


def declared(state: DynamiteState, team: Team) -> tuple[tuple[SeatNo, SeatNo], ...]:
    """Return a team's confrontations of this night: attacker and target, in seat order."""
    return tuple(
        (player.no, SeatNo(int(player.target)))
        for player in state.team(team)
        if player.target is not None
    )


def has_free_points(state: DynamiteState, team: Team) -> bool:
    """Whether a team can pay for one more confrontation."""
    return PRICE * (len(declared(state, team)) + 1) <= state.points_of(team)


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
    GameStarted | TownFact | TeamDealt | MatesNamed | PointsGained | DangerChanged
    | ConfrontationDeclared | ConfrontationWithdrawn | LeavingTown | PlayerDied | NobodyDied
    | GameEnded | GameVoided
)  # fmt: skip
