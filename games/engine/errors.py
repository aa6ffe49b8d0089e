"""Refusals by the rules, each with a code of the wire protocol: stable, unique, not translated.
Source: docs/reference/protocol.md, "Errors".
"""

from typing import Final, NoReturn

#: Refusals that no code catches: code -> its meaning. A game has a table of its own for its codes.
REFUSALS: Final = {
    "action/bad_option": "An option is unknown, has the wrong type or lies outside its range",
    "action/not_your_turn": "It is another seat's turn to bet",
    "action/not_seated": "Only a seat that takes part may act",
    "action/out": "The seat has folded or given up",
    "action/bad_target": "The target is the seat itself, is out of the game, or does not exist",
    "action/raise_too_small": "The raise is below the last full raise, and is not all in",
    "action/raise_too_large": "The raise is more than the purse holds after matching",
    "action/too_many_raises": "The betting has seen all its full raises",
    "action/nobody_can_call": "No other player has points left to call a raise",
    "action/must_call_or_fold": "The seat cannot match fully, or only short raises came after it"
    " acted",
    "action/not_in_stock": "The weapon is not in the temporary stock, or is set aside",
    "action/locked": "The seat has locked in; only unlocking and leaving are open to it",
    "action/not_locked": "There is no lock to open",
    "action/nothing_to_reset": "No attack of this round could be taken back",
    "action/too_early": "The clock has not run out yet",
    "action/seat_not_open": "The seat is not open: its player may keep it",
    "command/refused": "The typed command cannot be carried out; nothing has changed",
    "command/unknown": "There is no command with this name",
    "command/usage": "A word of the command is missing, too many or of the wrong kind; detail:"
    " usage",
    "command/unknown_player": "No player at the table has a name that begins like this; detail:"
    " player",
    "command/ambiguous_player": "More than one player's name begins like this; detail: player,"
    " candidates",
    "command/no_free_seat": "No seat of the table is open to be taken over",
    "action/too_many_tables": "The user sits at the most live tables that one may",
    "action/no_bot_willing": "No bot can sit down: all are busy, or somebody here has won enough"
    " from bots today",
    "action/too_many_open_tables": "The user has the most tables waiting for players",
    "action/too_many_tables_opened": "The user has opened the most tables that one may within an"
    " hour; detail: most",
    "action/cooling_down": "The player timed out too often in a row; detail: seconds, left to wait",
    "message_unread": "A message of the moderators waits to be read; it is on every page",
    "forbidden": "You may not do this",
    "maintenance": "The site is being worked on; nothing has changed",
    "muted": "You flooded the chat again, or an administrator has muted you",
    "not_found": "There is no such thing, or not for you",
}


class IllegalAction(Exception):
    """The rules refuse the action; the state is unchanged. The message is for people and may
    change; ``detail`` holds its numbers and names.
    """

    code = "action/illegal"

    def __init__(self, message: str, **detail: int | str | None) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


def refusal(code: str, message: str, **detail: int | str | None) -> IllegalAction:
    made = IllegalAction(message, **detail)
    made.code = code
    return made


def refuse(code: str, message: str, **detail: int | str | None) -> NoReturn:
    raise refusal(code, message, **detail)


class BadField(IllegalAction):
    """The request is malformed: a key is unknown or missing, or a value has the wrong type."""

    code = "bad_field"


class StaleAction(IllegalAction):
    """The action was made for a phase, or for options, that are no longer current."""

    code = "stale"


class NotInPhase(IllegalAction):
    """The action exists, but not in the current phase."""

    code = "action/not_in_phase"


class TableFull(IllegalAction):
    """Every seat of the table is taken."""

    code = "action/table_full"


class SeatTaken(IllegalAction):
    """Somebody else sits there."""

    code = "action/seat_taken"


class AlreadySeated(IllegalAction):
    """One user has one seat."""

    code = "action/already_seated"


class BadPurse(IllegalAction):
    """The purse is outside the limits of this table."""

    code = "action/bad_purse"
