"""Open a Mafia match, seat its opener, and add bots on request.

Source: docs/agora.md "The pages".
"""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.matches.services import matches


def open_game(
    *, user: User, game: str, options: Mapping[str, Any], with_bots: bool = False
) -> tuple[Match, IllegalAction | LedgerError | None]:
    """Open a match and sit down there; with bots, fill all other seats and agree to start.

    Returns the match and the first refused action, if any: the user can continue at the board.

    Raises:
        BadOption, TooManyOpenTables: no match was opened.
    """
    match = matches.open_match(opened_by=user, options=options, game=game)
    wanted: list[dict[str, Any]] = [{"kind": "sit", "seat": 0}]
    if with_bots:
        state = selectors.snapshot_of(match).state
        wanted += [{"kind": "add_bot"}] * (len(state.seats) - 1)
        wanted += [{"kind": "ready", "configuration": state.options_revision}]
    for number, action in enumerate(wanted):
        try:
            writing.submit(Submission(match.pk, action, f"opening-{number}-mafia", user.pk))
        except (IllegalAction, LedgerError) as problem:
            return match, problem
    return match, None
