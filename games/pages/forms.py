"""The forms that open a table or a duel and buy a weapon."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from economy.selectors import settings_starting
from economy.shop import LEAST_QUANTITY, MOST_QUANTITY
from economy.units import MOST_AMOUNT, WEAPONS, Unit


class TableForm(forms.Form):
    """The options of a new Showdown table, with the site's numbers as defaults."""

    seats = forms.IntegerField(min_value=2, max_value=4, initial=4)
    ante = forms.IntegerField(min_value=1, max_value=1000)
    target = forms.IntegerField(min_value=3, max_value=15)
    betting_clock = forms.IntegerField(min_value=5, max_value=120)
    round_clock = forms.IntegerField(min_value=5, max_value=120)
    largest_purse = forms.IntegerField(min_value=1, max_value=100_000)
    listed = forms.BooleanField(required=False, initial=True)
    spectators = forms.BooleanField(required=False, initial=True)

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        numbers = settings_starting("showdown.")
        self.fields["ante"].initial = numbers["showdown.ante_default"]
        for name in ("target", "betting_clock", "round_clock", "largest_purse"):
            self.fields[name].initial = numbers[f"showdown.{name}"]

    def clean(self) -> dict[str, Any]:
        """Refuse a largest purse that could not pay the ante."""
        cleaned: dict[str, Any] = super().clean() or {}
        ante, purse = cleaned.get("ante"), cleaned.get("largest_purse")
        if ante is not None and purse is not None and purse < ante:
            self.add_error("largest_purse", "The largest purse must be at least the ante.")
        return cleaned


class DuelForm(forms.Form):
    """The options of a new duel; with a name in ``opponent`` it is a challenge."""

    opponent = forms.CharField(max_length=20, required=False, label="Opponent's name")
    best_of = forms.IntegerField(min_value=1, max_value=99, initial=5, label="Best of")
    clock_seconds = forms.IntegerField(
        min_value=5, max_value=86_400, initial=30, label="Clock for each throw"
    )
    stake = forms.IntegerField(min_value=0, initial=0, label="Stake")
    no_ties = forms.BooleanField(
        required=False, initial=True, label="Matched throws do not count: both throw again"
    )
    rated = forms.BooleanField(
        required=False, initial=True, label="Rated (only without a stake, and between people)"
    )
    listed = forms.BooleanField(
        required=False, initial=True, label="On the list: anybody may join (else by link only)"
    )
    spectators = forms.BooleanField(required=False, initial=True, label="Others may watch")

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        numbers = settings_starting("duel.")
        self.largest_stake, self.tax_bp = numbers["duel.largest_stake"], numbers["duel.tax_bp"]
        self.fields["clock_seconds"].initial = numbers["duel.clock"]
        stake = self.fields["stake"]
        stake.validators.append(MaxValueValidator(self.largest_stake))
        stake.widget.attrs["max"] = self.largest_stake

    def clean_best_of(self) -> int:
        """Refuse an even number of throws: nobody could have more than half."""
        best_of: int = self.cleaned_data["best_of"]
        if best_of % 2 == 0:
            raise forms.ValidationError("Choose an odd number, so that somebody can have the most.")
        return best_of

    def clean(self) -> dict[str, Any]:
        """Play for points or for the rating, not for both."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("stake"):
            cleaned["rated"] = False
        return cleaned

    def options(self) -> dict[str, Any]:
        """Return what was chosen as the rules name it."""
        return {name: value for name, value in self.cleaned_data.items() if name != "opponent"}


class PurchaseForm(forms.Form):
    """What one card of the shop sends; ``key`` was made with the page and stays on retry."""

    unit = forms.TypedChoiceField(
        choices=[(unit.value, unit.label) for unit in WEAPONS], coerce=Unit
    )
    quantity = forms.IntegerField(
        min_value=LEAST_QUANTITY,
        max_value=MOST_QUANTITY,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"One can buy from {LEAST_QUANTITY} to {MOST_QUANTITY} pieces at once.",
        ),
    )
    expected_price = forms.IntegerField(min_value=1, max_value=MOST_AMOUNT)
    key = forms.RegexField(r"\A[A-Za-z0-9_-]{8,64}\Z")

    def problem(self) -> str:
        """Return the first thing that is wrong, for people."""
        if "quantity" in self.errors:
            return str(self.errors["quantity"][0])
        return "This was not sent by the shop's page. Nothing was bought."
