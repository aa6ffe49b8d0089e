"""Where a match can be seen: each game has pages of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.urls import reverse

from games.models import Match

#: Game -> the name of its address, which takes the match's public name.
PAGES: Final[Mapping[str, str]] = {"showdown": "table", "duel": "duel"}


def match_url(match: Match) -> str:
    """Return the path of a match's page."""
    return address_of(match.game, match.public_id)


def address_of(game: str, public_id: str) -> str:
    """Return the path of the page of a match of this game and public name.

    Raises:
        KeyError: there is no such game.
    """
    return reverse(PAGES[game], args=[public_id])
