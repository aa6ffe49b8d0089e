"""Whoever leaves acts no more, counts as done, and dies of it when the phase ends.

Source: docs/rules/dynamite.md "Winning".
"""

from __future__ import annotations

from games.dynamite.rules import days, nights
from games.dynamite.rules.facts import LeavingTown
from games.dynamite.rules.state import DynamiteState, Player
from games.kernel.facts import Instant, Step, Told
from games.kernel.structs import replace
from games.mafia.rules.actions import Leave
from games.mafia.rules.phases import Stage


def leave(state: DynamiteState, own: Player, action: Leave, at: Instant) -> Step[DynamiteState]:
    """Let a player leave: its vote stands, its confrontation is taken back."""
    gone = replace(own, is_leaving=True, is_done=True, target=None)
    step = nights.taken_back(state, own)
    step = Step(step.state.with_member(gone), (*step.events, Told(LeavingTown(own.no), {own.no})))
    if state.stage == Stage.DAY:
        return step.then(lambda after: days.end_if_all_done(after, at))
    return Step(nights.rearmed(step.state, at), step.events)
