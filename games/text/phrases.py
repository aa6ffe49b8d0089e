"""The quick phrases of the chat."""

from typing import Final

#: Quick phrases by id: the site knows their text.
PHRASES: Final = {
    "good_luck": "Good luck",
    "nice_throw": "Nice throw",
    "well_played": "Well played",
    "oops": "Oops",
    "thanks": "Thanks",
    "good_game": "Good game",
    "hurry_up": "Hurry up?",
}
