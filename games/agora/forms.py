"""The form that opens a game of Agoran Mafia."""

from __future__ import annotations

from typing import Any, Final

from django import forms

from games.agora.rules.options import (
    LEAST_AT_A_TABLE,
    LONGEST_PHASE,
    QUICK,
    SHORTEST_PHASE,
)
from games.agora.rules.roles import MOST_CITIZENS

#: Seconds in each unit in which people name the length of a phase.
UNITS: Final = (("60", "minutes"), ("3600", "hours"), ("86400", "days"))


class AgoraForm(forms.Form):
    """The options of a new game; a phase is named as a number and a unit."""

    seats = forms.IntegerField(
        min_value=LEAST_AT_A_TABLE, max_value=MOST_CITIZENS, initial=QUICK["seats"], label="Seats"
    )
    length = forms.IntegerField(
        min_value=1, max_value=999, initial=2, label="A night or a day lasts"
    )
    unit = forms.ChoiceField(choices=UNITS, initial="60", label="Counted in")
    early_end = forms.BooleanField(
        required=False, initial=True, label="A night ends early when all who live are done"
    )
    reveal_on_death = forms.BooleanField(
        required=False, label="Whoever dies shows the role (else nobody knows until the end)"
    )
    listed = forms.BooleanField(
        required=False, initial=True, label="On the list: anybody may join (else by link only)"
    )
    spectators = forms.BooleanField(required=False, initial=True, label="Others may watch")

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
