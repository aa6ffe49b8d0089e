"""The tempo of the bots: the moments of a phase at which they look at the game. All of it follows
from what everybody sees, so that a moment tells nothing.
Source: docs/explanation/agora.md "Bots".
"""

from collections.abc import Mapping
from datetime import datetime
from math import ceil
from random import Random
from typing import Any, Final, NamedTuple

from games.engine.facts import Instant
from games.mafia.common.rules.options import SECOND
from games.mafia.common.rules.phases import PLAYED_OUT, Stage
from games.mafia.common.rules.state import TownState

#: The parts of a day in which bots cast their votes, and twice look whether to change them.
PARTS: Final = ((0.06, 0.56), (0.62, 0.92), (0.93, 0.985))
#: The share of a day after which a bot may cast the vote that decides while people have not voted.
DECIDES: Final = 0.6
#: The shares of a short phase that is played out, in which all bots act at once.
AT_ONCE: Final = (0.15, 0.5, 0.8)
#: Milliseconds into a night at which the bots act, where the night is long enough.
BY_NIGHT: Final = (1_500, 6_000)
#: The shares of a night at which bots look again, such as after a failure.
AGAIN: Final = (0.3, 0.6, 0.9)
TINY: Final = 1e-9
#: Milliseconds: the age of a post when a bot answers it, and the delay of a vote that is late.
ANSWERS_AFTER: Final = 5_000
LATE: Final = 1_000


class Now(NamedTuple):
    """The moment of a view: the share of the phase that has passed, and whether people wait."""

    at: int
    share: float
    is_played_out: bool


def moment_of(view: Mapping[str, Any]) -> Now:
    """Return the moment of a bot's view."""
    game = view["game"]
    length = PLAYED_OUT if game["is_played_out"] else SECOND * game["phase_seconds"]
    ends_at = datetime.fromisoformat(game["due_at"]).timestamp() * SECOND
    # An instant is a whole millisecond, at or after the share.
    share = (view["at"] - (ends_at - length)) / length + TINY
    return Now(view["at"], share, game["is_played_out"])


def slots(bots: int, turn: int, *, is_played_out: bool) -> tuple[float, ...]:
    """Return the shares of a day at which a bot votes, and looks again twice.

    >>> [round(share, 2) for share in slots(5, 0, is_played_out=False)]
    [0.11, 0.65, 0.94]

    Args:
        turn: the bot's place in the order of the day, from 0.
    """
    if is_played_out:
        return AT_ONCE
    return tuple(first + (last - first) * (turn + 0.5) / bots for first, last in PARTS)


def night_share(phase: int, length: int) -> float:
    """Return the share of a night at which the bots act."""
    return min(Random(phase).randint(*BY_NIGHT) / length, AT_ONCE[0])


def in_turn(bots: list[int], name: str, phase: int) -> list[int]:
    """Return bots in the order of a phase of the match with this name."""
    return Random(f"{name}/{phase}").sample(bots, len(bots))


def next_look(state: TownState[Any], bots: frozenset[int], at: Instant) -> Instant | None:
    """Return the next moment after ``at`` at which bots look at the game; None in this phase."""
    living = [member for member in state.living if member.no in bots]
    if not living or state.stage == Stage.OVER:
        return None
    clock, count = state.clock, len(living)
    began = clock.ends_at - clock.limit
    if state.stage == Stage.NIGHT:
        shares = [night_share(state.phase, clock.limit), *AGAIN]
    else:
        turns = range(count)
        each = [slots(count, turn, is_played_out=state.is_played_out) for turn in turns]
        late = sum(began + ceil(first * clock.limit) <= at for first, *_ in each)
        if late > sum(member.vote is not None for member in living):
            return Instant(at + min(LATE, clock.limit // 60))
        shares = sorted({share for some in each for share in some})
    instants = (Instant(began + ceil(share * clock.limit)) for share in shares)
    return next((instant for instant in instants if instant > at), None)
