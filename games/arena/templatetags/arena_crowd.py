"""Tags for other pages: the number of players in the arena, and its season."""

from datetime import datetime
from typing import Any, Final

from django import template
from django.template.context import Context

from accounts.shared import Shared, site_numbers
from games.arena import queries

register = template.Library()
_season: Final = Shared(lambda: queries.season_shown(numbers=site_numbers()))


@register.simple_tag(takes_context=True)
def crowd(context: Context) -> dict[str, int]:
    return queries.crowd(context["request"].user.pk)


@register.simple_tag
def season() -> dict[str, Any] | None:
    """Return the season that runs or comes next, with instants; None without seasons."""
    found = _season.seen_by(None)
    if found is None:
        return None
    return found | {name: datetime.fromisoformat(found[name]) for name in ("begins_at", "ends_at")}
