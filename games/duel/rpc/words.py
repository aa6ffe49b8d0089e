"""The table of all notifications by name; OpenRPC and the pages use it.

Source: docs/json-rpc.md "Notifications".
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from games.duel.rpc.arguments import Seat
from games.jsonrpc.parameters import FLAG, SWITCH, TEXT, WHOLE, Parameter, Schema, schema_of

SEAT: Final[Schema] = schema_of(Seat)
SEATS: Final[Schema] = {"type": "array", "items": SEAT}
SETTER: Final[Schema] = {"type": ["integer", "null"], "enum": [0, 1, None]}
INSTANT: Final[Schema] = {"type": ["string", "null"], "format": "date-time"}
#: The states of a duel.
STATES: Final = ("setup", "active", "suspended", "over", "void", "closed")


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification; ``is_addition``: the Volity handbook does not have it."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    is_addition: bool = False


_SEAT: Final = Parameter("seat_id", "the seat's number", SEAT)
_SETTER: Final = Parameter("seat_id", "who set it; null in a state that is sent", SETTER)


def _word(name: str, summary: str, *parameters: Parameter) -> Notification:
    return Notification(name, summary, parameters)


def _value(name: str, summary: str, schema: Schema = WHOLE) -> Parameter:
    return Parameter(name, summary, schema)


_HANDBOOK: Final = (
    _word("player_sat", "Somebody took a seat.", _SEAT, _value("name", "who", TEXT)),
    _word("player_stood", "A seat is free again.", _SEAT),
    _word("player_ready", "A player is ready.", _SEAT),
    _word("player_unready", "A player is ready no longer.", _SEAT),
    _word("no_ties", "Whether matched throws count.", _SETTER, _value("value", "1 or 0", SWITCH)),
    _word("best_of", "How many throws at most.", _SETTER, _value("throws", "an odd number")),
    _word("start_game", "The duel begins."),
    _word(
        "player_chose_hand",
        "A hand is shown: those of a throw come in one message.",
        _SEAT,
        _value("hand", "the hand", {"type": "string", "enum": ["rock", "paper", "scissors"]}),
    ),
    _word("suspend_game", "The duel is suspended."),
    _word("resume_game", "The duel goes on."),
    _word(
        "end_game",
        "The duel is over; nobody won a draw.",
        _value("winners", "the seats that won", SEATS),
        _value("reason", "wins, draw, resigned, suspension, abandoned or void", TEXT),
    ),
    _word(
        "receive_state",
        "A state follows, up to state_sent; forget what was before.",
        _value("state", "where the duel is", {"type": "string", "enum": list(STATES)}),
    ),
    _word("state_sent", "That was the state; from here on each fact is told."),
)
_ADDITIONS: Final = (
    _word("configuration", "The revision that ready takes.", _value("revision", "its number")),
    _word("clock_seconds", "Seconds a throw.", _SETTER, _value("seconds", "5 to 86400")),
    _word("stake", "Points of each player.", _SETTER, _value("points", "0 for none")),
    _word(
        "option",
        "An option that does not matter to the play.",
        _SETTER,
        _value("name", "rated, listed or spectators", TEXT),
        _value("value", "whether it is so", FLAG),
    ),
    _word("seat_short", "A player cannot cover the stake.", _SEAT, _value("missing", "points")),
    _word("start_scheduled", "The duel begins then.", _value("start_at", "when", INSTANT)),
    _word("start_cancelled", "It does not begin then after all."),
    _word("throw_started", "Both choose a hand.", _value("throw", "from 1 upwards")),
    _word("clock", "When the running clock ends, or null.", _value("due_at", "when", INSTANT)),
    _word("clock_stalled", "After an outage the clock stands still."),
    _word("clock_resumed", "The clock runs again."),
    _word("hand_in", "A player's hand is in; not which.", _SEAT),
    _word("your_hand", "The own hand, in a state that is sent.", _value("hand", "which", TEXT)),
    _word(
        "throw_ended",
        "Who has won the throw: both seats where a matched throw counts, none where it does not.",
        _value("throw", "its number"),
        _value("winners", "the seats that got a win", SEATS),
        _value("counted", "whether it counts", FLAG),
    ),
    _word("score", "The wins so far.", _value("first", "seat 0"), _value("second", "seat 1")),
    _word("suspension_asked", "A player asks for a suspension.", _SEAT),
    _word("suspension_withdrawn", "A player does so no longer.", _SEAT),
    _word("resumption_ready", "A player is ready to go on.", _SEAT),
    _word("resumption_withdrawn", "A player is so no longer.", _SEAT),
    _word(
        "paid",
        "Points go to a player.",
        _SEAT,
        _value("points", "how many"),
        _value("reason", "pot, returned (a draw) or refunded", TEXT),
    ),
    _word("tax_taken", "The house takes its part of the pot.", _value("points", "how many")),
    _word(
        "rematch",
        "A player wants another duel: it is open, with both on their seats.",
        _SETTER,
        _value("public_id", "its public name", TEXT),
    ),
    _word("table_closed", "Nobody played here in time.", _value("reason", "why", TEXT)),
    _word(
        "secrets_looked_at",
        "An administrator had looked at what was hidden.",
        _value("name", "who", TEXT),
        _value("reason", "why", TEXT),
    ),
)
#: Name -> notification.
NOTIFICATIONS: Final[Mapping[str, Notification]] = {
    word.name: word
    for word in (*_HANDBOOK, *(replace(word, is_addition=True) for word in _ADDITIONS))
}
