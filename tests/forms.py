"""The three lengths of a run: ``./run test``, ``./run test --all``, ``./run test --long``.

Only this module decides how much a property tries.  The suite sets the variable SUITE; pytest alone
tries as much as ``./run test``.
"""

import os
from typing import TypeVar

Amount = TypeVar("Amount")

IS_LONG = os.environ.get("SUITE") == "long"
IS_WHOLE = IS_LONG or os.environ.get("SUITE") == "all"


def form(short: Amount, *, in_all: Amount | None = None, in_long: Amount | None = None) -> Amount:
    """Return the amount for this run; a longer run for which none is given takes the shorter's."""
    if IS_LONG and in_long is not None:
        return in_long
    if IS_WHOLE and in_all is not None:
        return in_all
    return short
