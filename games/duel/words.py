"""The facts of a duel in words.

Source: docs/protocol.md, "Events"; docs/rules/duel.md.
"""

from collections.abc import Mapping
from typing import Final

from games.text.table_words import TABLE_SENTENCES
from games.text.telling import (
    Data,
    Names,
    Teller,
    name_of,
    people,
    plain_pattern,
    points,
    told,
    who_pattern,
)


def tell(kind: str, data: Data, names: Names) -> str | None:
    """Return a fact as one line of the log; None if the log does not show it."""
    return told(kind, data, names, SENTENCES)


def _game_started(data: Data, names: Names) -> str:
    first, second = (name_of(seat, names) for seat in data["seats"])
    length = "one throw" if data["best_of"] == 1 else f"best of {data['best_of']}"
    ties = "ties are thrown again" if data["no_ties"] else "a tie is a win for both"
    stake = f", {points(data['stake'])} each" if data["stake"] else ""
    return f"{first} against {second}: {length}, {ties}{stake}."


def _hands_revealed(data: Data, names: Names) -> str:
    """Tell the hands, the winner of the throw, and the score."""
    shown = " against ".join(_hand(seat, hand, names) for seat, hand in enumerate(data["hands"]))
    return f"Throw {data['throw']}: {shown}. {_verdict(data, names)}."


def _hand(seat: int, hand: str | None, names: Names) -> str:
    return f"{name_of(seat, names)} with {hand or 'nothing in time'}"


def _verdict(data: Data, names: Names) -> str:
    score = " to ".join(str(wins) for wins in data["wins"])
    if not data["counted"]:
        return f"It does not count: {score}"
    who = (
        "A win for both"
        if len(data["winners"]) == 2
        else f"{people(data['winners'], names)} wins it"
    )
    return f"{who}: {score}"


#: The reason for the end of a duel -> its text.
ENDINGS: Final[Mapping[str, str]] = {
    "wins": "{who} takes the duel. Honour is satisfied, more or less.",
    "draw": "A draw. Both can call it a win back home.",
    "resigned": "{who} takes the duel: the other player resigned.",
    "suspension": "{who} was the only one to come back, and takes the duel.",
    "abandoned": "This duel was going nowhere, so it is abandoned. Nobody wins.",
}


def _game_ended(data: Data, names: Names) -> str:
    return ENDINGS[data["reason"]].format(who=people(data["winners"], names))


#: Kind of fact -> its sentence; None where the board shows the fact better than words.
DUEL_SENTENCES: Final[Mapping[str, Teller | None]] = {
    "game_started": _game_started,
    "throw_started": None,
    "hand_chosen": who_pattern("{who} chooses {hand}."),  # told once the duel is over
    "hand_in": None,
    "hands_revealed": _hands_revealed,
    "throw_voided": plain_pattern("Throw {throw}: nobody threw in time, so it does not count."),
    "suspension_asked": who_pattern("{who} asks to suspend the duel."),
    "suspension_withdrawn": who_pattern("{who} no longer wants to suspend it."),
    "suspended": plain_pattern("The duel is suspended until both are ready to go on."),
    "resumption_ready": who_pattern("{who} is ready to go on."),
    "resumption_withdrawn": who_pattern("{who} is not ready to go on after all."),
    "resumed": plain_pattern("The duel goes on, with a full clock."),
    "game_ended": _game_ended,
    "pot_awarded": who_pattern("{who} gets both stakes: {amount} after tax."),
    "tax_taken": plain_pattern("The house takes {amount} as tax."),
    "purse_returned": who_pattern("{amount} back to {who}."),
    "stake_refunded": who_pattern("{amount} back to {who}."),
    "game_voided": plain_pattern("The duel is called off: the stakes go back."),
}

#: The sentences of the game and of the table.
SENTENCES: Final[Mapping[str, Teller | None]] = {**TABLE_SENTENCES, **DUEL_SENTENCES}
