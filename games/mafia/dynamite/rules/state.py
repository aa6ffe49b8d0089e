"""A game of Rock, Paper, Scissors, Dynamite between two transitions: frozen, only ever replaced.

Fields marked SECRET are known to the seat alone, to its team or to nobody until the game is over;
a test classifies every field.

Source: docs/rules/dynamite.md "What each viewer sees".
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Self

from games.engine.facts import Points, SeatNo
from games.engine.structs import SECRET, Hidden, Record, replace
from games.mafia.common.rules.ballots import Vote
from games.mafia.common.rules.gathering import Gathering
from games.mafia.common.rules.roster import Member, find, living
from games.mafia.dynamite.rules.options import Options
from games.mafia.dynamite.rules.teams import MAFIAS, Team

#: Action points of a confrontation, and how many a team keeps from one night to the next.
PRICE: Final = 2
MOST_KEPT: Final = 2


class Cause(StrEnum):
    """What killed a player; several can at one moment."""

    STAPLER = "stapler"
    EXPLOSION = "explosion"
    CONFRONTED = "confronted"  # by a team one is vulnerable to
    TOWNIE = "townie"  # confronted a townie
    LEFT = "left"


class Reason(StrEnum):
    """Why a game ended."""

    ELIMINATED = "eliminated"
    QUIET = "quiet"
    VOID = "void"


class Player(Member, frozen=True, kw_only=True):
    """One seat's part of the game.

    ``danger`` is a townie's; ``points_known`` what a mafioso who died last knew of the team's
    points.  ``is_leaving``: has left, and dies of it when the phase ends.
    """

    team: Annotated[Team, SECRET]
    has_left: bool = False
    causes: tuple[Cause, ...] = ()
    danger: Annotated[int, SECRET] = 0
    points_known: Annotated[int | None, SECRET] = None
    is_leaving: Annotated[bool, SECRET] = False

    @property
    def may_act(self) -> bool:
        """Whether it has a part in what goes on: who has left acts no more."""
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
    """What everybody knows of the last day: the votes at its end, in seat order, and who died."""

    round: int
    votes: tuple[tuple[SeatNo, Vote], ...]
    died: tuple[SeatNo, ...]


class NightRecord(Record, frozen=True):
    """What everybody knows of the last night."""

    round: int
    died: tuple[SeatNo, ...]


class Result(Record, frozen=True):
    """How the game ended: the mafias that won, all seats that won, and what each earned."""

    reason: Reason
    teams: tuple[Team, ...] = ()
    winners: tuple[SeatNo, ...] = ()
    awards: tuple[tuple[SeatNo, Points], ...] = ()


class DynamiteState(Gathering, frozen=True, kw_only=True):
    """A whole game.

    Invariants: ``players`` in seat order, 4 to 40; ``points`` in the order of the mafias;
    ``result`` is set when over only; votes stand by day only, targets at night only, and never
    more of a team than its points pay for.
    """

    options: Options
    players: tuple[Player, ...]
    points: tuple[TeamPoints, ...] = tuple(TeamPoints(team) for team in MAFIAS)
    last_night: NightRecord | None = None
    last_day: DayRecord | None = None
    result: Result | None = None

    def player(self, no: int) -> Player | None:
        """Return the player on a seat, dead or alive; None for who takes no part."""
        return find(self.players, no)

    @property
    def living(self) -> tuple[Player, ...]:
        """Those who live, in seat order."""
        return living(self.players)

    @property
    def members(self) -> tuple[Player, ...]:
        """All players, dead or alive."""
        return self.players

    @property
    def teams(self) -> dict[SeatNo, str]:
        """The room of each of the mafias: it is called as the team is."""
        return {player.no: player.team.value for player in self.players if player.is_mafia}

    @property
    def has_substitutes(self) -> bool:
        """Whether others may take seats over."""
        return self.options.substitutes

    @property
    def phase_milliseconds(self) -> int:
        """How long a night or a day lasts at most."""
        return self.options.phase_milliseconds

    def with_members(self, members: tuple[Member, ...]) -> Self:
        """Return the state with other players."""
        return replace(self, players=members)

    def team(self, team: Team) -> tuple[Player, ...]:
        """Return a team, dead or alive."""
        return tuple(player for player in self.players if player.team == team)

    def points_of(self, team: Team) -> int:
        """Return a mafia's action points, reserved ones included; none for the town."""
        return next((purse.points for purse in self.points if purse.team == team), 0)

    def with_points(self, points: dict[Team, int]) -> Self:
        """Return the state with other action points of some mafias."""
        purses = (TeamPoints(p.team, points.get(p.team, p.points)) for p in self.points)
        return replace(self, points=tuple(purses))


def declared(state: DynamiteState, team: Team) -> tuple[tuple[SeatNo, SeatNo], ...]:
    """Return a team's confrontations of this night: attacker and target, by attacker."""
    return tuple(
        (player.no, SeatNo(int(player.target)))
        for player in state.team(team)
        if player.target is not None
    )


def votes_held(state: DynamiteState) -> dict[SeatNo, int]:
    """Return how many votes each living player holds at this moment."""
    votes = [player.vote for player in state.living]
    return {player.no: votes.count(player.no) for player in state.living}
