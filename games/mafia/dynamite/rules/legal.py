"""The legal actions of a seat, for buttons, bots and random play; posts are in the rooms.
Source: docs/rules/dynamite.md "Day", "Night".
"""

from games.mafia.common.rules.actions import Done, Leave, Undone
from games.mafia.common.rules.phases import Stage
from games.mafia.dynamite.rules.actions import Confront, DynamiteAction, Vote, Withdraw
from games.mafia.dynamite.rules.nights import has_free_points
from games.mafia.dynamite.rules.state import DynamiteState, Player


def legal_actions(state: DynamiteState, own: Player) -> list[DynamiteAction]:
    """List the legal actions of a player in a stable order; the dead and the leaving have none."""
    if state.stage == Stage.OVER or not own.may_act:
        return []
    if state.stage == Stage.DAY:
        votes = [Vote(player.no) for player in state.living if player.no != own.no]
        check_in: list[DynamiteAction] = [] if own.vote is None else [_check_in(own)]
        return [*votes, *check_in, Leave()]
    return [*_confrontations(state, own), _check_in(own), Leave()]


def _check_in(own: Player) -> DynamiteAction:
    return Undone() if own.is_done else Done()


def _confrontations(state: DynamiteState, own: Player) -> list[DynamiteAction]:
    if not own.is_mafia:
        return []
    has_declared = own.target is not None
    found: list[DynamiteAction] = []
    if has_declared or has_free_points(state, own.team):
        found += [Confront(player.no) for player in state.living if player.team != own.team]
    return [*found, Withdraw()] if has_declared else found
