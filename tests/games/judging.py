"""The codes of refusals, and whether rules take an action, for properties about all of them."""

import sys
from typing import TypeVar

from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo
from games.engine.protocols import Engine
from games.engine.structs import Kinded

State = TypeVar("State")

#: Finding all codes takes much longer than judging an action: they are found once.
_codes: set[str] = set()


def all_codes() -> dict[str, str]:
    """Return every code of the rules with its meaning, sorted by code. Raises ValueError if two
    errors share a code.
    """
    found: dict[str, str] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("games.engine") or ".rules." in name:
            table = getattr(module, "REFUSALS", {})
            if shared := found.keys() & table:
                raise ValueError(f"two tables have the codes {shared}")
            found |= table
    waiting: list[type[IllegalAction]] = [IllegalAction]
    while waiting:
        error = waiting.pop()
        waiting.extend(error.__subclasses__())
        if not error.__module__.startswith("games.engine") and ".rules." not in error.__module__:
            continue
        if error.code in found:
            raise ValueError(f"two errors have the code {error.code}")
        found[error.code] = (error.__doc__ or "").partition("\n")[0]
    return dict(sorted(found.items()))


def is_accepted(rules: Engine[State], state: State, no: SeatNo, asked: Kinded, at: Instant) -> bool:
    """Whether an action is accepted; a refusal has a code that is documented."""
    try:
        rules.apply(state, no, asked, at)
    except IllegalAction as refusal:
        if refusal.code not in _codes:
            _codes.update(all_codes())
        if refusal.code not in _codes:
            raise
        return False
    return True
