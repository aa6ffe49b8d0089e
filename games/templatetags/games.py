"""Parts of pages that a game may have for itself: its own template, else the common one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def part(slug: str, name: str) -> list[str]:
    """Return the templates of a game's part of a page, the first that is there being used.

    >>> part("chess", "list")
    ['games/chess/_list.html', 'games/_list.html']
    """
    return [f"games/{slug}/_{name}.html", f"games/_{name}.html"]


@register.filter
def of(values: Mapping[str, Any], slug: str) -> Any:
    """Return what a map holds of a game; an empty list where it holds nothing."""
    return values.get(slug, [])
