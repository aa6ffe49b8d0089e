"""The legal actions of a seat, for buttons, bots and random play; posts are in the rooms.
Source: docs/rules/agora.md "Phases".
"""

from games.mafia.agora.rules.actions import AgoraAction, Choose, Vote
from games.mafia.agora.rules.roles import Role
from games.mafia.agora.rules.state import AgoraState, Citizen
from games.mafia.common.rules.actions import Done, Leave, Undone
from games.mafia.common.rules.ballots import NOBODY, Choice
from games.mafia.common.rules.phases import Stage


def legal_actions(state: AgoraState, own: Citizen) -> list[AgoraAction]:
    """List the legal actions of a citizen in a stable order; the dead may only post."""
    if state.stage == Stage.OVER or not own.is_alive:
        return []
    targets: list[Choice] = [*[citizen.no for citizen in state.living], NOBODY]
    if state.stage == Stage.DAY:
        return [*[Vote(choice) for choice in (*targets, None)], Leave()]
    chosen = [Choose(target) for target in targets] if may_choose(own) else []
    return [*chosen, Undone() if own.is_done else Done(), Leave()]


def may_choose(own: Citizen) -> bool:
    """Whether a citizen has a night action that can still be chosen or changed."""
    return own.has_night_action and not is_final(own)


def is_final(own: Citizen) -> bool:
    """Whether a citizen is an agent who has turned a file round tonight."""
    return own.role == Role.AGENT and own.target not in (None, NOBODY)
