"""Leaving the town: the player cannot act, counts as done, and dies when the phase ends.

Source: docs/rules/dynamite.md "Winning".
"""

from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace
from games.mafia.common.rules.actions import Leave
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules import days, nights
from games.mafia.dynamite.rules.facts import LeavingTown
from games.mafia.dynamite.rules.state import DynamiteState, Player


def leave(state: DynamiteState, own: Player, action: Leave, at: Instant) -> Step[DynamiteState]:
    """Mark a player as leaving: the vote stands, the confrontation is withdrawn."""
    gone = replace(own, is_leaving=True, is_done=True, target=None)
    step = nights.taken_back(state, own)
    step = Step(step.state.with_member(gone), (*step.events, Told(LeavingTown(own.no), {own.no})))
    if state.stage == Stage.DAY:
        return step.then(lambda after: days.end_if_all_done(after, at))
    return Step(nights.rearmed(step.state, at), step.events)
