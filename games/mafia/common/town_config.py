"""The configuration of each Mafia game for the common Mafia pages, which import none of the games,
and the form that opens a game.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.module_loading import import_string

from economy.units import complex_points
from games import registry
from games.contract import TableGame
from games.mafia.common.game import VOID
from games.mafia.common.rules.phases import LONGEST_PHASE, SHORTEST_PHASE
from games.mafia.common.words import CALLED_OFF, OPTIONS
from games.matches.models import Match
from games.matches.views import watched
from games.text.answers import names_of

#: (seconds, name) of each unit for the length of a phase.
UNITS: Final = (("60", "minutes"), ("3600", "hours"), ("86400", "days"))
#: How far ahead an appointed start may be.
SOONEST, LATEST = timedelta(minutes=5), timedelta(days=28)


class TownForm(forms.Form):
    """The options of a new game; the length of a phase is a number and a unit. ``players``: the
    least, the most and the initial number.
    """

    seats = forms.IntegerField()
    length = forms.IntegerField(
        min_value=1, max_value=999, initial=2, label=OPTIONS["phase_seconds"]
    )
    unit = forms.ChoiceField(choices=UNITS, initial="60", label="Unit")
    last_wills = forms.BooleanField(required=False, label=OPTIONS["last_wills"])
    #: The appointed start in the user's local time, and that zone's minutes behind UTC then.
    begins = forms.DateTimeField(
        required=False,
        label="Begins (UTC)",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text="Empty: as soon as everybody is ready.",
    )
    behind = forms.IntegerField(
        required=False, min_value=-900, max_value=900, widget=forms.HiddenInput
    )
    listed = forms.BooleanField(required=False, initial=True, label=OPTIONS["listed"])
    spectators = forms.BooleanField(required=False, initial=True, label=OPTIONS["spectators"])

    def __init__(self, *args: Any, players: tuple[int, int, int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        least, most, usual = players
        self.fields["seats"] = forms.IntegerField(
            min_value=least, max_value=most, initial=usual, label=OPTIONS["seats"]
        )

    def numbers(self) -> list[BoundField]:
        """Return the fields in one row."""
        return [self[name] for name in ("seats", "length", "unit")]

    def switches(self) -> list[BoundField]:
        """Return the checkbox fields, the game's own first."""
        names = [name for name in self.fields if isinstance(self.fields[name], forms.BooleanField)]
        return [self[name] for name in sorted(names, key=lambda name: name in TownForm.base_fields)]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "length" in cleaned and "unit" in cleaned:
            seconds = cleaned["length"] * int(cleaned["unit"])
            if not SHORTEST_PHASE <= seconds <= LONGEST_PHASE:
                self.add_error("length", "A night or a day lasts from 1 minute to 7 days.")
            cleaned["phase_seconds"] = seconds
        if (begins := cleaned.get("begins")) is not None:
            cleaned["begins"] = begins + timedelta(minutes=cleaned.get("behind") or 0)
            if not SOONEST <= cleaned["begins"] - timezone.now() <= LATEST:
                self.add_error("begins", "An appointment is 5 minutes to 28 days ahead.")
        return cleaned

    def options(self) -> dict[str, Any]:
        """Return the options by the names that the rules use."""
        others = ("length", "unit", "begins", "behind")
        return {name: value for name, value in self.cleaned_data.items() if name not in others}


@dataclass(frozen=True, slots=True, kw_only=True)
class TownConfig:
    """One game's configuration for the common Mafia pages."""

    form: type[TownForm]
    #: The options of a game in one sitting.
    quick: Mapping[str, Any]
    #: The game in a sentence or two.
    lead: str
    #: Whether more than half of the living decide a day.
    by_majority: bool
    #: The names of the sides that win, by their labels in outcomes.
    sides: Mapping[str, str]
    #: The roles or teams for a number of players, in words.
    cast: Callable[[int], str]
    #: Headline and reason, of the result of a game that was played to its end.
    ending: Callable[[Mapping[str, Any]], tuple[str, str]]
    #: The card of a seat in a view after the end, the look of the card's tag, and the seat's fate.
    fate: Callable[[Mapping[str, Any]], tuple[str, str, str]]
    #: A side's chance, by the living of each look: by day or by night, and all else by chance.
    chance: Callable[[Mapping[str, int], str, bool], float]
    chance_of: str = ""  #: the side whose chance is told; empty: the winner's
    axes: int = 2  # of the points that it awards: x alone, or x and y

    def ending_of(self, view: Mapping[str, Any]) -> tuple[str, str]:
        """Return the headline and the reason of the end, from a view after the end."""
        result = view["game"]["result"]
        if result is None or result["reason"] == VOID:
            return CALLED_OFF[0], view["match"]["void_reason"] or CALLED_OFF[1]
        return self.ending(result)

    def seat_fates(self, game: Mapping[str, Any]) -> dict[int, str]:
        """Return each seat's card and fate in words, from a public view after the end."""
        fates = {seat["no"]: self.fate(seat) for seat in game["seats"]}
        return {no: f"{card}, {fate}" for no, (card, _, fate) in fates.items()}

    def told_fates(self, view: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield each seat's fate from a view after the end; ``earned`` by the rules and ``paid`` by
        the site are as x + yi, empty for a seat that has not won.
        """
        seats, names = {seat["no"]: seat for seat in view["seats"]}, names_of(view)
        awards = dict((view["game"]["result"] or {}).get("awards", ()))
        for member in view["game"]["seats"]:
            no, (card, look, fate) = member["no"], self.fate(member)
            award = awards.get(no)
            yield {
                "no": no,
                "name": names.get(no, ""),
                "card": card,
                "look": look,
                "fate": fate,
                "replaced": seats[no]["replaced"],
                "earned": complex_points(award, award if self.axes == 2 else 0) if award else "",
                "paid": complex_points(*seats[no]["award"]) if award else "",
            }


def watched_town(request: HttpRequest, public_id: str) -> tuple[Match, TownConfig]:
    """Return a match that the viewer may watch, with its game's configuration. Raises Http404."""
    match = watched(request, public_id)
    if match.game not in town_configs():
        raise Http404
    return match, town_configs()[match.game][1]


def town_configs() -> dict[str, tuple[TableGame, TownConfig]]:
    """Return the installed Mafia games by slug, in registry order."""
    return {
        game.slug: (game, import_string(game.town_config))
        for game in registry.tables()
        if game.town_config
    }
