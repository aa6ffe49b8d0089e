"""Warnings of players who missed the first throw of their last quick duel: forgiven once in a row.

Source: docs/rules/duel.md "The clock".
"""

from collections.abc import Collection

from games.duel import SLUG
from games.duel.pairing import MARK
from games.engine.table.state import is_quick
from games.matches.models import Match, Seat, of_match
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.queries.summaries import read_summary


class Absences(Reaction):
    """Warns those who did not come to their last quick duel."""

    def warned(self, locked: LockedMatch) -> Collection[int]:
        if locked.match.game != SLUG or not is_quick(locked.state.options):
            return ()
        people = {no: seat.user_id for no, seat in locked.seats.items() if not seat.user.is_bot}
        return [no for no, user_id in people.items() if _missed_last(user_id)]


def _missed_last(user_id: int) -> bool:
    is_last = of_match(game=SLUG, mark=MARK, status=Match.Status.OVER)
    played = Seat.objects.filter(is_last, user=user_id).order_by("-match")
    last = played.values_list("no", "match__summary").first()
    return last is not None and last[0] in read_summary(last[1]).get("missed", ())
