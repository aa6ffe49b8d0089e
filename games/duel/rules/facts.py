"""The facts of a duel; only its seat knows a hand until both are in.
Source: docs/reference/protocol.md, "Events"; docs/rules/duel.md, "What each viewer sees".
"""

from typing import Annotated

from games.duel.rules.state import Hand, Reason
from games.engine.facts import ClockPostponed, Fact, Instant, Points, SeatNo, SecretFact
from games.engine.stakes import PointsFact
from games.engine.structs import SECRET


class GameStarted(Fact, frozen=True):
    """The duel began, with these options; the stake is in points."""

    seats: tuple[SeatNo, SeatNo]
    best_of: int
    no_ties: bool
    clock_seconds: int
    stake: Points


class ThrowStarted(Fact, frozen=True):
    """The next throw began; ``due_at`` is its deadline."""

    throw: int
    due_at: Instant


class HandChosen(SecretFact, frozen=True):
    """A seat chose its hand."""

    seat: SeatNo
    hand: Annotated[Hand, SECRET]


class HandIn(Fact, frozen=True):
    """A seat's hand is in; the hand itself stays secret."""

    seat: SeatNo


class HandsRevealed(Fact, frozen=True):
    """The hands of a throw were revealed, by seat; a missing hand is None. ``winners`` got a win
    each; ``wins`` are both seats' wins, including these.
    """

    throw: int
    hands: tuple[Hand | None, Hand | None]
    winners: tuple[SeatNo, ...]
    counted: bool
    wins: tuple[int, int]


class ThrowVoided(Fact, frozen=True):
    """A throw was void: no hand came in time."""

    throw: int


class SuspensionAsked(Fact, frozen=True):
    """A seat asked for a suspension."""

    seat: SeatNo


class SuspensionWithdrawn(Fact, frozen=True):
    """A seat withdrew its request for a suspension."""

    seat: SeatNo


class Suspended(Fact, frozen=True):
    """Both seats agreed to a suspension until this instant."""

    due_at: Instant


class ResumptionReady(Fact, frozen=True):
    """A seat is ready to resume."""

    seat: SeatNo


class ResumptionWithdrawn(Fact, frozen=True):
    """A seat withdrew its readiness to resume."""

    seat: SeatNo


class Resumed(Fact, frozen=True):
    """The duel was resumed; the throw's clock ends at this instant."""

    due_at: Instant


class GameEnded(Fact, frozen=True):
    """The duel was played to its end."""

    winners: tuple[SeatNo, ...]
    reason: Reason


class GameVoided(Fact, frozen=True):
    """The duel was voided."""


class PotAwarded(PointsFact, frozen=True):
    """The winner got both stakes, less the tax."""


class TaxTaken(Fact, frozen=True):
    """The treasury got its part of the stakes."""

    amount: Points


class PurseReturned(PointsFact, frozen=True):
    """A seat got its stake back after a draw."""


class StakeRefunded(PointsFact, frozen=True):
    """A seat got its stake back, because nobody won."""


DuelFact = (
    GameStarted | ThrowStarted | HandChosen | HandIn | HandsRevealed | ThrowVoided | SuspensionAsked
    | SuspensionWithdrawn | Suspended | ResumptionReady | ResumptionWithdrawn | Resumed | GameEnded
    | GameVoided | PotAwarded | TaxTaken | PurseReturned | StakeRefunded | ClockPostponed
)  # fmt: skip
