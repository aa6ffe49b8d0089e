"""Refusals by the rules, each with a code of the wire protocol: stable, unique, not translated.
Source: docs/reference/protocol.md, "Errors".
"""

from typing import ClassVar


class IllegalAction(Exception):
    """The rules refuse the action; the state is unchanged. The message is for people and may
    change; ``detail`` holds its numbers and names.
    """

    code: ClassVar[str] = "action/illegal"

    def __init__(self, message: str, **detail: int | str | None) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class BadField(IllegalAction):
    """The request is malformed: a key is unknown or missing, or a value has the wrong type."""

    code = "bad_field"


class StaleAction(IllegalAction):
    """The action was made for a phase, or for options, that are no longer current."""

    code = "stale"


class BadOption(IllegalAction):
    """An option is unknown, has the wrong type or lies outside its range."""

    code = "action/bad_option"


class NotInPhase(IllegalAction):
    """The action exists, but not in the current phase."""

    code = "action/not_in_phase"


class NotYourTurn(IllegalAction):
    """It is another seat's turn to bet."""

    code = "action/not_your_turn"


class NotSeated(IllegalAction):
    """Only a seat that takes part may act."""

    code = "action/not_seated"


class IsOut(IllegalAction):
    """The seat has folded or given up."""

    code = "action/out"


class BadTarget(IllegalAction):
    """The target is the seat itself, is out of the game, or does not exist."""

    code = "action/bad_target"


class RaiseTooSmall(IllegalAction):
    """The raise is below the last full raise, and is not all in."""

    code = "action/raise_too_small"


class RaiseTooLarge(IllegalAction):
    """The raise is more than the purse holds after matching."""

    code = "action/raise_too_large"


class TooManyRaises(IllegalAction):
    """The betting has seen all its full raises."""

    code = "action/too_many_raises"


class NobodyCanCall(IllegalAction):
    """No other player has points left to call a raise."""

    code = "action/nobody_can_call"


class MustCallOrFold(IllegalAction):
    """The seat cannot match fully, or only short raises came after it acted."""

    code = "action/must_call_or_fold"


class NotInStock(IllegalAction):
    """The weapon is not in the temporary stock, or is set aside."""

    code = "action/not_in_stock"


class IsLocked(IllegalAction):
    """The seat has locked in; only unlocking and leaving are open to it."""

    code = "action/locked"


class NotLocked(IllegalAction):
    """There is no lock to open."""

    code = "action/not_locked"


class NothingToReset(IllegalAction):
    """No attack of this round could be taken back."""

    code = "action/nothing_to_reset"


class TooEarly(IllegalAction):
    """The clock has not run out yet."""

    code = "action/too_early"


class TableFull(IllegalAction):
    """Every seat of the table is taken."""

    code = "action/table_full"


class SeatTaken(IllegalAction):
    """Somebody else sits there."""

    code = "action/seat_taken"


class AlreadySeated(IllegalAction):
    """One user has one seat."""

    code = "action/already_seated"


class SeatNotOpen(IllegalAction):
    """The seat is not open: its player may keep it."""

    code: ClassVar[str] = "action/seat_not_open"


class BadPurse(IllegalAction):
    """The purse is outside the limits of this table."""

    code = "action/bad_purse"
