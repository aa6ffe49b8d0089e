"""The replay of Agoran Mafia: its stops, a seat's secrets, and the result in a line."""

from typing import Final

from games.contract import Replayed, View
from games.mafia.agora.words import AGORA_SENTENCES, ENDINGS, role_word
from games.mafia.common.words import CALLED_OFF, UNTOLD, choice_word
from games.text.telling import Data, Names

MOMENTS: Final = frozenset(AGORA_SENTENCES) - UNTOLD


def _holding(own: Data, names: Names) -> str:
    """Return a citizen's role, and the choice of the night."""
    role = role_word(own["role"]).capitalize()
    return role if own["target"] is None else f"{role}: {choice_word(own['target'], names)}"


def _headline(view: View) -> str:
    game = view["game"]
    headline, _ = ENDINGS.get(game["result"]["reason"], CALLED_OFF)
    return f"{headline} in round {game['round']}"


REPLAY: Final = Replayed(MOMENTS, _holding, _headline)
