"""The facts of Showdown; seats as keys of a map are strings, amounts are points.
Source: docs/reference/protocol.md, "Events"; docs/rules/showdown.md.
"""

from collections.abc import Mapping
from typing import Literal

from games.engine.facts import ClockPostponed, Fact, Points, SeatNo, SecretFact
from games.engine.stakes import PointsFact, Pot
from games.engine.structs import Record
from games.showdown.rules.state import Battle, Reason
from games.showdown.rules.weapons import BasicWeapon, PermanentItem, Weapon

# The betting ------------------------------------------------------------------------------


class GameStarted(Fact, frozen=True):
    """The game began: its seats, and the number of each weapon dealt to each of them."""

    dealer: SeatNo
    seats: tuple[SeatNo, ...]
    dealt: Mapping[str, int]


class AntePosted(PointsFact, frozen=True):
    """A seat put the ante, or its whole smaller purse, into the pot."""


class TurnPassed(Fact, frozen=True):
    """It is this seat's turn to bet."""

    seat: SeatNo


class Called(PointsFact, frozen=True):
    """A seat matched the bet with ``amount`` points; 0 is a check."""

    all_in: bool


class Raised(Fact, frozen=True):
    """A seat raised by ``by``, put ``amount`` into the pot and has ``stake`` there."""

    seat: SeatNo
    by: Points
    amount: Points
    stake: Points
    all_in: bool


class Folded(Fact, frozen=True):
    """A seat folded; ``late``: because its clock ran out."""

    seat: SeatNo
    late: bool


class BettingEnded(Fact, frozen=True):
    """The betting ended."""


class UncalledReturned(PointsFact, frozen=True):
    """An uncalled bet was returned."""


class PurseReturned(PointsFact, frozen=True):
    """The rest of a purse was returned."""


class PotsFormed(Fact, frozen=True):
    """The pots were formed, the main pot first."""

    pots: tuple[Pot, ...]


# Rounds -----------------------------------------------------------------------------------


class RoundStarted(Fact, frozen=True):
    """A round began, and its clock runs."""

    round: int


class AttackChosen(SecretFact, frozen=True):
    """A seat chose a weapon against an opponent."""

    seat: SeatNo
    weapon: Weapon
    target: SeatNo


class AttacksReset(SecretFact, frozen=True):
    """A seat withdrew all its attacks."""

    seat: SeatNo


class WeaponsCombined(SecretFact, frozen=True):
    """A seat combined two weapons into one."""

    seat: SeatNo
    first: BasicWeapon
    second: BasicWeapon
    made: Weapon


class WeaponAdded(SecretFact, frozen=True):
    """A seat took a weapon out of its permanent stock."""

    seat: SeatNo
    weapon: BasicWeapon


class SomethingAdded(Fact, frozen=True):
    """The public part of ``WeaponAdded``."""

    seat: SeatNo


class MinePlanted(SecretFact, frozen=True):
    """A seat took a landmine out of its permanent stock and planted it."""

    seat: SeatNo
    target: SeatNo


class Locked(Fact, frozen=True):
    """A seat locked its choices."""

    seat: SeatNo


class Unlocked(Fact, frozen=True):
    """A seat unlocked its choices."""

    seat: SeatNo


class RoundResolved(Fact, frozen=True):
    """All battles were resolved: wins of every seat that fought, points of those that scored."""

    round: int
    battles: tuple[Battle, ...]
    wins: Mapping[str, int]
    points: Mapping[str, int]


class MineExploded(Fact, frozen=True):
    """All seats were level, and this one stepped on ``count`` mines; 0: it was drawn at random."""

    round: int
    seat: SeatNo
    count: int


class AbsentWarned(SecretFact, frozen=True):
    """A seat did nothing in the last round and will be out after another one."""

    seat: SeatNo


class GaveUp(Fact, frozen=True):
    """The seat asked to be out or did nothing twice: out from the round's end, of two at once."""

    seat: SeatNo
    reason: Literal["left", "absent"]


# The end ----------------------------------------------------------------------------------


class GameEnded(Fact, frozen=True):
    """The game was played to its end."""

    winners: tuple[SeatNo, ...]
    reason: Reason


class PotAwarded(Fact, frozen=True):
    """A seat got ``amount`` of a pot; the main pot is 0."""

    pot: int
    seat: SeatNo
    amount: Points


class TaxTaken(Fact, frozen=True):
    """The treasury got ``amount`` of a pot."""

    pot: int
    amount: Points


class WeaponsUsed(Fact, frozen=True):
    """``count`` of an item from the seat's permanent stock were used up."""

    seat: SeatNo
    weapon: PermanentItem
    count: int


class BonusEarned(PointsFact, frozen=True):
    """A seat earned a bonus by these rules; the site then applies its daily limits."""


class Minefield(Record, frozen=True):
    """The number of mines that one seat planted under another in the whole game."""

    owner: SeatNo
    target: SeatNo
    count: int


class Revealed(Fact, frozen=True):
    """All planted mines, and each seat's stock at the end by the weapons' names."""

    mines: tuple[Minefield, ...]
    stocks: Mapping[str, Mapping[str, int]]


class GameVoided(Fact, frozen=True):
    """The game was voided: it counts for nothing."""


class StakeRefunded(PointsFact, frozen=True):
    """A void game returned the seat's points."""


class WeaponRefunded(Fact, frozen=True):
    """A void game returned ``count`` of an item to the seat's permanent stock."""

    seat: SeatNo
    weapon: PermanentItem
    count: int


#: All facts, in the order of a game.
ShowdownFact = (
    GameStarted | AntePosted | TurnPassed | Called | Raised | Folded | BettingEnded
    | UncalledReturned | PurseReturned | PotsFormed | RoundStarted | AttackChosen | AttacksReset
    | WeaponsCombined | WeaponAdded | SomethingAdded | MinePlanted | Locked | Unlocked
    | RoundResolved | MineExploded | AbsentWarned | GaveUp | ClockPostponed | GameEnded | PotAwarded
    | TaxTaken | WeaponsUsed | BonusEarned | Revealed | GameVoided | StakeRefunded | WeaponRefunded
)  # fmt: skip
