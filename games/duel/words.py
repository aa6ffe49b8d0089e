"""The facts of a duel in words."""

from collections.abc import Mapping
from typing import Any, Final

from games.text.table_words import TABLE_SENTENCES
from games.text.telling import (
    Data,
    Names,
    Teller,
    name_of,
    people,
    plain_pattern,
    points,
    who_pattern,
)

#: Hand -> its name, what it is good for, and its verb when it wins.
HANDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "rock": ("Rock", "beats scissors", "breaks"),
    "paper": ("Paper", "beats rock", "covers"),
    "scissors": ("Scissors", "beats paper", "cut"),
}
#: The rule for ties, without and with the option ``no_ties``.
TIES: Final = ("ties count for both", "ties are thrown again")
#: A tie that counts.
BOTH: Final = "A win for both"
#: The reason for the end of a duel -> its text; ``who`` is the player who did not win.
ENDINGS: Final[Mapping[str, str]] = {
    "wins": "That was the deciding win. Honour is satisfied, more or less.",
    "draw": "Both took the deciding win on the same throw.",
    "resigned": "{who} resigned.",
    "suspension": "Only one player came back after the break.",
    "missed": "One side was not there for the first throw: the duel does not count.",
    "abandoned": "Too many throws in a row did not count. Nobody wins; stakes are returned.",
}
#: The labels of the options.
OPTIONS: Final[Mapping[str, str]] = {
    "best_of": "Best of",
    "clock_seconds": "Time per throw",
    "stake": "Stake",
    "no_ties": "Ties are thrown again",
    "rated": "Rated (only without a stake, and between people)",
    "listed": "Public (off: by link only)",
    "spectators": "Spectators allowed",
    "dossiers": "Throws count for habits",
}
#: The words of the board.
BOARD: Final[Mapping[str, Any]] = {
    "hands": HANDS,
    "ties": TIES,
    "both": BOTH,
    "endings": ENDINGS,
    "options": OPTIONS,
}


def _game_started(data: Data, names: Names) -> str:
    first, second = (name_of(seat, names) for seat in data["seats"])
    length = "one throw" if data["best_of"] == 1 else f"best of {data['best_of']}"
    stake = f", {points(data['stake'])} each" if data["stake"] else ""
    return f"{first} against {second}: {length}, {TIES[data['no_ties']]}{stake}."


def _hands_revealed(data: Data, names: Names) -> str:
    first, second = data["hands"]
    shown = f"{_hand(0, first, names)} against {_hand(1, second, names)}"
    return f"Throw {data['throw']}: {shown}. {_verdict(data, names)}."


def _hand(seat: int, hand: str | None, names: Names) -> str:
    return f"{name_of(seat, names)} with {hand or 'nothing in time'}"


def _verdict(data: Data, names: Names) -> str:
    first_hand, second_hand = data["hands"]
    first, second = data["wins"]
    score = f"{first} to {second}"
    if not data["counted"]:
        return f"Tie, still {score}" if first_hand == second_hand else "It does not count"
    is_for_both = len(data["winners"]) == 2
    return f"{BOTH if is_for_both else people(data['winners'], names) + ' wins it'}: {score}"


def _game_ended(data: Data, names: Names) -> str:
    wins = f"{people(data['winners'], names)} wins. " if data["winners"] else ""
    who = name_of(1 - data["winners"][0], names) if data["winners"] else ""
    return wins + ENDINGS[data["reason"]].format(who=who)


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
DUEL_SENTENCES: Final[Mapping[str, Teller | None]] = {
    "game_started": _game_started,
    "throw_started": None,
    "hand_chosen": who_pattern("{who} chooses {hand}."),  # told once the duel is over
    "hand_in": None,
    "hands_revealed": _hands_revealed,
    "throw_voided": plain_pattern("Throw {throw}: nobody threw in time, so it does not count."),
    "suspension_asked": who_pattern("{who} offers a break."),
    "suspension_withdrawn": who_pattern("{who} takes the offer back."),
    "suspended": plain_pattern("Break. The duel continues when both are ready."),
    "resumption_ready": who_pattern("{who} is ready to continue."),
    "resumption_withdrawn": who_pattern("{who} is not ready any more."),
    "resumed": plain_pattern("The duel continues with a full clock."),
    "game_ended": _game_ended,
    "pot_awarded": who_pattern("{who} gets both stakes: {amount} after tax."),
    "tax_taken": plain_pattern("Tax: {amount}."),
    "purse_returned": who_pattern("{amount} back to {who}."),
    "stake_refunded": who_pattern("{amount} back to {who}."),
    "game_voided": plain_pattern("The duel is called off. Stakes are returned."),
}

#: The sentences of the game and of the table.
SENTENCES: Final[Mapping[str, Teller | None]] = {**TABLE_SENTENCES, **DUEL_SENTENCES}
