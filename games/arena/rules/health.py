"""Health under Survivor.

Source: docs/rules/arena.md, "A round".
"""

from collections.abc import Sequence
from typing import Final

from games.arena.rules.options import RoundOptions
from games.arena.rules.scores import LOST, TIED

FULL_HEALTH: Final = 3
#: From this round since a refill on, a tie costs health, too.
HARSH_ROUND: Final = 10


def turns_on(previous: RoundOptions | None, options: RoundOptions) -> bool:
    """Whether Survivor turns on with this round: all players who are in then get full health."""
    return options.survivor and not (previous is not None and previous.survivor)


def healths_after(healths: Sequence[int], verdicts: bytes, survivor_round: int) -> list[int]:
    """Return each player's health after a round under Survivor, before any refill.

    Args:
        verdicts: each player's result (``scores.WON`` and so on); a player without a battle, alone
            or sat out, loses none.
        survivor_round: the number of the round since the last refill, from 1.
    """
    losing = {LOST, TIED} if survivor_round >= HARSH_ROUND else {LOST}
    lost = bytes(number in losing for number in range(256))
    return [health - less for health, less in zip(healths, verdicts.translate(lost), strict=True)]


def is_refill_due(healths: Sequence[int]) -> bool:
    """Whether at most one player has health left: all then get full health."""
    return len(healths) - healths.count(0) <= 1
