"""The replay of a duel: its stops, the hand that a seat holds, and the result in a line."""

from typing import Final

from games.contract import Replayed, View
from games.duel.words import DUEL_SENTENCES, HANDS
from games.text.answers import names_of
from games.text.telling import Data, Names, name_of

#: A hand is a moment too: the seat sees it, the others that it is in.
MOMENTS: Final = frozenset(DUEL_SENTENCES) - {"hand_in", "throw_started"}


def _holding(own: Data, names: Names) -> str:
    return HANDS[own["hand"]][0] if own["hand"] else ""


def _headline(view: View) -> str:
    """Return who beat whom, the score, and the hand of the last win."""
    game, names = view["game"], names_of(view)
    first, second = (seat["wins"] for seat in game["seats"])
    winners = game["result"]["winners"]
    if not winners:
        return f"{name_of(0, names)} and {name_of(1, names)}: {first} to {second}"
    winner = winners[0]
    score = f"{max(first, second)} to {min(first, second)}"
    last = game["throws"][-1]["hands"][winner] if game["throws"] else None
    hand = f" with {HANDS[last][0]}" if last and game["result"]["reason"] == "wins" else ""
    return f"{name_of(winner, names)} beat {name_of(1 - winner, names)} {score}{hand}"


REPLAY: Final = Replayed(MOMENTS, _holding, _headline)
