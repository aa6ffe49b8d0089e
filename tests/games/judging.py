"""Whether rules take an action, for properties about all that may be asked."""

from typing import TypeVar

from games.engine.errors import IllegalAction, all_codes
from games.engine.facts import Instant, SeatNo
from games.engine.protocols import Engine
from games.engine.structs import Kinded

State = TypeVar("State")

#: Finding all codes takes much longer than judging an action: they are found once.
_codes: set[str] = set()


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
