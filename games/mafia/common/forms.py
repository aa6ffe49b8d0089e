"""The form that opens a Mafia game; each adds its own switches.

A game's form sets how many may play, and has ``switches`` besides those of every game.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django import forms
from django.forms.boundfield import BoundField

from games.mafia.common.rules.options import LONGEST_PHASE, SHORTEST_PHASE

#: Seconds in each unit in which people name the length of a phase.
UNITS: Final = (("60", "minutes"), ("3600", "hours"), ("86400", "days"))


class TownForm(forms.Form):
    """The options of a new game; a phase is named as a number and a unit."""

    #: The least and the most that play, and how many do at first.
    players: ClassVar[tuple[int, int, int]]

    seats = forms.IntegerField(label="Seats")
    length = forms.IntegerField(
        min_value=1, max_value=999, initial=2, label="A night or a day lasts"
    )
    unit = forms.ChoiceField(choices=UNITS, initial="60", label="Counted in")
    listed = forms.BooleanField(
        required=False, initial=True, label="On the list: anybody may join (else by link only)"
    )
    spectators = forms.BooleanField(required=False, initial=True, label="Others may watch")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        least, most, usual = self.players
        self.fields["seats"] = forms.IntegerField(
            min_value=least, max_value=most, initial=usual, label="Seats"
        )

    def numbers(self) -> list[BoundField]:
        """Return the fields that stand in a row."""
        return [self[name] for name in ("seats", "length", "unit")]

    def switches(self) -> list[BoundField]:
        """Return the fields that are pressed or not, the game's own first."""
        names = [name for name in self.fields if isinstance(self.fields[name], forms.BooleanField)]
        return [self[name] for name in sorted(names, key=lambda name: name in TownForm.base_fields)]

    def clean(self) -> dict[str, Any]:
        """Put length and unit together, within the limits of a phase."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "length" in cleaned and "unit" in cleaned:
            seconds = cleaned["length"] * int(cleaned["unit"])
            if not SHORTEST_PHASE <= seconds <= LONGEST_PHASE:
                self.add_error("length", "A night or a day lasts from 1 minute to 7 days.")
            cleaned["phase_seconds"] = seconds
        return cleaned

    def options(self) -> dict[str, Any]:
        """Return what was chosen as the rules name it."""
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in ("length", "unit")
        }
