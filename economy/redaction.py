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

#: Gives all causes that are secret now.
_listers: list[Callable[[], Iterable[str]]] = []


def register_hidden_causes(hider: Hider) -> None:
    """Add a function that knows of secret causes."""
    if hider not in _hiders:
        _hiders.append(hider)


def register_secret_causes(lister: Callable[[], Iterable[str]]) -> None:
    """Add a function that lists all secret causes, for searches that must leave them out."""
    if lister not in _listers:
        _listers.append(lister)


def secret_causes() -> frozenset[str]:
    """All causes whose transfers are secret now."""
    return frozenset(cause for lister in _listers for cause in lister())


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
