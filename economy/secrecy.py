"""Which transfers must not be told yet.

The economy knows nothing of games.  Who does registers a function here that
picks, out of the causes on a page, those whose details are still secret.
"""

from collections.abc import Callable, Iterable

from django.db.models import Q

from economy.units import AccountKind, Unit

#: Takes causes, gives those of them that are secret: one query for a whole page.
Hider = Callable[[frozenset[str]], Iterable[str]]

_hiders: list[Hider] = []


def register_hidden_causes(hider: Hider) -> Hider:
    """Add a function that knows of secret causes; usable as a decorator."""
    if hider not in _hiders:
        _hiders.append(hider)
    return hider


def hidden_causes(causes: Iterable[str]) -> frozenset[str]:
    """The causes among these whose transfers must not show accounts, unit or amount."""
    asked = frozenset(causes)
    hidden: set[str] = set()
    for hider in _hiders:
        hidden.update(hider(asked))
    return asked & hidden


def secret_balances() -> Q:
    """The accounts whose balances give away added weapons and mines while a match runs."""
    return Q(kind__in=(AccountKind.STOCK, AccountKind.ESCROW)) & ~Q(unit=Unit.POINT)
