"""Duel's names for programs: those of the Volity handbook, and a few of our own."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from games.duel.rules.state import Hand, hand_named
from games.engine.facts import iso
from games.engine.structs import Whole
from games.jsonrpc.envelope import notification
from games.jsonrpc.interface import (
    INTEGER,
    Interface,
    Method,
    Notification,
    Parameter,
    Switch,
    Words,
    seated,
)

Data = Mapping[str, Any]

#: The handbook's name for these rules, and what it defines.
RULESET: Final = "http://volity.org/games/rps"
HANDBOOK: Final = frozenset({
    *("sit", "stand", "ready", "unready", "no_ties", "best_of", "choose_hand"),
    *("suspend_game", "resume_game", "send_state", "player_sat", "player_stood", "player_ready"),
    *("player_unready", "start_game", "player_chose_hand", "end_game", "receive_state"),
    "state_sent",
})  # fmt: skip


def named(made: Interface) -> Interface:
    """Return the interface of a duel under these names."""
    about = f"Rock, paper, scissors for two, after the Volity handbook: {RULESET}"
    return replace(
        made,
        methods={method.name: method for method in _methods(made)},
        notifications=NOTIFICATIONS,
        tell=tell,
        state=state,
        http="/rpc/",
        seat="seat_id",
        info={"description": about, "x-ruleset": RULESET},
        standard=HANDBOOK,
    )


# Methods ------------------------------------------------------------------------------------

Seat = Annotated[Literal[0, 1], INTEGER]
Letter = Annotated[str, Meta(examples=["rock"])]
_SAT: Final = seated("seat_id")

#: Option -> what sets it, and its parameter.
OPTIONS: Final = {
    "best_of": (
        "More wins than half of this number of throws decide.",
        Parameter("throws", Whole, "an odd number, at most 99", field="best_of"),
    ),
    "no_ties": (
        "Say what a matched throw is.",
        Parameter("value", Switch, "1: not counted; 0: a win for both", True, "no_ties", bool),
    ),
    "clock_seconds": (
        "Set the clock of a throw.",
        Parameter("seconds", Whole, "5 to 86400", field="clock_seconds"),
    ),
    "stake": ("Set the stake.", Parameter("points", Whole, "0 for none", field="stake")),
}


def _methods(made: Interface) -> Iterator[Method]:
    own = made.methods
    seat = Parameter("seat", Seat, "by default the first free one", required=False)
    hand = Parameter("hand", Letter, "its first letter counts: r, p or s", read=hand_named)
    yield made.renamed("sit", "sit", seat, result=_SAT)
    yield own["stand"]
    for name, (summary, parameter) in OPTIONS.items():
        yield made.renamed(name, "configure", parameter, summary=summary)
    yield from (own["ready"], own["reveal"], own["unready"])
    yield made.renamed("choose_hand", "throw", hand)
    for name, former in (("suspend_game", "suspend"), ("resume_game", "resume")):
        yield made.renamed(name, former, is_phased=False)
    for name in ("withdraw_suspend", "withdraw_resume", "resign"):
        yield made.renamed(name, name, is_phased=False)
    for name in ("rematch", "send_state", "server_time", "rpc.discover"):
        yield own[name]
    yield made.renamed("list_duels", "list_matches")
    yield made.renamed("my_duels", "my_matches")
    first = [replace(each, name=name, required=False) for name, (_, each) in OPTIONS.items()]
    others = [each for each in own["open_match"].parameters if each.name not in OPTIONS]
    yield made.renamed("open_duel", "open_match", *first, *others)
    yield made.renamed("close_duel", "close_match")
    yield made.renamed("join_duel", "join_match", own["join_match"].parameters[0], result=_SAT)
    yield from (method for name, method in own.items() if "event" in name)


# Notifications ------------------------------------------------------------------------------

_SEAT: Final = Parameter("seat_id", Seat)
_SETTER: Final = Parameter("seat_id", Seat | None, "who set it; null in a state that is sent")
_WINNERS: Final = Parameter("winners", tuple[Seat, ...], "seats")
_HAND: Final = Parameter("hand", Hand)
_NAME: Final = Parameter("name", str)
_REASON: Final = Parameter("reason", str)
_POINTS: Final = Parameter("points", Whole)
_DUE: Final = Parameter("due_at", str | None, "when, or null")
_STATES: Final = Literal["setup", "active", "suspended", "over", "void", "closed"]

#: All notifications, in the order of the page.
NOTIFICATIONS: Final = tuple(
    Notification(name, summary, tuple(parameters))
    for name, summary, *parameters in (
        ("player_sat", "Somebody took a seat.", _SEAT, _NAME),
        ("player_stood", "A seat is free again.", _SEAT),
        ("player_ready", "A player is ready.", _SEAT),
        ("player_unready", "A player is not ready: by choice, or the table has changed.", _SEAT),
        ("no_ties", "Whether matched throws count.", _SETTER, Parameter("value", Switch)),
        ("best_of", "The number of throws.", _SETTER, Parameter("throws", Whole)),
        ("start_game", "The duel begins."),
        ("player_chose_hand", "A hand is revealed, both of a throw in one message.", _SEAT, _HAND),
        ("suspend_game", "The duel is suspended."),
        ("resume_game", "The duel resumes with a full clock."),
        ("end_game", "The duel is over; a draw has no winners.", _WINNERS, _REASON),
        ("receive_state", "A state follows, in place of all before.", Parameter("state", _STATES)),
        ("state_sent", "The state ends; from now on each fact is sent."),
        ("configuration", "The revision that ready takes.", Parameter("revision", Whole)),
        ("clock_seconds", "Seconds for a throw.", _SETTER, Parameter("seconds", Whole)),
        ("stake", "Points of each player.", _SETTER, _POINTS),
        ("option", "Another option: rated, listed, spectators or dossiers.", _SETTER, _NAME,
         Parameter("value", bool)),
        ("seat_short", "A player cannot cover the stake.", _SEAT, Parameter("missing", Whole)),
        ("salt_missing", "A player did not reveal the salt in time.", _SEAT),
        ("salts_dropped", "These players' salts will not be used: they need new ones.",
         Parameter("seats", list)),
        ("salts_frozen", "The draws will use these salts.", Parameter("salts", list)),
        ("start_scheduled", "The countdown begins.", Parameter("start_at", str)),
        ("start_cancelled", "The countdown stops."),
        ("throw_started", "Both choose a hand.", Parameter("throw", Whole, "from 1 upwards")),
        ("clock", "When the running clock ends.", _DUE),
        ("clock_stalled", "The clock stops after an outage."),
        ("clock_resumed", "The clock runs again."),
        ("hand_in", "A player's hand is in; not which.", _SEAT),
        ("your_hand", "The own hand, in a state that is sent.", _HAND),
        ("throw_ended", "Who has a win from the throw; both if a matched throw counts.",
         Parameter("throw", Whole), _WINNERS, Parameter("counted", bool)),
        ("score", "The wins so far.", Parameter("first", Whole), Parameter("second", Whole)),
        ("suspension_asked", "A player asks for a suspension.", _SEAT),
        ("suspension_withdrawn", "A player withdraws that request.", _SEAT),
        ("resumption_ready", "A player is ready to resume.", _SEAT),
        ("resumption_withdrawn", "A player withdraws that readiness.", _SEAT),
        ("paid", "Points go to a player: pot, returned or refunded.", _SEAT, _POINTS, _REASON),
        ("tax_taken", "The house takes its part of the pot.", _POINTS),
        ("rematch", "The next duel is open, with both on their seats.", _SETTER,
         Parameter("public_id", str)),
        ("table_closed", "The table was closed: nobody played in time.", _REASON),
        ("secrets_looked_at", "An administrator had looked at secrets.", _NAME, _REASON),
    )
)  # fmt: skip


def tell(kind: str, data: Data) -> Words:
    """Tell a fact; one that programs do not need has no notification."""
    return TELLINGS[kind](data) if kind in TELLINGS else []


def state(view: Data) -> Words:
    """Tell a viewer's whole view, from ``receive_state`` to ``state_sent``."""
    match, seats, game = view["match"], view["seats"], view["game"]
    stage = {"open": "setup", "running": "active"}.get(match["status"], match["status"])
    if stage == "active" and game["stage"] == "suspended":
        stage = "suspended"
    words = [notification("receive_state", stage)]
    taken = [seat for seat in seats if seat["player"]]
    words += [notification("player_sat", seat["no"], seat["player"]["name"]) for seat in taken]
    words += _options(None, match["options"], (*OPTIONS, *_SWITCHES))
    words.append(notification("configuration", match["options_revision"]))
    if stage == "setup":
        words += [notification("player_ready", seat["no"]) for seat in seats if seat["ready"]]
    if game is not None:
        words += _game(game)
    if match["next"]:
        words.append(notification("rematch", None, match["next"]))
    return [*words, notification("state_sent")]


_SWITCHES: Final = ("listed", "rated", "spectators", "dossiers")


def _options(seat: int | None, options: Data, names: Iterable[str]) -> Words:
    words = [notification(name, seat, int(options[name])) for name in names if name in OPTIONS]
    # A match of version 1 has no ``dossiers``.
    switches = [name for name in names if name in _SWITCHES and name in options]
    return words + [notification("option", seat, name, options[name]) for name in switches]


def _game(game: Data) -> Words:
    words = [notification("start_game")]
    for done in game["throws"]:
        words += _shown(done)
    seats, you = game["seats"], game["you"]
    words.append(notification("score", *(seat["wins"] for seat in seats)))
    if game["result"] is not None:
        return words + _result(game["result"])
    words.append(notification("throw_started", game["throw"]))
    words += _of_seats("hand_in", seats, "hand_in")
    if you and you["hand"]:
        words.append(notification("your_hand", you["hand"]))
    words += _of_seats("suspension_asked", seats, "asks_suspension")
    if game["stage"] == "suspended":
        words.append(notification("suspend_game"))
        words += _of_seats("resumption_ready", seats, "is_back")
    return [*words, notification("clock", game["due_at"])]


def _of_seats(name: str, seats: Iterable[Data], key: str) -> Words:
    return [notification(name, seat["no"]) for seat in seats if seat[key]]


def _result(result: Data) -> Words:
    words = [notification("end_game", result["winners"], result["reason"])]
    reason = {"draw": "returned", "abandoned": "refunded", "void": "refunded"}
    why = reason.get(result["reason"], "pot")
    words += [notification("paid", no, n, why) for no, n in enumerate(result["awards"]) if n]
    return words + ([notification("tax_taken", result["tax"])] if result["tax"] else [])


def _shown(throw: Data) -> Words:
    """Tell a finished throw: the hands in seat order, then the result."""
    hands = [(seat, hand) for seat, hand in enumerate(throw["hands"]) if hand is not None]
    ended = notification("throw_ended", throw["throw"], throw["winners"], throw["counted"])
    return [*(notification("player_chose_hand", *each) for each in hands), ended]


# Facts --------------------------------------------------------------------------------------

Telling = Callable[[Data], Words]


def _said(*patterns: str) -> Telling:
    """Return a telling by patterns: a notification's name, then the fields of its parameters."""

    def tell_by_patterns(data: Data) -> Words:
        words = []
        for name, *fields in map(str.split, patterns):
            values = (iso(data[each]) if each.endswith("_at") else data[each] for each in fields)
            words.append(notification(name, *values))
        return words

    return tell_by_patterns


def _paid(reason: str) -> Telling:
    return lambda data: [notification("paid", data["seat"], data["amount"], reason)]


def _sat(data: Data) -> Words:
    ready = [notification("player_ready", data["seat"])] if data["bot"] else []
    return [notification("player_sat", data["seat"], data["name"]), *ready]


def _configured(data: Data) -> Words:
    return [
        *_options(data["seat"], data["options"], data["changed"]),
        *(notification("player_unready", seat) for seat in data["unready"]),
        notification("configuration", data["options_revision"]),
    ]


#: Fact -> its notifications.
TELLINGS: Final[Mapping[str, Telling]] = {
    "sat": _sat,
    "stood": _said("player_stood seat"),
    "became_ready": _said("player_ready seat"),
    "became_unready": _said("player_unready seat"),
    "configured": _configured,
    "salt_missing": _said("player_unready seat", "salt_missing seat"),
    "salts_dropped": _said("salts_dropped seats"),
    "salts_frozen": _said("salts_frozen salts"),
    "seat_short": _said("player_unready seat", "seat_short seat missing"),
    "start_scheduled": _said("start_scheduled start_at"),
    "start_cancelled": _said("start_cancelled"),
    "game_started": _said("start_game"),
    "throw_started": _said("throw_started throw", "clock due_at"),
    "hand_in": _said("hand_in seat"),
    "hands_revealed": lambda data: [*_shown(data), notification("score", *data["wins"])],
    "throw_voided": lambda data: [notification("throw_ended", data["throw"], [], False)],
    "suspension_asked": _said("suspension_asked seat"),
    "suspension_withdrawn": _said("suspension_withdrawn seat"),
    "suspended": _said("suspend_game", "clock due_at"),
    "resumption_ready": _said("resumption_ready seat"),
    "resumption_withdrawn": _said("resumption_withdrawn seat"),
    "resumed": _said("resume_game", "clock due_at"),
    "game_ended": _said("end_game winners reason"),
    "game_voided": lambda _data: [notification("end_game", [], "void")],
    "pot_awarded": _paid("pot"),
    "purse_returned": _paid("returned"),
    "stake_refunded": _paid("refunded"),
    "tax_taken": _said("tax_taken amount"),
    "rematch_called": _said("rematch seat public_id"),
    "clock_postponed": _said("clock due_at"),
    "clock_stalled": _said("clock_stalled"),
    "clock_resumed": _said("clock_resumed"),
    "match_closed": _said("table_closed reason"),
    "secrets_looked_at": _said("secrets_looked_at name reason"),
}
