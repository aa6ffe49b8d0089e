"""A game of Agoran Mafia between two transitions: frozen values, never changed, only replaced.

Fields marked SECRET are known to the seat alone, to its side or to nobody until the game is over;
a test classifies every field.

Source: docs/rules/agora.md "Secret information".
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Final, Self

from games.engine.facts import Points, SeatNo
from games.engine.structs import SECRET, Record, replace
from games.mafia.agora.rules.options import Options
from games.mafia.agora.rules.roles import MAFIA, NIGHT_ROLES, Role, Side, side_of
from games.mafia.common.rules.ballots import NOBODY, Vote
from games.mafia.common.rules.gathering import Gathering
from games.mafia.common.rules.roster import Member, find, living

MAFIA_ROOM: Final = "mafia"


class Cause(StrEnum):
    """How a citizen died."""

    KILLED = "killed"
    LYNCHED = "lynched"
    LEFT = "left"


class Reason(StrEnum):
    """Why a game ended."""

    MAFIA_DEAD = "mafia_dead"
    MAFIA_EQUAL = "mafia_equal"
    QUIET = "quiet"
    VOID = "void"


class Citizen(Member, frozen=True, kw_only=True):
    """One seat's part of the game; a mafioso's ``target`` stands at every mafioso."""

    role: Annotated[Role, SECRET]
    cause: Cause | None = None
    is_file_mafia: Annotated[bool, SECRET]  # what the sheriff's file says
    read_files: Annotated[tuple[tuple[int, SeatNo, bool], ...], SECRET] = ()  # the sheriff's
    learned: Annotated[tuple[tuple[SeatNo, Role], ...], SECRET] = ()  # the detective's
    saved: Annotated[tuple[int, ...], SECRET] = ()  # the nights in which the doctor saved it

    @property
    def side(self) -> Side:
        """Whom it wins with."""
        return side_of(self.role)

    @property
    def has_night_action(self) -> bool:
        """Whether its role chooses somebody at night."""
        return self.role in NIGHT_ROLES


class DayRecord(Record, frozen=True):
    """What everybody knows of the last day: the votes at its end, in seat order, and who died."""

    round: int
    votes: tuple[tuple[SeatNo, Vote], ...]
    lynched: SeatNo | None


class NightRecord(Record, frozen=True):
    """What everybody knows of the last night."""

    round: int
    killed: SeatNo | None


class Result(Record, frozen=True):
    """How the game ended; ``awards`` are the points on either axis of each who earned any."""

    reason: Reason
    winner: Side | None
    awards: tuple[tuple[SeatNo, Points], ...] = ()


class AgoraState(Gathering, frozen=True, kw_only=True):
    """A whole game.

    Invariants: ``citizens`` in seat order, 3 to 17; ``result`` is set when over only; votes stand
    by day only, choices at night only; of choices only those of the living count.
    """

    options: Options
    citizens: tuple[Citizen, ...]
    last_night: NightRecord | None = None
    last_day: DayRecord | None = None
    result: Result | None = None

    def citizen(self, no: int) -> Citizen | None:
        """Return the citizen on a seat, dead or alive; None for who takes no part."""
        return find(self.citizens, no)

    @property
    def living(self) -> tuple[Citizen, ...]:
        """Those who live, in seat order."""
        return living(self.citizens)

    @property
    def mafia(self) -> tuple[Citizen, ...]:
        """The mafia, dead or alive."""
        return tuple(citizen for citizen in self.citizens if citizen.role in MAFIA)

    @property
    def members(self) -> tuple[Citizen, ...]:
        """All citizens, dead or alive."""
        return self.citizens

    @property
    def teams(self) -> dict[SeatNo, str]:
        """The mafia's room, for each of the mafia."""
        return {citizen.no: MAFIA_ROOM for citizen in self.mafia}

    @property
    def has_substitutes(self) -> bool:
        """Whether others may take seats over."""
        return self.options.substitutes

    @property
    def phase_milliseconds(self) -> int:
        """How long a night or a day lasts at most."""
        return self.options.phase_milliseconds

    def with_members(self, members: tuple[Member, ...]) -> Self:
        """Return the state with other citizens."""
        return replace(self, citizens=members)


def with_role(state: AgoraState, role: Role) -> tuple[Citizen, ...]:
    """Return the living with a role."""
    return tuple(citizen for citizen in state.living if citizen.role == role)


def target_of(citizens: Iterable[Citizen]) -> SeatNo | None:
    """Return whom these chose for the night, None for nobody; all of a role chose the same."""
    for citizen in citizens:
        if citizen.target is not None and citizen.target != NOBODY:
            return SeatNo(int(citizen.target))
    return None
