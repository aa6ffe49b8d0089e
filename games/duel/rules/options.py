"""The options of a duel: ranges, defaults, and which of them players choose. The clock is in
seconds, the suspension in days, the stake in points, the tax in basis points. Source:
docs/rules/duel.md, "Options".
"""

from collections.abc import Mapping
from typing import Annotated, Final

from games.engine.choices import number, switch
from games.engine.errors import BadOption
from games.engine.facts import Points
from games.engine.structs import Record
from games.engine.table.state import clock_milliseconds

SEATS: Final = 2

#: Milliseconds.
DAY: Final = 86_400_000

_NONE: Final = Points(0)
_LARGEST: Final = Points(100)

#: The options of a quick duel.
QUICK: Final[Mapping[str, int | bool]] = {
    "best_of": 5,
    "no_ties": True,
    "stake": 0,
    "rated": True,
}


class FirstOptions(Record, frozen=True):
    """The options of version 1; the defaults are the rule book's. The rules do not use ``rated``,
    ``listed`` and ``spectators``. Raises BadOption: two options conflict; ``detail`` names one.
    """

    seats: Annotated[int, number(SEATS, SEATS)] = SEATS
    best_of: Annotated[int, number(1, 99, chosen=True)] = 1
    clock_seconds: Annotated[int, number(5, 86_400, chosen=True, site="duel.clock")] = 30
    clock_times: Annotated[int, number(1, 10, site="duel.bot_clock_times")] = 1
    stake: Annotated[Points, number(0, 100_000, chosen=True)] = _NONE
    largest_stake: Annotated[Points, number(1, 100_000, site="duel.largest_stake")] = _LARGEST
    tax_bp: Annotated[int, number(0, 10_000, site="duel.tax_bp")] = 500
    void_limit: Annotated[int, number(1, 100)] = 3
    uncounted_limit: Annotated[int, number(1, 1000, site="duel.uncounted_limit")] = 20
    suspension_days: Annotated[int, number(1, 365, site="duel.suspension_days")] = 7
    no_ties: Annotated[bool, switch(chosen=True)] = False
    rated: Annotated[bool, switch(chosen=True)] = False
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True

    def __post_init__(self) -> None:
        if self.best_of % 2 == 0:
            raise BadOption("best_of is an odd number", option="best_of", least=1, most=99)
        if self.stake > self.largest_stake:
            most = self.largest_stake
            raise BadOption(f"the stake is at most {most}", option="stake", least=0, most=most)
        if self.rated and self.stake:
            raise BadOption("a rated duel is played without a stake", option="rated")

    @property
    def clock_milliseconds(self) -> int:
        """The length of a throw in milliseconds; longer against a bot, by the site's factor."""
        return clock_milliseconds(self.clock_seconds, self.clock_times)

    @property
    def suspension_milliseconds(self) -> int:
        """The length of a suspension in milliseconds."""
        return self.suspension_days * DAY

    @property
    def wins_needed(self) -> int:
        """The least number of wins that is more than half of ``best_of``."""
        return self.best_of // 2 + 1


class Options(FirstOptions, frozen=True):
    """All options of a table for a duel. ``quick``: readiness is for any opponent; the site sets
    it.  ``dossiers``: whether throws of this duel count for a dossier; the rules do not use it.
    Raises BadOption: two options conflict; ``detail`` names one.
    """

    quick: Annotated[bool, switch()] = False
    dossiers: Annotated[bool, switch(chosen=True)] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.quick and any(getattr(self, name) != term for name, term in QUICK.items()):
            raise BadOption("a quick duel has fixed terms", option="quick")
