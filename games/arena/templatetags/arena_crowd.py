"""How many are in the arena, for pages that are not its own."""

from __future__ import annotations

from django import template

from games.arena import queries

register = template.Library()


@register.simple_tag
def crowd() -> dict[str, int]:
    """Return how many people and how many bots are in."""
    view = queries.public_view()
    return {"people": view["people"], "bots": view["bots"]}
