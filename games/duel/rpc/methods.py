"""The table of all methods; dispatch, OpenRPC and the pages use it.

Source: docs/json-rpc.md "Methods".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.duel.rpc.arguments import (
    BestOf,
    ChooseHand,
    ClockSeconds,
    JoinDuel,
    NoTies,
    OpenDuel,
    Ready,
    Sit,
    Stake,
)
from games.jsonrpc.parameters import (
    ACTION_ID,
    PUBLIC_ID,
    Move,
    Nothing,
    Parameter,
    Schema,
    parameters_of,
)

#: The transports of a method.
SOCKET, HTTP = "socket", "http"

DONE: Final[Schema] = {
    "type": "object",
    "required": ["repeated"],
    "properties": {"repeated": {"type": "boolean"}},
}
#: A seat; null only for a repeated call of a user who has stood up since.
PLACE: Final[Schema] = {"type": ["integer", "null"], "enum": [0, 1, None]}
SAT: Final[Schema] = {
    "type": "object",
    "required": ["repeated", "seat_id"],
    "properties": {"repeated": {"type": "boolean"}, "seat_id": PLACE},
}
DUEL: Final[Schema] = {
    "type": "object",
    "required": ["public_id", "socket", "status"],
    "properties": {
        "public_id": PUBLIC_ID,
        "socket": {"type": "string"},
        "status": {"type": "string"},
    },
}
DUELS: Final[Schema] = {"type": "array", "items": DUEL}
INSTANT: Final[Schema] = {"type": "string", "format": "date-time"}


@dataclass(frozen=True, slots=True)
class Method:
    """A method: parameters, result, and the tokens of its refusals.

    ``is_addition``: the Volity handbook does not have it.
    """

    name: str
    summary: str
    takes: type[Nothing] = Move
    result: Schema = field(default_factory=lambda: DONE)
    tokens: tuple[str, ...] = ()
    example: tuple[Mapping[str, Any], Any] = field(
        default_factory=lambda: ({}, {"repeated": False})
    )
    where: tuple[str, ...] = (SOCKET,)
    is_addition: bool = False

    @property
    def is_move(self) -> bool:
        """Whether it changes the duel: it takes an ``action_id``, answered after the commit."""
        return issubclass(self.takes, Move)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The positional parameters."""
        return tuple(each for each in parameters_of(self.takes) if each != ACTION_ID)


_SEATED = ("unauthenticated", "action/not_seated", "action/not_in_phase", "busy")
_PLAYING = (*_SEATED, "stale")
_OPTION = (*_SEATED, "action/bad_option")
_HTTP = ("unauthenticated", "rate_limited")

_OPENED = {"public_id": "vQ3x0y", "socket": "/ws/rpc/duel/vQ3x0y/", "status": "open"}

_PLAYERS: Final = (
    Method(
        "sit",
        "Take a seat; without a number the first free one. Nothing happens where one sits already.",
        Sit,
        SAT,
        (
            "unauthenticated",
            "action/already_seated",
            "action/seat_taken",
            "action/table_full",
            "action/not_in_phase",
            "action/not_invited",
            "action/too_many_tables",
            "action/cooling_down",
            "action/bot_limit",
            "ledger/insufficient_points",
            "busy",
        ),
        ({"seat": 0}, {"repeated": False, "seat_id": 0}),
    ),
    Method("stand", "Give the seat up, before the start.", tokens=_SEATED),
    Method(
        "no_ties",
        "1: matched throws do not count and both throw again; 0: they count as a win for both.",
        NoTies,
        tokens=_OPTION,
        example=({"value": 1}, {"repeated": False}),
    ),
    Method(
        "best_of",
        "The game ends when a player has more than half of so many wins.",
        BestOf,
        tokens=_OPTION,
        example=({"throws": 5}, {"repeated": False}),
    ),
    Method(
        "ready",
        "Be ready to start with the configuration of this revision; without a number with the "
        "one that was last sent on this socket.",
        Ready,
        tokens=(*_PLAYING, "ledger/insufficient_points", "action/bot_limit"),
        example=({"configuration": 1}, {"repeated": False}),
    ),
    Method("unready", "Be ready no longer.", tokens=_SEATED),
    Method(
        "choose_hand",
        "Throw a hand, known by its first letter in either case; it stays secret until both are "
        "in, and may not be changed.",
        ChooseHand,
        tokens=(*_PLAYING, "action/bad_hand", "action/already_thrown"),
        example=({"hand": "rock"}, {"repeated": False}),
    ),
    Method(
        "suspend_game",
        "Ask for a suspension, or agree to the other player's asking.",
        tokens=(*_PLAYING, "action/already_asked"),
    ),
    Method(
        "resume_game",
        "Be ready to go on; it goes on when both are.",
        tokens=(*_PLAYING, "action/already_asked"),
    ),
    Method(
        "send_state",
        "Send everything that one may see once more: receive_state to state_sent.",
        takes=Nothing,
        result={"type": "boolean", "enum": [True]},
        tokens=("rate_limited",),
        example=({}, True),
    ),
)

_ADDITIONS: Final = (
    Method(
        "clock_seconds",
        "Set the clock of a throw.",
        ClockSeconds,
        tokens=_OPTION,
        example=({"seconds": 30}, {"repeated": False}),
        is_addition=True,
    ),
    Method(
        "stake",
        "Set what each player stakes.",
        Stake,
        tokens=_OPTION,
        example=({"points": 10}, {"repeated": False}),
        is_addition=True,
    ),
    Method(
        "withdraw_suspend",
        "Ask for a suspension no longer.",
        tokens=(*_PLAYING, "action/not_asked"),
        is_addition=True,
    ),
    Method(
        "withdraw_resume",
        "Be ready to go on no longer.",
        tokens=(*_PLAYING, "action/not_asked"),
        is_addition=True,
    ),
    Method("resign", "Lose the duel at once.", tokens=_PLAYING, is_addition=True),
    Method(
        "rematch",
        "Ask for the next duel at this table; the notification of the same name says where.",
        tokens=_SEATED,
        is_addition=True,
    ),
)

_EVERYWHERE: Final = (
    Method(
        "server_time",
        "Tell the server's clock, against which deadlines count.",
        takes=Nothing,
        result=INSTANT,
        example=({}, "2026-11-21T13:49:10.123Z"),
        where=(SOCKET, HTTP),
        is_addition=True,
    ),
    Method(
        "rpc.discover",
        "Give the OpenRPC document of this interface.",
        takes=Nothing,
        result={"type": "object"},
        tokens=("rate_limited",),
        example=({}, {"openrpc": "1.3.2"}),
        where=(SOCKET, HTTP),
        is_addition=True,
    ),
)

_BY_HTTP: Final = (
    Method(
        "list_duels",
        "List the open and running duels that everybody may see.",
        takes=Nothing,
        result=DUELS,
        tokens=_HTTP,
        example=({}, [_OPENED]),
        where=(HTTP,),
        is_addition=True,
    ),
    Method(
        "my_duels",
        "List the live duels at which the caller sits.",
        takes=Nothing,
        result=DUELS,
        tokens=_HTTP,
        example=({}, [_OPENED]),
        where=(HTTP,),
        is_addition=True,
    ),
    Method(
        "open_duel",
        "Open a duel in place of the caller's empty ones; nobody sits there yet.",
        OpenDuel,
        DUEL,
        (*_HTTP, "action/bad_option", "action/too_many_open_tables"),
        ({"best_of": 5, "no_ties": 1}, _OPENED),
        (HTTP,),
        is_addition=True,
    ),
    Method(
        "close_duel",
        "Close a duel that the caller has opened and at which nobody else sits.",
        JoinDuel,
        DONE,
        (*_HTTP, "not_found", "action/not_in_phase"),
        ({"public_id": "vQ3x0y"}, {"repeated": False}),
        (HTTP,),
        is_addition=True,
    ),
    Method(
        "join_duel",
        "Sit down at a duel, on the first free seat; nothing happens where one sits already.",
        JoinDuel,
        SAT,
        (*_HTTP, "not_found", "action/table_full", "action/not_in_phase",
         "action/not_invited", "ledger/insufficient_points"),
        ({"public_id": "vQ3x0y"}, {"repeated": False, "seat_id": 1}),
        (HTTP,),
        is_addition=True,
    ),
)  # fmt: skip

#: Name -> method, in the order of the pages.
METHODS: Final[Mapping[str, Method]] = {
    method.name: method for method in (*_PLAYERS, *_ADDITIONS, *_EVERYWHERE, *_BY_HTTP)
}
