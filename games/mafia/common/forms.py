"""The form that opens a Mafia game; each game adds its own switches. A game's switches come before
the common ones.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils import timezone

from games.mafia.common.rules.options import LONGEST_PHASE, SHORTEST_PHASE
from games.mafia.common.words import OPTIONS

#: (seconds, name) of each unit for the length of a phase.
UNITS: Final = (("60", "minutes"), ("3600", "hours"), ("86400", "days"))
#: How far ahead an appointed start may be.
SOONEST, LATEST = timedelta(minutes=5), timedelta(days=28)


class TownForm(forms.Form):
    """The options of a new game; the length of a phase is a number and a unit. ``players``: the
    least, the most and the initial number of players.
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
        """Return the fields that are shown in one row."""
        return [self[name] for name in ("seats", "length", "unit")]

    def switches(self) -> list[BoundField]:
        """Return the checkbox fields, the game's own first."""
        names = [name for name in self.fields if isinstance(self.fields[name], forms.BooleanField)]
        return [self[name] for name in sorted(names, key=lambda name: name in TownForm.base_fields)]

    def clean(self) -> dict[str, Any]:
        """Combine length and unit into seconds, within the limits of a phase."""
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
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in ("length", "unit", "begins", "behind")
        }

    @property
    def begins_at(self) -> datetime | None:
        """The appointed start, None to begin as soon as everybody is ready."""
        begins: datetime | None = self.cleaned_data["begins"]
        return begins
