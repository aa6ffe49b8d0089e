"""The notifications: public facts and whole states in JSON-RPC.

They contain only data of the journal and of the viewer's view: each fact has one form, and a state
is built from the same view as the pages.
Source: docs/json-rpc.md "Notifications"; docs/durability.md S1, S2.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, Final

from games.duel.rpc.story import Fact
from games.engine.facts import iso
from games.jsonrpc.envelope import notification
from games.realtime.protocol import write

log = logging.getLogger(__name__)

Data = Mapping[str, Any]
Words = list[dict[str, Any]]


def frames_of(facts: Iterable[Fact]) -> list[str]:
    """Return facts as messages, one for each action, so that simultaneous facts come together."""
    frames = []
    for _, together in groupby(facts, key=lambda fact: fact.entry_no):
        words = [word for fact in together for word in _told(fact)]
        if words:
            frames.append(write(words if len(words) > 1 else words[0]))
    return frames


def state_frame(view: Data) -> str:
    """Return a viewer's whole view as one message, from ``receive_state`` to ``state_sent``.

    Args:
        view: the viewer's whole view, as ``selectors.match_view`` builds it.
    """
    words = [notification("receive_state", _state_of(view))]
    words += [
        notification("player_sat", seat["no"], seat["player"]["name"])
        for seat in view["seats"]
        if seat["player"]
    ]
    options = view["match"]["options"]
    words += _options(None, options, [*NUMBERED, *SWITCHES])
    words.append(notification("configuration", view["match"]["options_revision"]))
    if view["match"]["status"] == "open":
        words += [notification("player_ready", s["no"]) for s in view["seats"] if s["ready"]]
    if view["game"] is not None:
        words += _game(view["game"])
    if view["match"]["next"]:
        words.append(notification("rematch", None, view["match"]["next"]))
    return write([*words, notification("state_sent")])


def _told(fact: Fact) -> Words:
    telling = TELLINGS.get(fact.kind)
    if telling is None:
        log.error("no telling for the public fact %s", fact.kind)
        return []
    return telling(fact)


#: Options with a notification of their own; ``no_ties`` is a number on this interface.
NUMBERED: Final = ("best_of", "no_ties", "clock_seconds", "stake")
SWITCHES: Final = ("listed", "rated", "spectators")


def _state_of(view: Data) -> str:
    status = view["match"]["status"]
    if status == "running":
        return "suspended" if view["game"]["stage"] == "suspended" else "active"
    return "setup" if status == "open" else str(status)


def _options(seat: int | None, options: Data, names: Iterable[str]) -> Words:
    words = []
    for name in names:
        if name in NUMBERED:
            words.append(notification(name, seat, int(options[name])))
        elif name in SWITCHES:
            words.append(notification("option", seat, name, options[name]))
    return words


def _game(game: Data) -> Words:
    words = [notification("start_game")]
    for done in game["throws"]:
        words += _shown(done)
    seats, is_over = game["seats"], game["result"] is not None
    words.append(notification("score", *(seat["wins"] for seat in seats)))
    if not is_over:
        words.append(notification("throw_started", game["throw"]))
        words += [notification("hand_in", seat["no"]) for seat in seats if seat["hand_in"]]
        words += _own(game["you"])
        words += _standstill(game)
        words.append(notification("clock", game["due_at"]))
    else:
        words += _result(game["result"])
    return words


def _own(you: Data | None) -> Words:
    return [notification("your_hand", you["hand"])] if you and you["hand"] else []


def _standstill(game: Data) -> Words:
    seats = game["seats"]
    words = [notification("suspension_asked", s["no"]) for s in seats if s["asks_suspension"]]
    if game["stage"] == "suspended":
        words.append(notification("suspend_game"))
        words += [notification("resumption_ready", s["no"]) for s in seats if s["is_back"]]
    return words


def _result(result: Data) -> Words:
    words = [notification("end_game", result["winners"], result["reason"])]
    reason = {"draw": "returned", "abandoned": "refunded", "void": "refunded"}
    why = reason.get(result["reason"], "pot")
    words += [notification("paid", no, n, why) for no, n in enumerate(result["awards"]) if n]
    return words + ([notification("tax_taken", result["tax"])] if result["tax"] else [])


def _shown(throw: Data) -> Words:
    """Return the notifications of a finished throw: the hands in seat order, then the result."""
    hands = [
        notification("player_chose_hand", seat, hand)
        for seat, hand in enumerate(throw["hands"])
        if hand is not None
    ]
    ended = notification("throw_ended", throw["throw"], throw["winners"], throw["counted"])
    return [*hands, ended]


def _instant(data: Data, key: str) -> str:
    return iso(data[key])


# Notifications of facts ---------------------------------------------------------------------

Telling = Callable[[Fact], Words]


def _of_seat(name: str) -> Telling:
    return lambda fact: [notification(name, fact.data["seat"])]


def _alone(name: str) -> Telling:
    return lambda _fact: [notification(name)]


def _paid(reason: str) -> Telling:
    return lambda fact: [notification("paid", fact.data["seat"], fact.data["amount"], reason)]


def _sat(fact: Fact) -> Words:
    seat = fact.data["seat"]
    ready = [notification("player_ready", seat)] if fact.data["bot"] else []
    return [notification("player_sat", seat, fact.name or ""), *ready]


def _configured(fact: Fact) -> Words:
    data = fact.data
    return [
        *_options(data["seat"], data["options"], data["changed"]),
        *(notification("player_unready", seat) for seat in data["unready"]),
        notification("configuration", data["options_revision"]),
    ]


def _short(fact: Fact) -> Words:
    seat = fact.data["seat"]
    return [
        notification("player_unready", seat),
        notification("seat_short", seat, fact.data["missing"]),
    ]


def _throw_started(fact: Fact) -> Words:
    clock = notification("clock", _instant(fact.data, "due_at"))
    return [notification("throw_started", fact.data["throw"]), clock]


def _revealed(fact: Fact) -> Words:
    return [*_shown(fact.data), notification("score", *fact.data["wins"])]


def _clock_after(name: str) -> Telling:
    return lambda fact: [notification(name), notification("clock", _instant(fact.data, "due_at"))]


#: Public fact -> its notifications; empty for facts that programs do not need or that a duel does
#: not have.
TELLINGS: Final[Mapping[str, Telling]] = {
    "sat": _sat,
    "stood": _of_seat("player_stood"),
    "became_ready": _of_seat("player_ready"),
    "became_unready": _of_seat("player_unready"),
    "configured": _configured,
    "seat_short": _short,
    "start_scheduled": lambda f: [notification("start_scheduled", _instant(f.data, "start_at"))],
    "start_cancelled": _alone("start_cancelled"),
    "game_started": _alone("start_game"),
    "throw_started": _throw_started,
    "hand_in": _of_seat("hand_in"),
    "hands_revealed": _revealed,
    "throw_voided": lambda f: [notification("throw_ended", f.data["throw"], [], False)],
    "suspension_asked": _of_seat("suspension_asked"),
    "suspension_withdrawn": _of_seat("suspension_withdrawn"),
    "suspended": _clock_after("suspend_game"),
    "resumption_ready": _of_seat("resumption_ready"),
    "resumption_withdrawn": _of_seat("resumption_withdrawn"),
    "resumed": _clock_after("resume_game"),
    "game_ended": lambda f: [notification("end_game", f.data["winners"], f.data["reason"])],
    "game_voided": lambda _f: [notification("end_game", [], "void")],
    "pot_awarded": _paid("pot"),
    "purse_returned": _paid("returned"),
    "stake_refunded": _paid("refunded"),
    "tax_taken": lambda f: [notification("tax_taken", f.data["amount"])],
    "rematch_called": lambda f: [notification("rematch", f.data["seat"], f.name or "")],
    "clock_postponed": lambda f: [notification("clock", _instant(f.data, "due_at"))],
    "clock_stalled": _alone("clock_stalled"),
    "clock_resumed": _alone("clock_resumed"),
    "match_closed": lambda f: [notification("table_closed", f.data["reason"])],
    "secrets_looked_at": lambda f: [
        notification("secrets_looked_at", f.data["name"], f.data["reason"])
    ],
    "bonus_paid": lambda _f: [],
    "awards_paid": lambda _f: [],
    "awards_withheld": lambda _f: [],
    "purse_changed": lambda _f: [],
    "seat_offered": lambda _f: [],
    "seat_taken_over": lambda _f: [],
}
