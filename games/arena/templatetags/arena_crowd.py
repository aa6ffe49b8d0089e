"""Tags for other pages: the number of players in the arena, and its season."""

from datetime import datetime
from typing import Any

from django import template

from games.arena import queries

register = template.Library()
register.simple_tag(queries.crowd, name="crowd")


@register.simple_tag
def season() -> dict[str, Any] | None:
    """Return the season that runs or comes next, with instants; None without seasons."""
    found = queries.season_shown()
    if found is None:
        return None
    return found | {name: datetime.fromisoformat(found[name]) for name in ("begins_at", "ends_at")}
