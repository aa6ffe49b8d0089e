"""The state of a game of Rock, Paper, Scissors, Dynamite: frozen values, replaced by transitions.
Fields marked SECRET are known to the seat alone, to its team, or to nobody until the game is over;
a test classifies every field. Source: docs/rules/dynamite.md "What each viewer sees".
"""

from enum import StrEnum
from typing import Annotated, Final, Self

from games.engine.facts import Points, SeatNo
from games.engine.structs import SECRET, Hidden, Record, replace
from games.mafia.common.rules.ballots import Vote
from games.mafia.common.rules.roster import Member
from games.mafia.common.rules.state import TownState
from games.mafia.dynamite.rules.options import Options
from games.mafia.dynamite.rules.teams import MAFIAS, Team

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
    """The reason why a game ended."""

    ELIMINATED = "eliminated"
    QUIET = "quiet"
    VOID = "void"


class Player(Member, frozen=True, kw_only=True):
    """The state of one seat. ``danger`` is for townies; ``points_known``: the last points of the
    team that a dead mafioso knew. ``is_leaving``: the player has left and dies when the phase ends.
    """

    team: Annotated[Team, SECRET]
    has_left: bool = False
    causes: tuple[Cause, ...] = ()
    danger: Annotated[int, SECRET] = 0
    points_known: Annotated[int | None, SECRET] = None
    is_leaving: Annotated[bool, SECRET] = False

    @property
    def may_act(self) -> bool:
        """Whether it may act in the game: a player who has left may not."""
        return self.is_alive and not self.is_leaving

    @property
    def is_mafia(self) -> bool:
        """Whether it belongs to a team that confronts."""
        return self.team in MAFIAS


class TeamPoints(Hidden, frozen=True):
    """The action points of a mafia, reserved ones included."""

    team: Team
    points: Annotated[int, SECRET] = 0


class DayRecord(Record, frozen=True):
    """The public record of the last day: the final votes, in seat order, and who died."""

    round: int
    votes: tuple[tuple[SeatNo, Vote], ...]
    died: tuple[SeatNo, ...]


class NightRecord(Record, frozen=True):
    """The public record of the last night."""

    round: int
    died: tuple[SeatNo, ...]


class Result(Record, frozen=True):
    """The result of the game: winning mafias, all winning seats, and each award."""

    reason: Reason
    teams: tuple[Team, ...] = ()
    winners: tuple[SeatNo, ...] = ()
    awards: tuple[tuple[SeatNo, Points], ...] = ()


class DynamiteState(TownState[Player], frozen=True, kw_only=True):
    """The state of a game. Invariants: ``players`` are in seat order, 4 to 40; ``points`` are in
    the order of the mafias; ``result`` is set only when the game is over; votes are set by day
    only, targets by night only; a team's points pay for all of its targets.
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
    def teams(self) -> dict[SeatNo, str]:
        return {player.no: player.team.value for player in self.players if player.is_mafia}

    def with_members(self, members: tuple[Player, ...]) -> Self:
        return replace(self, players=members)

    def team(self, team: Team) -> tuple[Player, ...]:
        """Return the members of a team, dead or alive."""
        return tuple(player for player in self.players if player.team == team)

    def points_of(self, team: Team) -> int:
        """Return a mafia's action points, reserved ones included; 0 for the town."""
        return next((purse.points for purse in self.points if purse.team == team), 0)

    def with_points(self, points: dict[Team, int]) -> Self:
        """Return the state with the action points of some mafias replaced."""
        purses = (TeamPoints(p.team, points.get(p.team, p.points)) for p in self.points)
        return replace(self, points=tuple(purses))


def declared(state: DynamiteState, team: Team) -> tuple[tuple[SeatNo, SeatNo], ...]:
    """Return a team's confrontations of this night: attacker and target, in seat order."""
    return tuple(
        (player.no, SeatNo(int(player.target)))
        for player in state.team(team)
        if player.target is not None
    )


def votes_held(state: DynamiteState) -> dict[SeatNo, int]:
    """Return the number of votes that each living player holds now."""
    votes = [player.vote for player in state.living]
    return {player.no: votes.count(player.no) for player in state.living}
