"""Everything that can become true in Showdown; who may read which is decided where it is made.

Seats as keys of a map are texts, amounts are points.

Source: docs/protocol.md, "Events"; docs/rules/showdown.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from games.engine.facts import Fact, Instant, Points, SeatNo, SecretFact
from games.engine.pots import Pot
from games.engine.structs import Record
from games.showdown.rules.state import Battle, Reason
from games.showdown.rules.weapons import BasicWeapon, PermanentItem, Weapon

# The betting ------------------------------------------------------------------------------


class GameStarted(Fact, frozen=True):
    """The seats take part; each was dealt so many of each weapon named."""

    dealer: SeatNo
    seats: tuple[SeatNo, ...]
    dealt: Mapping[str, int]


class AntePosted(Fact, frozen=True):
    """The seat has put the ante into the pot, or all it had."""

    seat: SeatNo
    amount: Points


class TurnPassed(Fact, frozen=True):
    """The seat is to bet now."""

    seat: SeatNo


class Called(Fact, frozen=True):
    """The seat has matched the bet with so many points; with 0 it has checked."""

    seat: SeatNo
    amount: Points
    all_in: bool


class Raised(Fact, frozen=True):
    """The seat has raised ``by`` so much, put ``amount`` into the pot and has ``stake`` there."""

    seat: SeatNo
    by: Points
    amount: Points
    stake: Points
    all_in: bool


class Folded(Fact, frozen=True):
    """The seat is out of the game; ``late``: because its clock ran out."""

    seat: SeatNo
    late: bool


class BettingEnded(Fact, frozen=True):
    """Nobody bets any more."""


class UncalledReturned(Fact, frozen=True):
    """What nobody called has gone back."""

    seat: SeatNo
    amount: Points


class PurseReturned(Fact, frozen=True):
    """What was not staked has gone back."""

    seat: SeatNo
    amount: Points


class PotsFormed(Fact, frozen=True):
    """The pots are these now, the main pot first."""

    pots: tuple[Pot, ...]


# Rounds -----------------------------------------------------------------------------------


class RoundStarted(Fact, frozen=True):
    """The round's clock runs."""

    round: int


class AttackChosen(SecretFact, frozen=True):
    """The seat has chosen a weapon against an opponent."""

    seat: SeatNo
    weapon: Weapon
    target: SeatNo


class AttacksReset(SecretFact, frozen=True):
    """The seat has taken all its attacks back."""

    seat: SeatNo


class WeaponsCombined(SecretFact, frozen=True):
    """The seat has made one weapon of two."""

    seat: SeatNo
    first: BasicWeapon
    second: BasicWeapon
    made: Weapon


class WeaponAdded(SecretFact, frozen=True):
    """The seat has taken a weapon out of its permanent stock."""

    seat: SeatNo
    weapon: BasicWeapon


class SomethingAdded(Fact, frozen=True):
    """What everybody hears of ``WeaponAdded``."""

    seat: SeatNo


class MinePlanted(SecretFact, frozen=True):
    """The seat has taken a landmine out of its permanent stock and planted it."""

    seat: SeatNo
    target: SeatNo


class Locked(Fact, frozen=True):
    """The seat is done choosing."""

    seat: SeatNo


class Unlocked(Fact, frozen=True):
    """The seat goes on choosing."""

    seat: SeatNo


class RoundResolved(Fact, frozen=True):
    """All battles were fought: wins of every seat that fought, points of those that scored."""

    round: int
    battles: tuple[Battle, ...]
    wins: Mapping[str, int]
    points: Mapping[str, int]


class MineExploded(Fact, frozen=True):
    """All were level, and the seat stepped on so many mines; 0: it was drawn."""

    round: int
    seat: SeatNo
    count: int


class AbsentWarned(SecretFact, frozen=True):
    """The seat did nothing in the last round and will be out after another one."""

    seat: SeatNo


class GaveUp(Fact, frozen=True):
    """The seat asked to be out or did nothing twice: out from the round's end, of two at once."""

    seat: SeatNo
    reason: Literal["left", "absent"]


class ClockPostponed(Fact, frozen=True):
    """The running clock ends later, because of an outage."""

    due_at: Instant


# The end ----------------------------------------------------------------------------------


class GameEnded(Fact, frozen=True):
    """The game was played to its end."""

    winners: tuple[SeatNo, ...]
    reason: Reason


class PotAwarded(Fact, frozen=True):
    """The seat has got so much of a pot, the main pot being 0."""

    pot: int
    seat: SeatNo
    amount: Points


class TaxTaken(Fact, frozen=True):
    """The treasury has got so much of a pot."""

    pot: int
    amount: Points


class WeaponsUsed(Fact, frozen=True):
    """So many of an item that came from the seat's permanent stock are gone."""

    seat: SeatNo
    weapon: PermanentItem
    count: int


class BonusEarned(Fact, frozen=True):
    """The seat has earned a bonus by these rules; the site's daily limits come after."""

    seat: SeatNo
    amount: Points


class Minefield(Record, frozen=True):
    """How many mines somebody planted under somebody in the whole game."""

    owner: SeatNo
    target: SeatNo
    count: int


class Revealed(Fact, frozen=True):
    """Every mine that was planted, and each seat's stock at the end by the weapons' names."""

    mines: tuple[Minefield, ...]
    stocks: Mapping[str, Mapping[str, int]]


class GameVoided(Fact, frozen=True):
    """The game counts for nothing."""


class StakeRefunded(Fact, frozen=True):
    """A void game has given the seat's points back."""

    seat: SeatNo
    amount: Points


class WeaponRefunded(Fact, frozen=True):
    """A void game has put so many of an item back into the seat's permanent stock."""

    seat: SeatNo
    weapon: PermanentItem
    count: int


#: Everything there is, in the order of a game.
ShowdownFact = (
    GameStarted | AntePosted | TurnPassed | Called | Raised | Folded | BettingEnded
    | UncalledReturned | PurseReturned | PotsFormed
    | RoundStarted | AttackChosen | AttacksReset | WeaponsCombined | WeaponAdded | SomethingAdded
    | MinePlanted | Locked | Unlocked | RoundResolved | MineExploded | AbsentWarned | GaveUp
    | ClockPostponed
    | GameEnded | PotAwarded | TaxTaken | WeaponsUsed | BonusEarned | Revealed
    | GameVoided | StakeRefunded | WeaponRefunded
)  # fmt: skip
