"""The forms of a contest: founding one, and proposing other settings."""

import unicodedata
from typing import Any, Final

from django import forms

from economy.texts import WrittenField
from games.contests import terms
from games.contests.models import LONGEST_REASON
from games.contests.rules.state import Limits, Settings
from games.contests.terms import UNITS, span
from games.contract import TableGame, Term

LONGEST_NAME: Final = 40
#: Seconds in each unit in which a span can be entered.
SPANS: Final = tuple((str(length), f"{unit}s") for length, unit in UNITS[:3])


class Span(forms.MultiWidget):
    """A span of time as a number and a unit, each with its own label."""

    def __init__(self, label: str) -> None:
        number = forms.NumberInput(attrs={"min": 1, "max": 9_999, "aria-label": label})
        unit = forms.Select(choices=SPANS, attrs={"aria-label": f"{label}: counted in"})
        super().__init__({"number": number, "unit": unit})

    def decompress(self, value: int | None) -> list[Any]:
        if not value:
            return [None, SPANS[0][0]]
        length = next((n for n, _ in UNITS[:3] if value % n == 0), 1)
        return [value // length, str(length)]


class SpanField(forms.MultiValueField):
    """A number of seconds, entered as a number and a unit."""

    def __init__(self, label: str, limits: Limits, **more: Any) -> None:
        self.limits = limits
        fields = (
            forms.IntegerField(min_value=1, max_value=9_999),
            forms.ChoiceField(choices=SPANS),
        )
        super().__init__(fields, label=label, widget=Span(label), **more)

    def compress(self, data_list: list[Any]) -> int | None:
        if not data_list:
            return None
        seconds = data_list[0] * int(data_list[1])
        if not self.limits.least <= seconds <= self.limits.most:
            raise forms.ValidationError(f"That is too short or too long. {within(self.limits)}")
        return int(seconds)


class SettingsForm(forms.Form):
    """A field for each setting that the game's terms name; the rules check the values."""

    def __init__(self, game: TableGame, settings: Settings, *given: Any, fixed: bool) -> None:
        """Add the fields; ``fixed``: also for settings that no amendment changes."""
        super().__init__(*given)
        allowed = terms.allowed(game)
        for name, term in terms.labels(game).items():
            if fixed or name in allowed.amendable:
                self.fields[name] = _field(term, allowed.settings[name], settings[name])

    def settings(self) -> Settings:
        return {name: self.cleaned_data[name] for name in self.setting_names}

    @property
    def setting_names(self) -> list[str]:
        return list(self.fields)

    @property
    def numbers(self) -> list[Any]:
        return [self[name] for name in self.setting_names if not self._is_switch(name)]

    @property
    def switches(self) -> list[Any]:
        return [self[name] for name in self.setting_names if self._is_switch(name)]

    def _is_switch(self, name: str) -> bool:
        return isinstance(self.fields[name], forms.BooleanField)


class ProposalForm(SettingsForm):
    def __init__(self, game: TableGame, settings: Settings, *given: Any) -> None:
        super().__init__(game, settings, *given, fixed=False)
        self.fields["reason"] = WrittenField(
            max_length=LONGEST_REASON,
            required=False,
            label="Why? (one sentence, everybody sees it)",
        )

    @property
    def setting_names(self) -> list[str]:
        return [name for name in self.fields if name != "reason"]


class ContestForm(SettingsForm):
    def __init__(self, game: TableGame, *given: Any) -> None:
        super().__init__(game, terms.usual(game), *given, fixed=True)
        self.fields["name"] = WrittenField(max_length=LONGEST_NAME, min_length=3, label="Name")
        self.fields["runs"] = forms.ChoiceField(
            choices=(("site", "Run by the site"), ("me", "Run by me (I play when I am ready)")),
            initial="site",
            label="Contestmaster",
            help_text="The site starts a game when enough are ready;"
            " a human contestmaster presses Start.",
        )

    @property
    def setting_names(self) -> list[str]:
        return [name for name in self.fields if name not in ("name", "runs")]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        kinds = [unicodedata.category(sign)[0] for sign in name]
        base = sum(kind not in "MZC" for kind in kinds)
        if base < 3 or kinds.count("M") > base:
            raise forms.ValidationError("A name has at least 3 letters, and few marks on them.")
        return name


def within(limits: Limits) -> str:
    return f"From {span(limits.least)} to {span(limits.most)}."


def _field(term: Term, limits: Limits | None, value: int | bool) -> forms.Field:
    if limits is None:
        return forms.BooleanField(
            required=False, initial=value, label=term.label, help_text=term.about
        )
    if term.unit == "seconds":
        return SpanField(term.label, limits, initial=value, help_text=within(limits))
    return forms.IntegerField(
        min_value=limits.least,
        max_value=limits.most,
        initial=value,
        label=term.label,
        help_text=term.about,
    )
