"""Template tag of the icons, built into all templates."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
_ICON = """
<svg class="{}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>
"""


@register.simple_tag
@cache
def icon(name: str, place: str = "") -> SafeString:
    """Return one picture out of the sprite, decoration only; ``place``: another class."""
    sprite = static("vendor/icons/sprite.svg")
    return format_html(_ICON, f"icon {place}".rstrip(), sprite, name)
