"""Settings of boards: sound, volume, questions, auto-lock. Pages carry these values for
``static/js/settings.js``; a guest's browser keeps its own.
"""

from typing import Final, cast

from django import forms

from accounts.models import User

#: The fields of ``User``, in the order of the page.
FIELDS: Final = ("has_sound", "volume", "asks_first", "auto_lock")

#: The fields with their defaults, which guests begin with.
DEFAULTS: Final = {name: getattr(User(), name) for name in FIELDS}


class BoardForm(forms.ModelForm):
    """Takes all board settings at once; an unchecked box means no."""

    class Meta:
        model = User
        fields = FIELDS
        labels = {
            "has_sound": "Sounds",
            "volume": "Volume",
            "asks_first": "Ask before all in, a fold for nothing, bare hands and mines",
            "auto_lock": "Lock in once every opponent is attacked",
        }
        widgets = {
            "volume": forms.NumberInput(attrs={"type": "range", "min": 0, "max": 100, "step": 5})
        }

    def save(self, commit: bool = True) -> User:
        """Store these fields alone: a ban or a new password of this moment stays."""
        user = cast("User", super().save(commit=False))
        if commit:
            user.save(update_fields=FIELDS)
        return user


def choose_one(*, user_id: int, name: str, given: str) -> None:
    """Store one board setting, as a board's button or the page's script sends it. Raises
    ValueError: there is no such setting, or no such value.
    """
    if name not in FIELDS:
        raise ValueError(name)
    if name == "volume":
        value: int | bool = int(given)
        if not 0 <= value <= 100:
            raise ValueError(given)
    elif given in ("true", "false"):
        value = given == "true"
    else:
        raise ValueError(given)
    User.objects.filter(pk=user_id).update(**{name: value})
