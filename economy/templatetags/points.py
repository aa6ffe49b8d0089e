"""Template filter for numbers with a sign, such as points."""

from django import template

from economy.units import MINUS

register = template.Library()


@register.filter
def signed(number: int) -> str:
    """Return a number with its sign, as ``signed`` of ``static/js/board/wording.js`` does.
    >>> signed(1200), signed(0), signed(-14) == MINUS + "14"
    ('+1,200', '0', True)
    """
    return f"{number:+,}".replace("-", MINUS) if number else "0"
