"""The actions of a seat in Rock, Paper, Scissors, Dynamite, their refusals, and which are legal.
Source: docs/reference/protocol.md, "Actions", "Errors"; docs/rules/dynamite.md "Day", "Night".
"""

from typing import Annotated, Final

from games.engine.structs import SECRET, Hidden, Kinded, SeatGiven
from games.mafia.common.rules.actions import Done, Leave, Post, Undone, WriteWill
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.state import DynamiteState, Player, has_free_points


class Vote(Kinded, frozen=True):
    """Vote by day for another player; a vote can be changed but not withdrawn."""

    choice: SeatGiven


class Confront(Hidden, Kinded, frozen=True):
    """Spend two of the team's points on a confrontation tonight, or change its target."""

    target: Annotated[SeatGiven, SECRET]


class Withdraw(Kinded, frozen=True):
    """Withdraw the confrontation; its points are free again."""


DynamiteAction = Vote | Confront | Withdraw | Done | Undone | Post | WriteWill | Leave

#: Refusals of this game alone that no code catches: code -> its meaning.
REFUSALS: Final = {
    "action/not_mafia": "A townie confronts nobody",
    "action/no_points_left": "The team has no two action points that are not reserved",
    "action/no_vote": "A player without a vote cannot be done with the day",
}


def legal_actions(state: DynamiteState, own: Player) -> list[DynamiteAction]:
    """List a player's legal actions besides posts and wills, in a stable order."""
    if state.stage == Stage.OVER or not own.may_act:
        return []
    check_in: DynamiteAction = Undone() if own.is_done else Done()
    if state.stage == Stage.DAY:
        votes = [Vote(player.no) for player in state.living if player.no != own.no]
        return [*votes, *([] if own.vote is None else [check_in]), Leave()]
    return [*_confrontations(state, own), check_in, Leave()]


def _confrontations(state: DynamiteState, own: Player) -> list[DynamiteAction]:
    has_declared = own.target is not None
    if not own.is_mafia or not (has_declared or has_free_points(state, own.team)):
        return []
    targets = [Confront(player.no) for player in state.living if player.team != own.team]
    return [*targets, Withdraw()] if has_declared else [*targets]
