"""The forms to open a table and to buy a weapon."""

from typing import Any

from django import forms

from economy.selectors import settings_starting
from economy.shop import LEAST_QUANTITY, MOST_QUANTITY
from economy.units import MOST_AMOUNT, WEAPONS, Unit


class TableForm(forms.Form):
    """The options of a new Showdown table; the defaults are the site's numbers."""

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
        """Reject a largest purse below the ante."""
        cleaned: dict[str, Any] = super().clean() or {}
        ante, purse = cleaned.get("ante"), cleaned.get("largest_purse")
        if ante is not None and purse is not None and purse < ante:
            self.add_error("largest_purse", "The largest purse must be at least the ante.")
        return cleaned


class PurchaseForm(forms.Form):
    """The form of one card of the shop; ``key`` is made with the page and stays on a retry."""

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
        """Return the first error, for people."""
        if "quantity" in self.errors:
            return str(self.errors["quantity"][0])
        return "This was not sent by the shop's page. Nothing was bought."
