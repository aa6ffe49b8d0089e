"""A tag for the number of players in the arena, for other pages."""

from django import template

from games.arena import queries

register = template.Library()


@register.simple_tag
def crowd() -> dict[str, int]:
    """Return the numbers of people and of bots who are in."""
    view = queries.public_view()
    return {"people": view["people"], "bots": view["bots"]}
