"""The form to open a duel or to challenge a player."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from economy.selectors import settings_starting
from games.duel.words import OPTIONS


class DuelForm(forms.Form):
    """The options of a new duel; with a name in ``opponent`` it is a challenge."""

    opponent = forms.CharField(max_length=20, required=False, label="Opponent's name")
    best_of = forms.IntegerField(min_value=1, max_value=99, initial=5, label=OPTIONS["best_of"])
    clock_seconds = forms.IntegerField(
        min_value=5, max_value=86_400, initial=30, label=OPTIONS["clock_seconds"]
    )
    stake = forms.IntegerField(min_value=0, initial=0, label=OPTIONS["stake"])
    no_ties = forms.BooleanField(required=False, initial=True, label=OPTIONS["no_ties"])
    rated = forms.BooleanField(required=False, initial=True, label=OPTIONS["rated"])
    listed = forms.BooleanField(required=False, initial=True, label=OPTIONS["listed"])
    spectators = forms.BooleanField(required=False, initial=True, label=OPTIONS["spectators"])

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        numbers = settings_starting("duel.")
        self.largest_stake, self.tax_bp = numbers["duel.largest_stake"], numbers["duel.tax_bp"]
        self.fields["clock_seconds"].initial = numbers["duel.clock"]
        stake = self.fields["stake"]
        stake.validators.append(MaxValueValidator(self.largest_stake))
        stake.widget.attrs["max"] = self.largest_stake

    def clean_best_of(self) -> int:
        """Reject an even number of throws: nobody could have more than half."""
        best_of: int = self.cleaned_data["best_of"]
        if best_of % 2 == 0:
            raise forms.ValidationError("Choose an odd number.")
        return best_of

    def clean(self) -> dict[str, Any]:
        """Clear ``rated`` if there is a stake: a duel is for points or for the rating."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("stake"):
            cleaned["rated"] = False
        return cleaned

    def options(self) -> dict[str, Any]:
        """Return the options by the names that the rules use."""
        return {name: value for name, value in self.cleaned_data.items() if name != "opponent"}
