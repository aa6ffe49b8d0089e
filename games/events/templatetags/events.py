"""Tags for other pages: the next event."""

from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone

from games.people.activity import Activity

register = template.Library()


@register.simple_tag
def next_event(activity: Activity) -> dict[str, Any] | None:
    """Return the event that runs or comes next, and who is aboard; None without one."""
    event = next(iter(activity.others.get("event", ())), None)
    if event is None:
        return None
    aboard = sorted(activity.others.get("aboard", ()), key=lambda row: row[1:3])
    return {
        "name": event.name,
        "status": event.title,
        "starts_at": event.ended_at,
        "people": event.number,
        "public_id": event.public_id,
        "faces": [{"name": row.name, "avatar": row.title, "is_bot": row.number} for row in aboard],
    }


@register.simple_tag
def site_now() -> datetime:
    return timezone.now()
