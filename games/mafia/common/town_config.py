"""The configuration of each Mafia game for the common Mafia pages. A game names its ``TownConfig``
by ``town_config``; the common pages import none of the games. Source: docs/how-to/add-a-game.md "A
Mafia game".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.module_loading import import_string

from economy.units import complex_points
from games import registry
from games.contract import TableGame
from games.mafia.common.forms import TownForm
from games.text.answers import names_of


class Fate(NamedTuple):
    """The card of a seat in a finished game, and its fate. ``look`` is the end of the class names
    of the tag with ``card``; ``earned`` is the award by the rules on both axes, None for a seat
    that has not won.
    """

    no: int
    card: str
    look: str
    fate: str
    earned: tuple[int, int] | None


class ToldFate(NamedTuple):
    """A fate as the story shows it. ``replaced``: the previous players of the seat; ``earned`` is
    the award by the rules, ``paid`` the points that the site paid of it, both as x + yi, empty for
    a seat that has not won.
    """

    name: str
    replaced: list[str]
    card: str
    look: str
    fate: str
    earned: str
    paid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TownConfig:
    """One game's configuration for the common Mafia pages.

    ``quick``: the options of a game in one sitting.  ``lead``: a summary of the game in a sentence
    or two.  ``by_majority``: more than half of the living decide a day.  ``sides``: the names of
    the sides that win, by their labels in outcomes.  ``cast``: the roles or teams for a number of
    players, in words.  ``ending`` and ``fates`` take a view after the end: headline and reason,
    card and fate of each seat.
    """

    form: type[TownForm]
    quick: Mapping[str, Any]
    lead: str
    by_majority: bool
    sides: Mapping[str, str]
    cast: Callable[[int], str]
    ending: Callable[[Mapping[str, Any]], tuple[str, str]]
    fates: Callable[[Mapping[str, Any]], list[Fate]]


def told_fates(view: Mapping[str, Any], fates: Sequence[Fate]) -> list[ToldFate]:
    """Return the fates of a view's seats with names and paid points."""
    seats, names = {seat["no"]: seat for seat in view["seats"]}, names_of(view)
    return [
        ToldFate(
            name=names.get(fate.no, ""),
            replaced=seats[fate.no]["replaced"],
            card=fate.card,
            look=fate.look,
            fate=fate.fate,
            earned=complex_points(*fate.earned) if fate.earned else "",
            paid=complex_points(*seats[fate.no]["award"]) if fate.earned else "",
        )
        for fate in fates
    ]


def town_configs() -> dict[str, tuple[TableGame, TownConfig]]:
    """Return the installed Mafia games by slug, in registry order."""
    return {
        game.slug: (game, import_string(game.town_config))
        for game in registry.tables()
        if game.town_config
    }
