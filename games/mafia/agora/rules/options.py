"""The options of Agoran Mafia: ranges, defaults, and which of them players choose. The length of a
phase is in seconds. Source: docs/rules/agora.md "Options".
"""

from collections.abc import Mapping
from typing import Annotated, Final

from games.engine.choices import number, switch
from games.engine.errors import BadOption
from games.engine.structs import Record
from games.mafia.agora.rules.roles import LEAST_CITIZENS, MOST_CITIZENS
from games.mafia.common.rules.options import LONGEST_PHASE, QUICK_PHASE, SHORTEST_PHASE

#: Games with fewer citizens are for contests only: with three, one kill ends the game before the
#: town has acted.
LEAST_AT_A_TABLE: Final = 5

#: The options of a game in one sitting.
QUICK: Final[Mapping[str, int | bool]] = {"seats": 7, **QUICK_PHASE}


class Options(Record, frozen=True):
    """All options of a game; the defaults are the rule book's. ``contest`` marks a game of a
    contest, in which three and four can play.  The rules do not use ``listed`` and ``spectators``.
    Raises BadOption: too few citizens for a table; ``detail`` names the option.
    """

    seats: Annotated[int, number(LEAST_CITIZENS, MOST_CITIZENS, chosen=True)] = 7
    phase_seconds: Annotated[
        int, number(SHORTEST_PHASE, LONGEST_PHASE, chosen=True, site="agora.phase")
    ] = 86_400
    threshold: Annotated[int, number(1, 60, site="agora.threshold")] = 60
    quiet_limit: Annotated[int, number(1, 30, site="agora.quiet_limit")] = 3
    early_end: Annotated[bool, switch(chosen=True)] = True
    reveal_on_death: Annotated[bool, switch(chosen=True)] = False
    last_wills: Annotated[bool, switch(chosen=True)] = False
    substitutes: Annotated[bool, switch()] = False
    contest: Annotated[bool, switch()] = False
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True

    def __post_init__(self) -> None:
        if self.seats < LEAST_AT_A_TABLE and not self.contest:
            raise BadOption(
                f"at least {LEAST_AT_A_TABLE} play at a table",
                option="seats",
                least=LEAST_AT_A_TABLE,
                most=MOST_CITIZENS,
            )
