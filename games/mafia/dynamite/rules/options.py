"""The options of Rock, Paper, Scissors, Dynamite: ranges, defaults, and which ones players choose.
The length of a phase is in seconds. Source: docs/rules/dynamite.md "Setup", "Winning".
"""

from collections.abc import Mapping
from typing import Annotated, Final

from games.engine.choices import number, switch
from games.engine.structs import Record
from games.mafia.common.rules.options import LONGEST_PHASE, QUICK_PHASE, SHORTEST_PHASE
from games.mafia.dynamite.rules.teams import LEAST_PLAYERS, MOST_PLAYERS

#: The options of a game in one sitting.
QUICK: Final[Mapping[str, int | bool]] = {"seats": 8, **QUICK_PHASE}


class Options(Record, frozen=True):
    """All options of a game; the defaults are the rule book's. ``quiet_limit`` counts days and
    nights together.  ``contest`` marks a game of a contest.  The rules do not use ``listed`` and
    ``spectators``.
    """

    seats: Annotated[int, number(LEAST_PLAYERS, MOST_PLAYERS, chosen=True)] = 8
    phase_seconds: Annotated[
        int, number(SHORTEST_PHASE, LONGEST_PHASE, chosen=True, site="dynamite.phase")
    ] = 86_400
    award: Annotated[int, number(1, 60, site="dynamite.award")] = 5
    quiet_limit: Annotated[int, number(2, 60, site="dynamite.quiet_limit")] = 6
    last_wills: Annotated[bool, switch(chosen=True)] = False
    substitutes: Annotated[bool, switch()] = False
    contest: Annotated[bool, switch()] = False
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True
