"""A user's choice of notifications, and the quiet hours in their time zone."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError

from accounts.models import PushChoice, User

#: The kinds of notifications: fields of ``PushChoice``.
KINDS: Final = ("turn", "start", "phase", "challenge")
_HOURS: Final = [(hour, f"{hour:02}:00") for hour in range(24)]


class PushForm(forms.ModelForm):
    """Takes the kinds, the quiet hours and the time zone."""

    quiet_from = forms.TypedChoiceField(
        label="Quiet from", choices=[("", "never"), *_HOURS], coerce=int, empty_value=None,
        required=False,
    )  # fmt: skip
    quiet_until = forms.TypedChoiceField(
        label="until",
        choices=[("", "never"), *_HOURS],
        coerce=int,
        empty_value=None,
        required=False,
    )  # fmt: skip

    class Meta:
        model = PushChoice
        fields = (*KINDS, "quiet_from", "quiet_until", "time_zone")

    def clean_time_zone(self) -> str:
        zone = str(self.cleaned_data["time_zone"])
        if zone not in available_timezones():
            raise ValidationError("A time zone such as Europe/Berlin.")
        return zone

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        start, end = found.get("quiet_from"), found.get("quiet_until")
        if (start is None) != (end is None) or (start is not None and start == end):
            raise ValidationError("Choose both hours of the quiet time, or neither.")
        return found


def choice_of(user: User) -> PushChoice:
    """Return a user's choice, for a user who has not been asked an unsaved row of defaults."""
    return PushChoice.objects.filter(user=user).first() or PushChoice(user=user)


def keep_choice(user: User) -> PushChoice:
    """Return a user's stored choice; the first of several at once stores the defaults."""
    return PushChoice.objects.get_or_create(user=user)[0]


def has_been_asked(user_id: int) -> bool:
    """Whether a user was asked for notifications, or chose them on the settings page."""
    return PushChoice.objects.filter(user=user_id).exists()


def choices_of(user_ids: Collection[int]) -> Mapping[int, PushChoice]:
    """Return the choices of those of these active users who have a subscribed browser."""
    rows = PushChoice.objects.filter(
        user__in=user_ids, user__is_active=True, user__push_subscriptions__isnull=False
    )
    return {choice.user_id: choice for choice in rows.distinct()}


def quiet_until(choice: PushChoice, now: datetime) -> datetime | None:
    """Return the end of the quiet hours that last now; None: it is not quiet."""
    if choice.quiet_from is None or choice.quiet_until is None:
        return None
    here = now.astimezone(ZoneInfo(choice.time_zone))
    start, end = choice.quiet_from, choice.quiet_until
    is_quiet = start <= here.hour < end if start < end else here.hour >= start or here.hour < end
    if not is_quiet:
        return None
    until = here.replace(hour=end, minute=0, second=0, microsecond=0, fold=0)
    # The wall clock counts: a day with a change of time is longer or shorter than 24 hours.
    return (until if until > here else until + timedelta(days=1)).astimezone(now.tzinfo)
