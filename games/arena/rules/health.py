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


def sits_out(options: RoundOptions, health: int) -> bool:
    """Whether a player who is in counts nowhere in a round: Survivor asks for health."""
    return options.survivor and health == 0


def turns_on(previous: RoundOptions | None, options: RoundOptions) -> bool:
    """Whether Survivor turns on with this round: all players who are in then get full health."""
    return options.survivor and not (previous is not None and previous.survivor)


def survivor_round_of(previous: RoundOptions | None, options: RoundOptions, played: int) -> int:
    """Return which round since the last refill of health begins, from 1; 0 without Survivor.
    ``played``: the rounds since then.
    """
    if not options.survivor:
        return 0
    return 1 if turns_on(previous, options) else played + 1


def healths_after(healths: Sequence[int], verdicts: bytes, survivor_round: int) -> list[int]:
    """Return each player's health after a round under Survivor, before any refill. ``verdicts``:
    each player's result (``scores.WON`` and so on); a player without a battle, alone or sat out,
    loses none. ``survivor_round``: the number of the round since the last refill, from 1.
    """
    losing = {LOST, TIED} if survivor_round >= HARSH_ROUND else {LOST}
    lost = bytes(number in losing for number in range(256))
    return [health - less for health, less in zip(healths, verdicts.translate(lost), strict=True)]


def is_refill_due(number_with_health: int) -> bool:
    """Whether all get full health: at most one has health left of those who stay after a round."""
    return number_with_health <= 1
