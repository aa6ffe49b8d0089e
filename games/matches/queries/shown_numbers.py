"""Settings that pages of text tell, which need no database for it."""

from django.db import DatabaseError

from economy.selectors import settings_starting
from economy.tunables import TUNABLES

#: What this process has read last.
_known: dict[str, int] = {}


def shown_numbers(prefix: str) -> dict[str, int]:
    """Return the settings with this prefix; without a database the last known, or defaults."""
    try:
        found = settings_starting(prefix)
    except DatabaseError:
        names = [name for name in TUNABLES if name.startswith(prefix)]
        return {name: _known.get(name, TUNABLES[name].default) for name in names}
    _known.update(found)
    return found
