"""Amounts that a property tries: in ``./run test`` and ``--more``, in ``--all``, in ``--long``.

The suite sets the variable SUITE to minute, more, all or long; pytest alone tries as much as
``./run test``.
"""

import os
from collections.abc import Mapping
from typing import TypeVar

Amount = TypeVar("Amount")

IS_LONG = os.environ.get("SUITE") == "long"
IS_WHOLE = IS_LONG or os.environ.get("SUITE") == "all"
#: The number of this commit in --all: what is not tried by this one is tried by a later one.
TURN = int(os.environ.get("TURN", "0"))


def form(short: Amount, *, in_all: Amount | None = None, in_long: Amount | None = None) -> Amount:
    """Return the amount for this run; a longer run for which none is given takes the shorter's."""
    if IS_LONG and in_long is not None:
        return in_long
    if IS_WHOLE and in_all is not None:
        return in_all
    return short


def some(things: Mapping[str, Amount], parts: int) -> dict[str, Amount]:
    """Return one of this many parts, another one with the next commit; in a long run all."""
    names = list(things) if IS_LONG else list(things)[TURN % parts :: parts]
    return {name: things[name] for name in names}
