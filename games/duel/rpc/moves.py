"""Conversion of a player's calls to actions of the match.

Source: docs/rules/duel.md; docs/json-rpc.md "Methods".
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET

from games.duel.rpc.arguments import ChooseHand, NoTies, Ready, Sit
from games.duel.rpc.story import Told
from games.duel.rules.hands import hand_named
from games.jsonrpc.parameters import Move

Action = dict[str, Any]


def _plain(kind: str) -> Callable[[Move, Told], Action]:
    return lambda _arguments, _told: {"kind": kind}


def _option(option: str, parameter: str) -> Callable[[Move, Told], Action]:
    return lambda arguments, _told: {"kind": "configure", option: getattr(arguments, parameter)}


def _choose_hand(arguments: ChooseHand, told: Told) -> Action:
    """Read the hand by its first letter; raises BadHand."""
    return {"kind": "throw", "hand": hand_named(arguments.hand).value}


def _sit(arguments: Sit, told: Told) -> Action:
    return {"kind": "sit"} if arguments.seat is UNSET else {"kind": "sit", "seat": arguments.seat}


def _ready(arguments: Ready, told: Told) -> Action:
    given = arguments.configuration
    return {"kind": "ready", "configuration": told.revision if given is UNSET else given}


def _no_ties(arguments: NoTies, told: Told) -> Action:
    return {"kind": "configure", "no_ties": bool(arguments.value)}


#: Method -> a function of its arguments and of the facts told so far; returns the action.
MOVES: Final[Mapping[str, Callable[[Any, Told], Action]]] = {
    "sit": _sit,
    "stand": _plain("stand"),
    "no_ties": _no_ties,
    "best_of": _option("best_of", "throws"),
    "ready": _ready,
    "unready": _plain("unready"),
    "choose_hand": _choose_hand,
    "suspend_game": _plain("suspend"),
    "resume_game": _plain("resume"),
    "clock_seconds": _option("clock_seconds", "seconds"),
    "stake": _option("stake", "points"),
    "withdraw_suspend": _plain("withdraw_suspend"),
    "withdraw_resume": _plain("withdraw_resume"),
    "resign": _plain("resign"),
    "rematch": _plain("rematch"),
}

#: Moves of one throw: they are refused once the duel is in another phase.
PHASED: Final = frozenset({"choose_hand"})
