"""The facts of the arena. Only the player is told a choice, and the player's part of a round.
Source: docs/rules/arena.md.
"""

from typing import Annotated

from games.arena.rules.moves import Counts, Move, Table
from games.arena.rules.options import Preference, RoundOptions
from games.engine.facts import Fact, Instant, SeatNo, SecretFact
from games.engine.structs import SECRET
from tools.referee.arena.state import Fought


class RoundStarted(Fact, frozen=True):
    """A selection began; ``drawn`` is the player whose settings are used, None if all are new."""

    round: int
    options: RoundOptions
    drawn: SeatNo | None
    commitment: str
    due_at: Instant


class ChoiceMade(SecretFact, frozen=True):
    """A player chose, or took the choice back."""

    seat: SeatNo
    move: Annotated[Move | None, SECRET]


class PreferenceSet(SecretFact, frozen=True):
    """A player has set the preference for an option."""

    seat: SeatNo
    option: Annotated[str, SECRET]
    value: Annotated[Preference, SECRET]


class LeavingAsked(SecretFact, frozen=True):
    """A player will leave after this round."""

    seat: SeatNo


class LeavingWithdrawn(SecretFact, frozen=True):
    """A player has withdrawn the request to leave."""

    seat: SeatNo


class ResetAsked(SecretFact, frozen=True):
    """A player's figures will be reset to 0 after this round."""

    seat: SeatNo


class PlayerJoined(Fact, frozen=True):
    """A player has joined."""

    seat: SeatNo


class PlayerLeft(Fact, frozen=True):
    """A player is out; ``is_idle``: for making no choice for too many rounds."""

    seat: SeatNo
    is_idle: bool


class FiguresReset(SecretFact, frozen=True):
    """A player's figures were reset to 0."""

    seat: SeatNo


class RoundFought(SecretFact, frozen=True):
    """A player's part of a round."""

    seat: SeatNo
    fought: Annotated[Fought, SECRET]


class RoundEnded(Fact, frozen=True):
    """A round's result, and the seed to which it was committed."""

    round: int
    counts: Counts
    table: Table
    seed: str


class HealthRefilled(Fact, frozen=True):
    """All players who are in have full health."""


class ArenaRested(Fact, frozen=True):
    """The arena rests: no player is in."""


ArenaFact = (
    RoundStarted
    | ChoiceMade
    | PreferenceSet
    | LeavingAsked
    | LeavingWithdrawn
    | ResetAsked
    | PlayerJoined
    | PlayerLeft
    | FiguresReset
    | RoundFought
    | RoundEnded
    | HealthRefilled
    | ArenaRested
)
