"""The replay of Dynamite: its stops, a seat's secrets, and the result in a line."""

from typing import Final

from games.contract import Replayed, View
from games.mafia.common.words import CALLED_OFF, UNTOLD, choice_word
from games.mafia.dynamite.words import DYNAMITE_SENTENCES, card_word, ending_words
from games.text.telling import Data, Names

MOMENTS: Final = frozenset(DYNAMITE_SENTENCES) - UNTOLD


def _holding(own: Data, names: Names) -> str:
    """Return a player's team, the points of a mafia or the danger of a townie, and the choice."""
    held = card_word(own["team"])
    if own["danger"] is not None:
        held += f", danger {own['danger']}"
    if own["points"] is not None:
        held += f", {own['points']} points"
    return held if own["target"] is None else f"{held}: {choice_word(own['target'], names)}"


def _headline(view: View) -> str:
    game = view["game"]
    result = game["result"]
    if result["reason"] == "void":
        return CALLED_OFF[0]
    headline, _ = ending_words(result["reason"], result["teams"])
    return f"{headline} in round {game['round']}"


REPLAY: Final = Replayed(MOMENTS, _holding, _headline)
