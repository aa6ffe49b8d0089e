"""Bots at the table: they see what their seat sees and act through the same door as people."""

from __future__ import annotations

import random

from games.models import Match
from games.play.policies import choose
from games.play.submissions import Submission
from games.reading import selectors

_chance = random.SystemRandom()


def bot_actions(match: Match) -> list[Submission]:
    """Return what the next bot that has something to decide at this match does now.

    The ids follow from phase and seat, so a turn that two processes play at once is played once.
    """
    snapshot = selectors.snapshot_of(match)
    pending = snapshot.table.rules.pending_seats(snapshot.state.play)
    for seat in pending:
        sitter = snapshot.sitters[seat]
        if sitter.bot:
            view = selectors.match_view(snapshot, seat)
            return [
                Submission(
                    match_id=match.pk,
                    action=action,
                    action_id=f"bot-{match.phase}-{seat}-{number}",
                    actor_id=sitter.user_id,
                    phase=match.phase,
                )
                for number, action in enumerate(choose(view, _chance))
            ]
    return []
