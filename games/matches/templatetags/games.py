"""Template tags that choose a game's own page part, else the common one."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.shared import Shown
from economy.selectors import grant_after
from economy.units import complex_points
from games.matches.views import shown_numbers

register = template.Library()

#: JavaScript modules that a game's board does not need.
OTHER_PAGES = {"list", "lobby-list", "imports"}


@register.filter
def part(slug: str, name: str) -> list[str]:
    """Return the candidate templates of a game's part of a page; the first that exists is used."""
    return [f"games/{slug}/_{name}.html", f"games/_{name}.html"]


@register.simple_tag
@cache
def preload(slug: str) -> SafeString:
    """Return modulepreload links, so that a browser fetches a board's modules all at once."""
    lines = [
        render_to_string("partials/importmap.html", {"games": ()}),
        render_to_string(part(slug, "modules")),
    ]
    found = re.findall(r'"([\w/-]+)": "([^"]+)"', "".join(lines))
    addresses = (address for name, address in found if name.rpartition("/")[2] not in OTHER_PAGES)
    return format_html_join("\n", '<link rel="modulepreload" href="{}">', ((a,) for a in addresses))


@register.simple_tag
def part_of(shown: Shown, template: str, key: str = "") -> SafeString:
    """Return a part of pages that is the same for everybody, made once for each shared answer."""
    return shown.part(template, key)


@register.simple_tag
def signup_points() -> int:
    return grant_after(0, shown_numbers("grant."))


@register.filter(name="complex_points")
def written(award: tuple[int, int]) -> str:
    return complex_points(*award)


@register.filter
def of(values: Mapping[str, Any], slug: str) -> Any:
    return values.get(slug, [])
