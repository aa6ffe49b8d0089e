"""Tags for other pages: the next event, and a player's cups."""

from datetime import datetime
from typing import Any

from django import template
from django.template.context import Context
from django.utils import timezone

from games.events import queries

register = template.Library()


@register.simple_tag(takes_context=True)
def next_event(context: Context) -> dict[str, Any] | None:
    """Return the event that runs or comes next, and who is aboard; None without one."""
    return queries.shown_next.seen_by(context["request"].user.pk)


@register.simple_tag
def site_now() -> datetime:
    return timezone.now()


@register.simple_tag(takes_context=True)
def cups(context: Context, user_id: int) -> list[tuple[str, int]]:
    return queries.shown_cups.seen_by(context["request"].user.pk, user_id)
